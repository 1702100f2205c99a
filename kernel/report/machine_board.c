/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which board is it, and when did it run? */
#include "kernel/report/machine.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/identity/ppin.h"
#include "arch/cpu/tables/acpi.h"
#include "arch/cpu/tables/smbios.h"
#include "arch/lib/printf.h"
#include "kernel/machine/rtc.h"
#include "kernel/report/ktap.h"

/* Silent about what the tables lack. */
static void print_word(const char *key, const char *word)
{
    if (word[0] != '\0')
        ktap_comment(0, "%s: %s", key, word);
}

static void print_versioned(const char *key, const char *name, const char *before,
                            const char *version)
{
    char text[SMBIOS_NAME_SIZE + SMBIOS_WORD_SIZE + 16];

    format_string(text, sizeof(text), "%s", name);
    if (name[0] != '\0' && version[0] != '\0')
        format_append(text, sizeof(text), ", %s%s", before, version);
    print_word(key, text);
}

static void print_product(const char *key, const struct smbios_product *product)
{
    print_versioned(key, product->name, "version ", product->version);
}

/* A board without a name has that of its system. */
static void print_products(const struct smbios_names *names)
{
    bool has_board = names->board.name[0] != '\0';

    print_product("board", has_board ? &names->board : &names->system);
    if (has_board)
        print_product("system", &names->system);
}

static void print_serials(const struct smbios_names *names)
{
    print_word("board serial", names->board.serial);
    print_word("system serial", names->system.serial);
    print_word("uuid", names->uuid);
}

static void print_ppin(void)
{
    uint64_t number;

    if (!feature_present(FEATURE_MSR) || !identity_is_intel(&cpu_features()->identity))
        return;
    switch (ppin_read(&number)) {
    case PPIN_READ:
        ktap_comment(0, "ppin: 0x%016lx", number);
        break;
    case PPIN_OFF:
        ktap_comment(0, "ppin: there, not enabled by the firmware (MSR_PPIN_CTL[1] = 0)");
        break;
    case PPIN_ABSENT:
        break;
    }
}

static void print_date(void)
{
    struct acpi_fadt fadt = {0};
    struct rtc_date at;

    acpi_read_fadt(&fadt);
    if (!rtc_read_date(fadt.century, &at))
        ktap_comment(0, "date: unknown, the real-time clock does not run");
    else if (!rtc_is_date(&at))
        ktap_comment(0, "date: unknown, the real-time clock says %04u-%02u-%02u", at.year, at.month,
                     at.day);
    else
        ktap_comment(0, "date: %04u-%02u-%02u %02u:%02u:%02u", at.year, at.month, at.day, at.hours,
                     at.minutes, at.seconds);
}

void machine_print_board(bool with_serials)
{
    const struct smbios_names *names = smbios_names();

    print_versioned("bios", names->firmware, "", names->released);
    print_products(names);
    print_word("smbios", names->problem);
    if (with_serials)
        print_serials(names);
    print_ppin();
    print_date();
}
