/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/apic/apic_registers.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/ground/percpu.h"

#define APIC_BASE_ADDRESS 0x000ffffffffff000ull /* of IA32_APIC_BASE: F11.1 */

/* CPUID.07H:EDX enumerates IA32_ARCH_CAPABILITIES, which enumerates IA32_XAPIC_DISABLE_STATUS. */
#define ARCH_CAPABILITIES        29u
#define CAPABILITY_XAPIC_DISABLE (1ull << 21)
#define LEGACY_XAPIC_DISABLED    1u

#define ICR_INIT    0x500u /* delivery modes (F11.7) */
#define ICR_STARTUP 0x600u

#define DIVIDE_BY_16       0x3u
#define ICR_PENDING        (1u << 12)
#define ICR_LEVEL_ASSERT   (1u << 14)
#define ICR_SHORTHAND_SELF (1u << 18)
#define ICR_WAIT           1000000u /* reads; the message leaves at once on working hardware */
#define VECTORS_A_WORD     32u
#define REGISTER_STEP      0x10u

static enum apic_mode mode;
static volatile uint8_t *registers; /* xAPIC only */

enum apic_mode apic_mode(void)
{
    return mode != APIC_MODE_ABSENT && this_cpu()->visits_x2apic ? APIC_MODE_X2APIC : mode;
}

uint32_t apic_read(uint32_t offset)
{
    if (apic_mode() == APIC_MODE_X2APIC)
        return (uint32_t)rdmsr(IA32_X2APIC_BASE + (offset >> 4));
    return *(volatile uint32_t *)(registers + offset);
}

void apic_write(uint32_t offset, uint32_t value)
{
    if (apic_mode() == APIC_MODE_X2APIC)
        wrmsr(IA32_X2APIC_BASE + (offset >> 4), value);
    else
        *(volatile uint32_t *)(registers + offset) = value;
}

uint32_t apic_id(void)
{
    uint32_t id = apic_read(APIC_ID);
    return apic_mode() == APIC_MODE_X2APIC ? id : id >> 24;
}

void apic_eoi(void)
{
    apic_write(APIC_EOI, 0);
}

static uint32_t vector_word(uint32_t bank, uint8_t vector)
{
    return apic_read(bank + vector / VECTORS_A_WORD * REGISTER_STEP);
}

bool apic_is_pending(uint8_t vector)
{
    return vector_word(APIC_IRR, vector) >> vector % VECTORS_A_WORD & 1;
}

bool apic_in_service(uint8_t vector)
{
    return vector_word(APIC_ISR, vector) >> vector % VECTORS_A_WORD & 1;
}

/* An EOI ends the highest interrupt in service, so send one for each bit, at most one a vector. */
void apic_end_all(void)
{
    for (unsigned vector = 0; vector < 256; vector++)
        if (apic_in_service((uint8_t)(255 - vector)))
            apic_eoi();
}

/* The last write left the entry unmasked, and it has delivered no interrupt since. */
static bool pmi_is_open[PROCESSORS_MAX];

static void write_pmi(uint32_t entry)
{
    pmi_is_open[this_cpu()->index] = !(entry & APIC_LVT_MASKED);
    apic_write(APIC_PMI, entry);
}

void apic_pmi_program(enum apic_delivery delivery, uint8_t vector)
{
    uint32_t bits = (uint32_t)delivery << 8;
    write_pmi(bits | (delivery == APIC_DELIVERY_NMI ? 0u : vector));
}

void apic_pmi_mask(void)
{
    write_pmi(apic_pmi_raw() | APIC_LVT_MASKED);
}

void apic_pmi_unmask(void)
{
    write_pmi(apic_pmi_raw() & ~APIC_LVT_MASKED);
}

bool apic_pmi_is_masked(void)
{
    return apic_pmi_raw() & APIC_LVT_MASKED;
}

void apic_pmi_has_come(void)
{
    pmi_is_open[this_cpu()->index] = false;
}

static bool pmi_is_at_its_vector(void)
{
    uint32_t entry = apic_pmi_raw();
    bool is_fixed = (entry >> 8 & 7) == APIC_DELIVERY_FIXED;
    return is_fixed && (apic_is_pending((uint8_t)entry) || apic_in_service((uint8_t)entry));
}

bool apic_pmi_went_astray(void)
{
    return pmi_is_open[this_cpu()->index] && apic_pmi_is_masked() && !pmi_is_at_its_vector();
}

/* Delivery status (bit 12) is read only, and reserved for writes in x2APIC mode. */
uint32_t apic_pmi_raw(void)
{
    return apic_read(APIC_PMI) & ~APIC_LVT_STATUS;
}

uint32_t apic_pmi_read(void)
{
    return apic_read(APIC_PMI);
}

void apic_pmi_write(uint32_t entry)
{
    write_pmi(entry);
}

uint32_t apic_lint0(void)
{
    return apic_read(APIC_LINT0) & ~APIC_LVT_STATUS;
}

void apic_lint0_write(uint32_t entry)
{
    apic_write(APIC_LINT0, entry | APIC_LVT_MASKED);
}

void apic_timer_start(uint32_t ticks)
{
    apic_write(APIC_INITIAL, 0);
    apic_write(APIC_DIVIDE, DIVIDE_BY_16);
    apic_write(APIC_TIMER, ticks == 0 ? APIC_LVT_MASKED | VECTOR_TIMER : VECTOR_TIMER);
    apic_write(APIC_INITIAL, ticks);
}

uint32_t apic_timer_remaining(void)
{
    return apic_read(APIC_CURRENT);
}

static bool wait_for_icr(void)
{
    for (unsigned i = 0; i < ICR_WAIT && (apic_read(APIC_ICR) & ICR_PENDING); i++)
        insn_pause();
    return !(apic_read(APIC_ICR) & ICR_PENDING);
}

/* Can the current mode send a message to this processor alone? */
static bool can_address(uint32_t id)
{
    return apic_mode_reaches(apic_mode(), id);
}

static bool send_to(uint32_t id, uint32_t command)
{
    if (!can_address(id))
        return false;
    insn_mfence_lfence(); /* in x2APIC mode the command could pass stores: F11.5 */
    if (apic_mode() == APIC_MODE_X2APIC) {
        wrmsr(APIC_X2_ICR, (uint64_t)id << 32 | command);
        return true;
    }
    if (!wait_for_icr()) /* the command before is on its way: F10.36 */
        return false;
    apic_write(APIC_ICR_HIGH, id << 24);
    apic_write(APIC_ICR, command);
    return wait_for_icr();
}

bool apic_send_init(uint32_t id)
{
    return send_to(id, ICR_INIT | ICR_LEVEL_ASSERT);
}

bool apic_send_startup(uint32_t id, uint8_t page)
{
    return send_to(id, ICR_STARTUP | ICR_LEVEL_ASSERT | page);
}

bool apic_send_nmi(uint32_t id)
{
    return send_to(id, APIC_ICR_NMI);
}

/* A write makes the errors readable (F11.2: in x2APIC mode it must be 0). */
uint32_t apic_take_errors(void)
{
    apic_write(APIC_ESR, 0);
    return apic_read(APIC_ESR);
}

void apic_self_ipi(uint8_t vector)
{
    insn_mfence_lfence(); /* in x2APIC mode the command could pass stores: F11.5 */
    if (apic_mode() == APIC_MODE_X2APIC) {
        apic_write(APIC_SELF, vector);
        return;
    }
    wait_for_icr(); /* the command before is on its way: F10.36 */
    apic_write(APIC_ICR, ICR_SHORTHAND_SELF | ICR_LEVEL_ASSERT | vector);
    wait_for_icr();
}

uint64_t apic_prepare_self_nmi(void)
{
    if (apic_mode() == APIC_MODE_X2APIC)
        return apic_id();
    wait_for_icr();
    apic_write(APIC_ICR_HIGH, apic_id() << 24);
    return (uint64_t)(uintptr_t)registers + APIC_ICR;
}

/* One x2APIC register that answers stands for all. */
static bool has_x2apic_registers(void)
{
    uint64_t ignored;
    return !exception_happened(rdmsr_safe(IA32_X2APIC_BASE + (APIC_VERSION >> 4), &ignored));
}

bool apic_mode_is_locked(void)
{
    uint64_t value = 0;
    if (!cpuid_bit_value((struct cpuid_bit){7, CPUID_EDX, ARCH_CAPABILITIES}) ||
        exception_happened(rdmsr_safe(IA32_ARCH_CAPABILITIES, &value)) ||
        !(value & CAPABILITY_XAPIC_DISABLE))
        return false;
    return !exception_happened(rdmsr_safe(IA32_XAPIC_DISABLE_STATUS, &value)) &&
           (value & LEGACY_XAPIC_DISABLED);
}

/* Another processor may be locked in its mode. */
static const char *move_to(enum apic_mode wanted, uint64_t base)
{
    uint64_t moves[APIC_MOVES_MOST];
    unsigned count = apic_mode_moves(base, wanted, moves);
    if (count > 0 && (base & APIC_BASE_EXTD) && apic_mode_is_locked())
        return APIC_LOCKED;
    for (unsigned i = 0; i < count; i++)
        if (exception_happened(wrmsr_safe(IA32_APIC_BASE, moves[i])))
            return wanted == APIC_MODE_X2APIC ? "IA32_APIC_BASE refuses the move to x2APIC mode"
                                              : "IA32_APIC_BASE refuses the move to xAPIC mode";
    uint64_t now = rdmsr(IA32_APIC_BASE);
    if (!(now & APIC_BASE_EN))
        return "IA32_APIC_BASE.EN is clear and cannot be set";
    if (!(now & APIC_BASE_EXTD) != (wanted == APIC_MODE_XAPIC))
        return wanted == APIC_MODE_X2APIC ? "IA32_APIC_BASE.EXTD cannot be set"
                                          : "its local APIC stays in x2APIC mode, that of the "
                                            "processor that booted is in xAPIC mode";
    return NULL;
}

/* Maps the mode's registers. */
static const char *find_registers(enum apic_mode wanted, uint64_t base)
{
    if (wanted == APIC_MODE_X2APIC)
        return has_x2apic_registers() ? NULL
                                      : "IA32_APIC_BASE.EXTD is set, but the registers of x2APIC "
                                        "mode cannot be read";
    registers = paging_map_physical(base & APIC_BASE_ADDRESS, PAGE_SIZE, PAGE_UNCACHED);
    return registers == NULL ? "the local APIC's registers cannot be mapped" : NULL;
}

static void start(void)
{
    apic_write(APIC_SVR, APIC_SVR_ENABLE | VECTOR_SPURIOUS);
    apic_write(APIC_TPR, 0);
    apic_put_entries_right();
    pmi_is_open[this_cpu()->index] = false;
    apic_write(APIC_INITIAL, 0);
    apic_end_all();
    apic_write(APIC_ESR, 0);
    this_cpu()->apic_id = apic_id();
}

static const char *enter(enum apic_mode wanted, uint64_t base)
{
    const char *wrong = move_to(wanted, base);
    if (wrong == NULL)
        wrong = find_registers(wanted, base);
    if (wrong != NULL)
        return wrong;
    mode = wanted;
    this_cpu()->visits_x2apic = false;
    cpu_features()->present[FEATURE_APIC] = true; /* CPUID says no while EN is clear */
    if (!can_address(apic_id()))
        return "the local APIC has the id that stands for every processor";
    start();
    return NULL;
}

/*
 * INIT keeps the mode (F10.31), and firmware may have left either. After INIT the local APIC holds
 * no other state that switching it off would lose.
 */
const char *apic_init_other(void)
{
    return enter(mode, rdmsr(IA32_APIC_BASE));
}

const char *apic_visit_x2apic(void)
{
    const char *wrong = move_to(APIC_MODE_X2APIC, rdmsr(IA32_APIC_BASE));

    if (wrong == NULL) {
        this_cpu()->visits_x2apic = true;
        start();
    }
    return wrong;
}

const char *apic_init(enum apic_wish wish)
{
    uint64_t base = 0;
    if (!feature_present(FEATURE_MSR) || exception_happened(rdmsr_safe(IA32_APIC_BASE, &base)))
        return "IA32_APIC_BASE cannot be read";
    if (!feature_present(FEATURE_APIC) && (base & APIC_BASE_EN))
        return "CPUID.01H:EDX[9].APIC = 0";
    bool offers = feature_present(FEATURE_X2APIC);
    enum apic_mode wanted = apic_mode_choose(base, offers, wish);
    if (wanted != APIC_MODE_ABSENT)
        return enter(wanted, base);
    const char *wrong = enter(apic_mode_choose(base, offers, APIC_AS_FOUND), base);
    return wrong != NULL ? wrong : "x2APIC mode is asked for, but CPUID.01H:ECX[21].x2APIC = 0";
}
