// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A USB controller by which firmware emulates a keyboard: -device usb-by-smi,kind=uhci|ehci|xhci
 * [,rate=N][,stubborn=on][,owner=firmware|system]. It has no ports. From the hand-over on it raises
 * N SMIs a second, to every processor at once, while its legacy support enables one.
 *
 * This file also acts as the firmware's handler. While the firmware owns the controller, it enables
 * the SMIs again each time. It releases an EHCI or xHCI at the first SMI after the system asked,
 * with stubborn=on never. A UHCI has no owner, only the enables (F25.25 to F25.27).
 *
 * With owner=system the firmware never had the controller. Neither owner bit is set, but some
 * enables are, left by power-up or a careless loader. Setting the system's owner bit then enters a
 * handler that is not prepared for it, and no processor leaves SMM again.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/pci/pci_device.h"
#include "board.h"
#include "board_device.h"

#define TYPE_USB_BY_SMI "usb-by-smi"
OBJECT_DECLARE_SIMPLE_TYPE(UsbBySmi, USB_BY_SMI)

#define CLASS_USB      0x0c03
#define MOST_RATE      10000
#define MEMORY_SIZE    0x10000
#define REGISTERS      0x20 /* behind the capabilities: the operational ones */
#define STATUS         (REGISTERS + 4)
#define NUMBER_OF_BAR0 0

/* The legacy support capability: identifier, owners; four bytes on, what raises an SMI. */
#define LEGACY_ID      1u
#define OWNER_FIRMWARE (1u << 16)
#define OWNER_SYSTEM   (1u << 24)
#define OWNERS         (OWNER_FIRMWARE | OWNER_SYSTEM)

#define UHCI_LEGACY 0xc0
#define EHCI_LEGACY 0x68 /* in configuration space */
#define XHCI_LEGACY 0x40 /* in memory */

enum interface { UHCI = 0x00, EHCI = 0x20, XHCI = 0x30 };

typedef struct Kind {
    const char *name;
    enum interface interface;
    uint16_t device_id;
    uint32_t enables; /* bits that raise an SMI, of its legacy support */
    uint32_t
        parameters;  /* where its capability registers say where legacy support is; 0: nowhere */
    uint32_t legacy; /* their value */
    uint32_t halted; /* its status register, always */
} Kind;

static const Kind kinds[] = {
    {"uhci", UHCI, 0x2658, 0x001f, 0, 0, 0},
    {"ehci", EHCI, 0x265c, 0xe03f, 0x08, EHCI_LEGACY << 8, 1u << 12},
    {"xhci", XHCI, 0x9d2f, 0xe011, 0x10, XHCI_LEGACY / 4 << 16, 1u << 0},
};

struct UsbBySmi {
    PCIDevice parent;
    MemoryRegion memory;
    char *name;
    uint32_t rate;
    bool stubborn;
    char *owner;
    bool firmwares; /* it has the controller after RESET */
    const Kind *kind;
    uint32_t owners, control; /* of an xHCI's legacy support */
    QEMUTimer *timer;
};

static bool is_xhci(const UsbBySmi *usb)
{
    return usb->kind->interface == XHCI;
}

static bool is_uhci(const UsbBySmi *usb)
{
    return usb->kind->interface == UHCI;
}

static uint8_t *space(UsbBySmi *usb, unsigned offset)
{
    return usb->parent.config + offset;
}

static uint32_t read_owners(UsbBySmi *usb)
{
    return is_uhci(usb)   ? OWNER_SYSTEM
           : is_xhci(usb) ? usb->owners
                          : pci_get_long(space(usb, EHCI_LEGACY)) & OWNERS;
}

static void write_owners(UsbBySmi *usb, uint32_t owners)
{
    if (is_xhci(usb)) {
        usb->owners = owners;
    } else if (!is_uhci(usb)) {
        pci_set_long(space(usb, EHCI_LEGACY), LEGACY_ID | owners);
    }
}

static uint32_t read_control(UsbBySmi *usb)
{
    return is_uhci(usb)   ? pci_get_word(space(usb, UHCI_LEGACY))
           : is_xhci(usb) ? usb->control
                          : pci_get_long(space(usb, EHCI_LEGACY + 4));
}

static void write_control(UsbBySmi *usb, uint32_t control)
{
    if (is_uhci(usb)) {
        pci_set_word(space(usb, UHCI_LEGACY), control);
    } else if (is_xhci(usb)) {
        usb->control = control;
    } else {
        pci_set_long(space(usb, EHCI_LEGACY + 4), control);
    }
}

/* At each SMI of the firmware's, of which this controller's are some. */
static void serve(UsbBySmi *usb)
{
    uint32_t owners = read_owners(usb);

    if (owners == OWNERS && !usb->stubborn) {
        write_owners(usb, OWNER_SYSTEM);
    } else if (owners & OWNER_FIRMWARE) {
        write_control(usb, usb->kind->enables);
    }
}

static void time_has_come(void *opaque)
{
    UsbBySmi *usb = opaque;

    if (board_handed_over()) {
        serve(usb);
        if (read_control(usb) & usb->kind->enables) {
            board_send_smi();
        }
    }
    timer_mod(usb->timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + board_random_pause(usb->rate));
}

static uint32_t read_word(UsbBySmi *usb, hwaddr offset)
{
    if (offset == usb->kind->parameters) {
        return usb->kind->legacy;
    }
    if (is_xhci(usb) && (offset == XHCI_LEGACY || offset == XHCI_LEGACY + 4)) {
        return offset == XHCI_LEGACY ? LEGACY_ID | usb->owners : usb->control;
    }
    return offset == 0 ? REGISTERS | 0x0100u << 16 : offset == STATUS ? usb->kind->halted : 0;
}

static uint64_t read_register(void *opaque, hwaddr offset, unsigned size)
{
    return extract64(read_word(opaque, offset & ~3ull), offset % 4 * 8, size * 8);
}

/* What the firmware's handler does not expect. */
static void owners_change(UsbBySmi *usb, uint32_t before, uint32_t after)
{
    if (!usb->firmwares && board_handed_over() && after & ~before & OWNER_SYSTEM) {
        board_stick_all();
    }
}

static void write_register(void *opaque, hwaddr offset, uint64_t value, unsigned size)
{
    UsbBySmi *usb = opaque;
    uint32_t word = deposit64(read_word(usb, offset & ~3ull), offset % 4 * 8, size * 8, value);

    if (is_xhci(usb) && (offset & ~3ull) == XHCI_LEGACY) {
        owners_change(usb, usb->owners, word);
        usb->owners = word & OWNERS;
    } else if (is_xhci(usb) && (offset & ~3ull) == XHCI_LEGACY + 4) {
        usb->control = word & usb->kind->enables;
    }
}

static const MemoryRegionOps operations = {
    .read = read_register,
    .write = write_register,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = {.min_access_size = 1, .max_access_size = 4},
    .impl = {.min_access_size = 1, .max_access_size = 4},
};

static void write_configuration(PCIDevice *device, uint32_t address, uint32_t value, int size)
{
    UsbBySmi *usb = USB_BY_SMI(device);
    uint32_t before = read_owners(usb);

    pci_default_write_config(device, address, value, size);
    owners_change(usb, before, read_owners(usb));
}

static void reset(DeviceState *device)
{
    UsbBySmi *usb = USB_BY_SMI(device);

    write_owners(usb, usb->firmwares ? OWNER_FIRMWARE : 0);
    write_control(usb, usb->kind->enables);
    timer_mod(usb->timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + board_random_pause(usb->rate));
}

static const Kind *find_kind(const char *name)
{
    for (size_t i = 0; name && i < ARRAY_SIZE(kinds); i++) {
        if (!strcmp(kinds[i].name, name)) {
            return &kinds[i];
        }
    }
    return NULL;
}

static void make_writable(UsbBySmi *usb)
{
    uint8_t *mask = usb->parent.wmask;

    if (is_uhci(usb)) {
        pci_set_word(mask + UHCI_LEGACY, usb->kind->enables);
    } else if (!is_xhci(usb)) {
        pci_set_long(mask + EHCI_LEGACY, OWNERS);
        pci_set_long(mask + EHCI_LEGACY + 4, usb->kind->enables);
    }
}

static void realize(PCIDevice *device, Error **errp)
{
    UsbBySmi *usb = USB_BY_SMI(device);

    usb->kind = find_kind(usb->name);
    if (!usb->kind || usb->rate == 0 || usb->rate > MOST_RATE) {
        error_setg(errp, "usb-by-smi: kind is uhci, ehci or xhci, rate from 1 to %d", MOST_RATE);
        return;
    }
    usb->firmwares = !usb->owner || !strcmp(usb->owner, "firmware");
    if (!usb->firmwares && (strcmp(usb->owner, "system") || is_uhci(usb) || usb->stubborn)) {
        error_setg(errp, "usb-by-smi: owner is firmware, or system: no UHCI, and not stubborn");
        return;
    }
    pci_config_set_device_id(device->config, usb->kind->device_id);
    device->config[PCI_CLASS_PROG] = usb->kind->interface;
    make_writable(usb);
    if (!is_uhci(usb)) {
        memory_region_init_io(&usb->memory, OBJECT(usb), &operations, usb, TYPE_USB_BY_SMI,
                              MEMORY_SIZE);
        pci_register_bar(device, NUMBER_OF_BAR0, PCI_BASE_ADDRESS_SPACE_MEMORY, &usb->memory);
    }
    usb->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, time_has_come, usb);
}

static void leave(PCIDevice *device)
{
    timer_free(USB_BY_SMI(device)->timer);
}

static const Property properties[] = {
    DEFINE_PROP_STRING("kind", UsbBySmi, name),
    DEFINE_PROP_UINT32("rate", UsbBySmi, rate, 200),
    DEFINE_PROP_STRING("owner", UsbBySmi, owner),
    DEFINE_PROP_BOOL("stubborn", UsbBySmi, stubborn, false),
};

static const VMStateDescription state = {
    .name = TYPE_USB_BY_SMI,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields =
        (const VMStateField[]){
            VMSTATE_PCI_DEVICE(parent, UsbBySmi),
            VMSTATE_UINT32(owners, UsbBySmi),
            VMSTATE_UINT32(control, UsbBySmi),
            VMSTATE_TIMER_PTR(timer, UsbBySmi),
            VMSTATE_END_OF_LIST(),
        },
};

static void class_starts(ObjectClass *class, ClassData *unused)
{
    DeviceClass *device = DEVICE_CLASS(class);
    PCIDeviceClass *pci = PCI_DEVICE_CLASS(class);

    pci->realize = realize;
    pci->exit = leave;
    pci->config_write = write_configuration;
    pci->vendor_id = PCI_VENDOR_ID_INTEL;
    pci->class_id = CLASS_USB;
    device->vmsd = &state;
    device->desc = "USB controller of the firmware's, which raises SMIs";
    device->hotpluggable = false;
    device_class_set_props(device, properties);
    device_class_set_legacy_reset(device, reset);
    set_bit(DEVICE_CATEGORY_USB, device->categories);
}

static const TypeInfo usb_by_smi = {
    .name = TYPE_USB_BY_SMI,
    .parent = TYPE_PCI_DEVICE,
    .instance_size = sizeof(UsbBySmi),
    .class_init = class_starts,
    .interfaces = (InterfaceInfo[]){{INTERFACE_CONVENTIONAL_PCI_DEVICE}, {}},
};

static void register_type(void)
{
    type_register_static(&usb_by_smi);
}

type_init(register_type)
