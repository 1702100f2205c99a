/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/machine.h"

#include "arch/cpu/apic/apic.h"
#include "arch/cpu/identity/firmware_state.h"
#include "arch/cpu/apic/unclaimed.h"
#include "arch/cpu/identity/models.h"
#include "arch/cpu/memory/mtrr.h"
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/smp/processors.h"
#include "arch/cpu/tables/smbios.h"
#include "arch/cpu/apic/smi.h"
#include "boot/boot_info.h"
#include "kernel/report/ktap.h"
#include "arch/lib/printf.h"
#include "kernel/machine/time.h"
#include "kernel/machine/watchdog.h"

#define TEXT_SIZE           800u
#define MEMORY_PROBLEM_SIZE 128u

void machine_get_name(struct machine_name *out)
{
    const struct cpu_identity *cpu = &cpu_features()->identity;

    out->version = BTSCHECK_VERSION;
    out->cpu = cpu->brand[0] != '\0' ? cpu->brand : cpu->vendor;
    out->hypervisor = cpu->hypervisor[0] != '\0'            ? cpu->hypervisor
                      : feature_present(FEATURE_HYPERVISOR) ? "unnamed"
                                                            : "none (bare metal)";
    format_string(out->signature, sizeof(out->signature),
                  "%02X_%02XH stepping %u (CPUID.01H:EAX = 0x%08x)", cpu->family, cpu->model,
                  cpu->stepping, cpu->signature);
    format_string(out->short_signature, sizeof(out->short_signature), "%02X_%02XH-%u", cpu->family,
                  cpu->model, cpu->stepping);
    out->microcode = cpu->microcode;
    out->firmware = boot_info.firmware == BOOT_FIRMWARE_EFI ? "UEFI" : "BIOS";
    out->firmware_version = smbios_names()->firmware;
    out->board_name = smbios_board();
    out->serial_problem = console_problem(CONSOLE_SERIAL);
}

static void print_name(void)
{
    struct machine_name name;

    machine_get_name(&name);
    ktap_comment(0, "btscheck: %s", name.version);
    ktap_comment(0, "cpu: %s", name.cpu);
    ktap_comment(0, "signature: %s", name.signature);
    if (processor_name(&cpu_features()->identity) != NULL)
        ktap_comment(0, "model: %s", processor_name(&cpu_features()->identity));
    ktap_comment(0, "microcode: 0x%08x", name.microcode);
    ktap_comment(0, "hypervisor: %s", name.hypervisor);
}

/* Silent about a map that has room, as it should be. */
static void print_memory(void)
{
    ktap_comment(0, "memory: %lu MiB usable", memory_map_usable(&boot_info) >> 20);
    if (boot_info.memory_truncated)
        ktap_comment(0, "memory map: more than %u ranges, the others are not looked at",
                     BOOT_MEMORY_RANGE_COUNT);
}

/* Silent where all of the kernel's own memory is write-back, as it should be: in memory of another
 * type everything takes many times as long. Page by page: a range may begin on any of them. */
static void print_memory_type(void)
{
    struct physical_extent own = kernel_map_extent();
    struct mtrrs mtrrs;

    if (!mtrr_read(&mtrrs))
        return;
    for (uint64_t at = own.start; at < own.end; at += PAGE_SIZE) {
        enum memory_type type = mtrr_type(&mtrrs, at);

        if (type == MEMORY_WRITE_BACK)
            continue;
        ktap_comment(0,
                     "memory type: %u by the MTRRs at 0x%lx, where the kernel lies, not 6 "
                     "(write-back); it will be slow",
                     type, at);
        return;
    }
}

static void print_platform(void)
{
    ktap_comment(0, "firmware: %s", boot_info.firmware == BOOT_FIRMWARE_EFI ? "UEFI" : "BIOS");
    ktap_comment(0, "loader: %s",
                 boot_info.loader_name[0] != '\0' ? boot_info.loader_name : "unnamed");
    print_memory();
    print_memory_type();
    ktap_comment(0, "apic: %s", apic_mode_name());
    if (apic_mode() != APIC_MODE_ABSENT && apic_mode_is_locked())
        ktap_comment(0, "apic mode: locked (IA32_XAPIC_DISABLE_STATUS[0] = 1)");
    ktap_comment(0, "tsc: %lu MHz (%s)", time_tsc_per_microsecond(), time_source());
    ktap_comment(0, "watchdog: %s", watchdog_description());
}

/* Silent where there were none, as it should be. */
static void print_stale_interrupts(void)
{
    for (unsigned vector = 0; vector < 256; vector++) {
        if (stale_interrupts_had((uint8_t)vector))
            ktap_comment(0, "firmware left an interrupt waiting, which was ended: vector 0x%02x",
                         vector);
    }
}

static void print_firmware_state(void)
{
    const struct boot_entry_state *state = &boot_info.entry_state;
    const struct firmware_state *one;

    ktap_comment(0, "entered with: CR0 = 0x%08x, CR4 = 0x%08x, IA32_EFER = 0x%08x", state->cr0,
                 state->cr4, state->efer);
    for (size_t i = 0; (one = firmware_state(i)) != NULL; i++)
        ktap_comment(0, "found and put right: %s, the register was 0x%lx", one->name, one->found);
}

/* Silent where there are none, as mostly. */
static void print_firmware_lvt(void)
{
    const struct firmware_lvt *one;

    for (size_t i = 0; (one = firmware_lvt(i)) != NULL; i++)
        ktap_comment(0, "left alone, since the firmware has it raise SMIs: %s 0x%x = 0x%x",
                     one->what, one->number, one->entry);
}

/* Silent where the register is missing: Nehalem and later have it, F10.7. */
static void print_smi_count(void)
{
    uint32_t count;

    if (smi_count(&count))
        ktap_comment(0, "smi count: %u", count);
}

static void print_features(const char *key, bool present)
{
    char text[TEXT_SIZE] = "";

    for (unsigned i = 0; i < FEATURE_COUNT; i++) {
        if (feature_present((enum feature)i) == present)
            format_append(text, TEXT_SIZE, "%s %s", *text == '\0' ? "" : ",",
                          feature_name((enum feature)i));
    }
    ktap_comment(0, "%s:%s", key, *text == '\0' ? " none" : text);
}

/* Silent where there is NX, as there should be. */
static void print_protection(void)
{
    if (paging_without_nx() != NULL)
        ktap_comment(0, "nx: none, so that data can be executed: %s", paging_without_nx());
}

static void print_descriptions(void)
{
    char text[TEXT_SIZE];

    for (size_t i = 0; features_describe(i, text, sizeof(text)); i++) {
        if (*text != '\0')
            ktap_comment(0, "%s", text);
    }
}

/* console_find() tells of the other UART itself. */
static void print_console_problems(unsigned sinks)
{
    static const char *const names[] = CONSOLE_NAMES;

    for (unsigned i = 0; names[i] != NULL; i++) {
        const char *why = console_problem(1u << i);

        if ((sinks & ~CONSOLE_UART & 1u << i) != 0 && why != NULL)
            ktap_comment(0, "console without %s: %s", names[i], why);
    }
    for (unsigned i = 0; console_find_note(i) != NULL; i++)
        ktap_comment(0, "console: %s", console_find_note(i));
}

static void print_consoles(void)
{
    static const unsigned uarts[] = {CONSOLE_SERIAL, CONSOLE_UART};
    char text[SERIAL_TEXT_SIZE];

    for (size_t i = 0; i < sizeof(uarts) / sizeof(uarts[0]); i++) {
        if (console_is_in_use(uarts[i]))
            ktap_comment(0, "console: %s", console_serial_describe(uarts[i], text));
    }
}

/* Without a map, or with a part of one, nothing is known. */
const char *machine_memory_problem(void)
{
    static char text[MEMORY_PROBLEM_SIZE];
    struct physical_extent own = kernel_map_extent();

    if (boot_info.memory_count == 0 || boot_info.memory_truncated ||
        memory_map_is_free(&boot_info, own.start, own.end - own.start))
        return NULL;
    format_string(text, sizeof(text),
                  "the kernel lies at 0x%lx to 0x%lx, where the loader's memory map has no free "
                  "memory",
                  own.start, own.end - 1);
    return text;
}

void machine_introduce(const struct options *options)
{
    print_name();
    machine_print_board(options->names_serials);
    print_platform();
    machine_print_call();
}

void machine_print(const struct options *options)
{
    machine_print_processors();
    print_firmware_state();
    print_firmware_lvt();
    print_smi_count();
    print_stale_interrupts();
    print_features("features", true);
    print_features("features absent", false);
    print_protection();
    print_descriptions();
    print_consoles();
    print_console_problems(options->consoles);
    ktap_comment(0, "command line: %s", boot_info.command_line);
    ktap_comment(0, "seed: 0x%lx", options->seed);
}
