// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first UART of Intel's low-power subsystem in Sunrise Point, as left by firmware that does not
 * use it (F26.10 to F26.13): -device lpss-uart,chardev=ID[,sleeps=on][,clock=NUMBER] A PCI function
 * of class 0780H with registers in memory, 32 bits each; other accesses are lost, and read as ones.
 * It is in reset until its reset register is written 7, and with sleeps=on in D3 until PMCSR is
 * written. Bytes sent at another rate than 115200 bits per second arrive as garbage.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/pci/pci_device.h"
#include "board_uart.h"

#define TYPE_LPSS_UART "lpss-uart"
OBJECT_DECLARE_SIMPLE_TYPE(LpssUart, LPSS_UART)

#define SUNRISE_POINT_UART0 0x9d27
#define CLASS_COMMUNICATION 0x0780 /* other communication device */
#define BAR_SIZE            4096
#define STRIDE              4

#define POWER_CAPABILITY 0x80 /* in configuration space */
#define PMCSR            (POWER_CAPABILITY + PCI_PM_CTRL)
#define D3_HOT           3

/* The private registers. */
#define CLOCK        0x200
#define RESETS       0x204
#define CAPABILITIES 0x2fc

#define CLOCK_ON     (1u << 0)
#define CLOCK_UPDATE (1u << 31) /* M in bits 15:1 and N in 30:16 take effect */
#define RELEASED     7u         /* the UART, and its DMA */
#define IS_UART      0x110      /* and has no DMA of its own */

/* 120 MHz · 48 / 625 = 9.216 MHz: sixteen times 115200, times five. */
#define CLOCK_BY_FIRMWARE (CLOCK_UPDATE | 625u << 16 | 48u << 1 | CLOCK_ON)
#define INPUT_CLOCK       120000000ull

#define LINE_RATE 115200ull
#define TOLERANCE 3 /* percent */

struct LpssUart {
    PCIDevice parent;
    SerialState serial;
    MemoryRegion memory;
    uint32_t clock_by_firmware;
    bool sleeps;
    uint32_t clock, resets; /* registers */
    uint32_t m, n;          /* in effect */
};

static bool is_awake(const LpssUart *uart)
{
    return (uart->parent.config[PMCSR] & PCI_PM_CTRL_STATE_MASK) != D3_HOT;
}

/* Bits per second; 0: nothing moves. */
static uint64_t rate(const LpssUart *uart)
{
    uint64_t divisor = 16ull * uart->serial.divider * uart->n;

    return uart->clock & CLOCK_ON && divisor ? INPUT_CLOCK * uart->m / divisor : 0;
}

static bool can_be_read(const LpssUart *uart)
{
    uint64_t is = rate(uart), difference = is > LINE_RATE ? is - LINE_RATE : LINE_RATE - is;

    return 100 * difference <= TOLERANCE * LINE_RATE;
}

static void set_clock(LpssUart *uart, uint32_t value)
{
    uart->clock = value;
    if (value & CLOCK_UPDATE) {
        uart->m = extract32(value, 1, 15);
        uart->n = extract32(value, 16, 15);
    }
}

/* The emulator's 16550 has no reset of its own while the machine runs. */
static void clear_uart(LpssUart *uart)
{
    static const uint8_t writes[][2] = {
        {UART_LINE_CONTROL, UART_DLAB}, {0, 0}, {1, 0},
        {UART_LINE_CONTROL, 0},         {1, 0}, {UART_FIFO_CONTROL, UART_FIFOS_CLEARED},
        {UART_MODEM_CONTROL, 0},
    };

    for (size_t i = 0; i < ARRAY_SIZE(writes); i++) {
        serial_io_ops.write(&uart->serial, writes[i][0], writes[i][1], 1);
    }
}

static void set_resets(LpssUart *uart, uint32_t value)
{
    if (value != RELEASED && uart->resets == RELEASED) {
        clear_uart(uart);
    }
    uart->resets = value;
}

static uint64_t read_register(void *opaque, hwaddr offset, unsigned size)
{
    LpssUart *uart = opaque;
    int number = uart_register(offset, size, STRIDE, STRIDE);

    if (!is_awake(uart) || size != STRIDE) {
        return UART_NOTHING;
    }
    switch (offset) {
    case CLOCK:
        return uart->clock;
    case RESETS:
        return uart->resets;
    case CAPABILITIES:
        return IS_UART;
    default:
        return uart->resets != RELEASED ? UART_NOTHING
               : number < 0             ? 0
                                        : serial_io_ops.read(&uart->serial, number, 1);
    }
}

static void write_uart(LpssUart *uart, int number, uint8_t value)
{
    bool sends = number == UART_TRANSMIT && !(uart->serial.lcr & UART_DLAB) &&
                 !(uart->serial.mcr & UART_LOOP_BACK);

    if (sends && rate(uart) == 0) {
        return;
    }
    if (sends && !can_be_read(uart)) {
        value = 0x80 | ~value;
    }
    serial_io_ops.write(&uart->serial, number, value, 1);
}

static void write_register(void *opaque, hwaddr offset, uint64_t value, unsigned size)
{
    LpssUart *uart = opaque;
    int number = uart_register(offset, size, STRIDE, STRIDE);

    if (!is_awake(uart) || size != STRIDE) {
        return;
    }
    if (offset == CLOCK) {
        set_clock(uart, value);
    } else if (offset == RESETS) {
        set_resets(uart, value);
    } else if (number >= 0 && uart->resets == RELEASED) {
        write_uart(uart, number, value);
    }
}

static const MemoryRegionOps operations = {
    .read = read_register,
    .write = write_register,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = {.min_access_size = 1, .max_access_size = 8, .unaligned = true},
    .impl = {.min_access_size = 1, .max_access_size = 8, .unaligned = true},
};

static void reset(DeviceState *device)
{
    LpssUart *uart = LPSS_UART(device);

    set_clock(uart, uart->clock_by_firmware);
    uart->resets = 0;
    pci_set_word(uart->parent.config + PMCSR,
                 PCI_PM_CTRL_NO_SOFT_RESET | (uart->sleeps ? D3_HOT : 0));
}

static void realize(PCIDevice *device, Error **errp)
{
    LpssUart *uart = LPSS_UART(device);

    if (!qdev_realize(DEVICE(&uart->serial), NULL, errp) ||
        pci_add_capability(device, PCI_CAP_ID_PM, POWER_CAPABILITY, PCI_PM_SIZEOF, errp) < 0) {
        return;
    }
    pci_set_word(device->config + POWER_CAPABILITY + PCI_PM_PMC, 3); /* version 1.2 */
    pci_set_word(device->wmask + PMCSR, PCI_PM_CTRL_STATE_MASK);
    device->config[PCI_INTERRUPT_PIN] = 1; /* and there is no interrupt */
    memory_region_init_io(&uart->memory, OBJECT(uart), &operations, uart, TYPE_LPSS_UART, BAR_SIZE);
    pci_register_bar(device, 0, PCI_BASE_ADDRESS_SPACE_MEMORY | PCI_BASE_ADDRESS_MEM_TYPE_64,
                     &uart->memory);
}

static void start(Object *object)
{
    LpssUart *uart = LPSS_UART(object);

    object_initialize_child(object, "serial", &uart->serial, TYPE_SERIAL);
    qdev_alias_all_properties(DEVICE(&uart->serial), object);
}

static const Property properties[] = {
    DEFINE_PROP_UINT32("clock", LpssUart, clock_by_firmware, CLOCK_BY_FIRMWARE),
    DEFINE_PROP_BOOL("sleeps", LpssUart, sleeps, false),
};

static const VMStateDescription state = {
    .name = TYPE_LPSS_UART,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields =
        (const VMStateField[]){
            VMSTATE_PCI_DEVICE(parent, LpssUart),
            VMSTATE_STRUCT(serial, LpssUart, 0, vmstate_serial, SerialState),
            VMSTATE_UINT32(clock, LpssUart),
            VMSTATE_UINT32(resets, LpssUart),
            VMSTATE_UINT32(m, LpssUart),
            VMSTATE_UINT32(n, LpssUart),
            VMSTATE_END_OF_LIST(),
        },
};

static void class_starts(ObjectClass *class, ClassData *unused)
{
    DeviceClass *device = DEVICE_CLASS(class);
    PCIDeviceClass *pci = PCI_DEVICE_CLASS(class);

    pci->realize = realize;
    pci->vendor_id = PCI_VENDOR_ID_INTEL;
    pci->device_id = SUNRISE_POINT_UART0;
    pci->revision = 0x21;
    pci->class_id = CLASS_COMMUNICATION;
    device->vmsd = &state;
    device->desc = "UART of Intel's low-power subsystem";
    device->hotpluggable = false;
    device_class_set_props(device, properties);
    device_class_set_legacy_reset(device, reset);
    set_bit(DEVICE_CATEGORY_INPUT, device->categories);
}

static const TypeInfo lpss_uart = {
    .name = TYPE_LPSS_UART,
    .parent = TYPE_PCI_DEVICE,
    .instance_size = sizeof(LpssUart),
    .instance_init = start,
    .class_init = class_starts,
    .interfaces = (InterfaceInfo[]){{INTERFACE_CONVENTIONAL_PCI_DEVICE}, {}},
};

static void register_type(void)
{
    type_register_static(&lpss_uart);
}

type_init(register_type)
