// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A 16550 at an address of its own, without a bus, as ACPI tables name it:
 *   -device mmio-uart,chardev=ID,addr=ADDRESS,stride=1|4,width=1|4
 * Accesses of another width are lost, and read as ones. There is no interrupt.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#if __has_include("system/address-spaces.h") /* since QEMU 10.1 */
#include "system/address-spaces.h"
#else
#include "exec/address-spaces.h"
#endif
#include "hw/char/serial.h"
#include "board_device.h"

#define UART_REGISTERS 8
#define UART_NOTHING   UINT64_MAX /* what a read gives where no register answers */

#define TYPE_MMIO_UART "mmio-uart"
OBJECT_DECLARE_SIMPLE_TYPE(MmioUart, MMIO_UART)

struct MmioUart {
    DeviceState parent;
    SerialState serial;
    MemoryRegion memory;
    uint64_t address;
    uint8_t stride, width; /* bytes */
};

/* The number of the register, or -1 where none answers. */
static int register_at(const MmioUart *uart, hwaddr offset, unsigned size)
{
    bool none = size != uart->width || offset % uart->stride != 0 ||
                offset / uart->stride >= UART_REGISTERS;

    return none ? -1 : (int)(offset / uart->stride);
}

static uint64_t read_register(void *opaque, hwaddr offset, unsigned size)
{
    MmioUart *uart = opaque;
    int number = register_at(uart, offset, size);

    return number < 0 ? UART_NOTHING : serial_io_ops.read(&uart->serial, number, 1);
}

static void write_register(void *opaque, hwaddr offset, uint64_t value, unsigned size)
{
    MmioUart *uart = opaque;
    int number = register_at(uart, offset, size);

    if (number >= 0) {
        serial_io_ops.write(&uart->serial, number, (uint8_t)value, 1);
    }
}

static const MemoryRegionOps operations = {
    .read = read_register,
    .write = write_register,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = {.min_access_size = 1, .max_access_size = 8, .unaligned = true},
    .impl = {.min_access_size = 1, .max_access_size = 8, .unaligned = true},
};

static void realize(DeviceState *device, Error **errp)
{
    MmioUart *uart = MMIO_UART(device);
    bool narrow = uart->width == 1 && (uart->stride == 1 || uart->stride == 4);

    if (!narrow && !(uart->width == 4 && uart->stride == 4)) {
        error_setg(errp, "mmio-uart: width is 1, or 4 with stride=4; stride is 1 or 4");
        return;
    }
    if (uart->address % 4096) {
        error_setg(errp, "mmio-uart: addr is no page");
        return;
    }
    if (!qdev_realize(DEVICE(&uart->serial), NULL, errp)) {
        return;
    }
    memory_region_init_io(&uart->memory, OBJECT(uart), &operations, uart, TYPE_MMIO_UART,
                          UART_REGISTERS * uart->stride);
    memory_region_add_subregion_overlap(get_system_memory(), uart->address, &uart->memory, 1);
}

static void start(Object *object)
{
    MmioUart *uart = MMIO_UART(object);

    object_initialize_child(object, "serial", &uart->serial, TYPE_SERIAL);
    qdev_alias_all_properties(DEVICE(&uart->serial), object);
}

static const Property properties[] = {
    DEFINE_PROP_UINT64("addr", MmioUart, address, 0xfe030000),
    DEFINE_PROP_UINT8("stride", MmioUart, stride, 4),
    DEFINE_PROP_UINT8("width", MmioUart, width, 4),
};

static const VMStateDescription state = {
    .name = TYPE_MMIO_UART,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields =
        (const VMStateField[]){
            VMSTATE_STRUCT(serial, MmioUart, 0, vmstate_serial, SerialState),
            VMSTATE_END_OF_LIST(),
        },
};

static void class_starts(ObjectClass *class, ClassData *unused)
{
    DeviceClass *device = DEVICE_CLASS(class);

    device->realize = realize;
    device->vmsd = &state;
    device->desc = "16550 at a fixed address";
    device->user_creatable = true;
    device->hotpluggable = false;
    device_class_set_props(device, properties);
    set_bit(DEVICE_CATEGORY_INPUT, device->categories);
}

static const TypeInfo mmio_uart = {
    .name = TYPE_MMIO_UART,
    .parent = TYPE_DEVICE,
    .instance_size = sizeof(MmioUart),
    .instance_init = start,
    .class_init = class_starts,
};

static void register_type(void)
{
    type_register_static(&mmio_uart);
}

type_init(register_type)
