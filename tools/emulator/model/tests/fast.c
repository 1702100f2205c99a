// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fast path and the long way side by side: two processors go through the same work, drawn by
 * chance, one of them by the fast path wherever that is usable. Nothing that is in either of them,
 * or in its memory, may differ after any step.
 */
#include "fast.h"

#include <stddef.h>

#include "check.h"
#include "machine.h"
#include "processors.h"

#define STEPS    1200 /* for each profile, with and without variations */
#define BURST    40   /* branches at most */
#define PAGE     0x1000u
#define STATUSES 4u
#define LOG      (1ull << 35) /* of IA32_PERFEVTSELx: into the next entry's INFO */

#define UPPER_HALF 0xffff800000000000ull

static struct machine slow, quick;
static struct ds_fast settled;
static bool is_settled, in_64_bit_mode;
static unsigned cpl;
static uint64_t state, taken; /* of the generator; branches that took the fast path */

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % below;
}

/* As the emulator's TLB: within a page, and now and then it has to be filled first. */
static uint8_t *find(void *opaque, uint64_t linear, size_t size)
{
    struct machine *machine = opaque;
    bool inside = linear >= machine->base && linear - machine->base <= MEMORY_SIZE - size;
    bool in_hole = linear < machine->hole_end && linear + size > machine->hole_start;
    bool in_page = linear / PAGE == (linear + size - 1) / PAGE;

    return inside && !in_hole && in_page && draw(16) ? machine->memory + (linear - machine->base)
                                                     : NULL;
}

static uint64_t tsc(void *opaque)
{
    return ((struct machine *)opaque)->tsc;
}

static void branch(const struct ds_branch *branch)
{
    ds_branch(&slow.cpu, &slow.host, branch);
    if (!is_settled && in_64_bit_mode) {
        ds_fast_settle(&quick.cpu, cpl, &settled);
        is_settled = true;
    }
    if (is_settled && settled.usable && branch->kind < DS_BRANCH_FAR &&
        ds_fast_branch(&quick.cpu, &settled, branch, find, tsc, &quick)) {
        taken++;
        return;
    }
    ds_branch(&quick.cpu, &quick.host, branch);
    is_settled = false;
}

/* --- what may happen, to both alike --- */

static void near_branches(void)
{
    for (uint64_t n = draw(BURST); n > 0; n--) {
        uint64_t half = draw(2) ? 0 : UPPER_HALF;
        struct ds_branch one = {.from = half | machine_from((unsigned)draw(12)),
                                .to = half | machine_to((unsigned)draw(6)),
                                .old_cpl = (uint8_t)cpl,
                                .new_cpl = (uint8_t)cpl,
                                .length = (uint8_t)draw(8),
                                .kind = draw(DS_BRANCH_FAR)};

        one.to = draw(6) ? one.to : one.from + one.length; /* the next instruction */
        slow.tsc += draw(8) ? draw(300) : draw(0x20000);
        quick.tsc = slow.tsc;
        branch(&one);
    }
}

static void event(void)
{
    unsigned old = cpl;
    struct ds_branch one = {.from = machine_from(1), .to = machine_to(2), .length = 2};

    one.kind = DS_BRANCH_FAR + draw(DS_BRANCH_DEBUG_EXCEPTION - DS_BRANCH_FAR + 1);
    cpl = draw(2) ? 3 : 0;
    one.old_cpl = (uint8_t)old;
    one.new_cpl = (uint8_t)cpl;
    branch(&one);
}

/* One that this processor lacks faults on both. */
static void write(uint32_t msr, uint64_t value)
{
    CHECK_EQUAL(ds_msr_write(&quick.cpu, &quick.host, msr, value),
                ds_msr_write(&slow.cpu, &slow.host, msr, value));
}

static void write_debugctl(void)
{
    uint64_t bits = draw(2) ? TR | BTS : draw(4) ? LBR : TR | BTS | LBR;

    bits |= draw(3) ? 0 : BTINT;
    bits |= draw(4) ? 0 : OFF_OS;
    bits |= draw(4) ? 0 : OFF_USR;
    bits |= draw(12) ? 0 : BTF;
    bits |= draw(8) ? 0 : FREEZE_LBRS | FREEZE_PERFMON;
    write(IA32_DEBUGCTL, bits);
}

static void write_stack(void)
{
    uint64_t kinds = draw(0x80) << 16;

    write(MSR_LBR_SELECT, draw(2) ? 0 : draw(0x200) | (draw(6) ? 0 : 0x200));
    write(IA32_LBR_CTL, draw(2) ? 0x7f0007 : 1 | draw(4) << 1 | (draw(6) ? 0 : 8) | kinds);
    if (draw(3) == 0) {
        write(IA32_LBR_DEPTH, 8 * (1 + draw(4)));
    }
}

static void write_counters(void)
{
    static const uint64_t statuses[STATUSES] = {LBR_FRZ, CTR_FRZ, OVFBUF, 0};

    write(IA32_PERFEVTSEL0, draw(4) ? 0 : COUNT_INT | (draw(2) ? BRANCHES : INSTRUCTIONS));
    write(IA32_PERF_GLOBAL_CTRL, draw(2));
    write(IA32_PERF_GLOBAL_STATUS_SET, statuses[draw(STATUSES)]);
    if (draw(3)) {
        write(IA32_PERF_GLOBAL_STATUS_RESET, ~0ull >> 1 & ~(7ull << 59) & ~(1ull << 61));
        write(IA32_PERF_GLOBAL_STATUS_RESET, LBR_FRZ);
    }
}

static void poke(uint64_t address, uint64_t value)
{
    machine_poke(&slow, address, 8, value);
    machine_poke(&quick, address, 8, value);
}

/* A buffer of a few records, of one page's end, or of much room; any index, also off the records.
 */
static void move_buffer(void)
{
    uint64_t area = AREA_ADDRESS + (draw(4) ? 0 : draw(64));
    uint64_t base = BTS_ADDRESS + (draw(2) ? 0 : PAGE - draw(64));
    uint64_t records = draw(2) ? draw(5) : draw(60), size = FAST_RECORD;

    poke(area, base);
    poke(area + 8, base + (draw(3) ? size * draw(records + 1) : draw(size * (records + 2))));
    poke(area + 16, base + size * records + draw(2));
    poke(area + 24, base + (draw(2) ? size * draw(records + 2) : draw(size * (records + 2))));
    write(IA32_DS_AREA, area);
}

static void move_hole(void)
{
    slow.hole_start = BTS_ADDRESS + draw(PAGE);
    slow.hole_end = draw(2) ? slow.hole_start : slow.hole_start + draw(64);
    quick.hole_start = slow.hole_start;
    quick.hole_end = slow.hole_end;
}

static void change_mode(void)
{
    in_64_bit_mode = draw(4);
    ds_set_long_mode(&slow.cpu, in_64_bit_mode || draw(2));
    ds_set_long_mode(&quick.cpu, slow.cpu.long_mode_active);
}

static void smm(void)
{
    if (slow.cpu.in_smm) {
        ds_smm_leave(&slow.cpu);
        ds_smm_leave(&quick.cpu);
    } else {
        ds_smm_enter(&slow.cpu);
        ds_smm_enter(&quick.cpu);
    }
}

/* RDMSR is no event, but who uses a counter may have come in between. */
static void reads(void)
{
    uint64_t a = 0, b = 0;

    CHECK_EQUAL(ds_msr_read(&quick.cpu, IA32_PMC0, &b), ds_msr_read(&slow.cpu, IA32_PMC0, &a));
}

static void instructions(void)
{
    machine_run(&slow, 3);
    machine_run(&quick, 3);
}

/* They are logged, and the counter has stopped when the next branch comes. */
static void logged_events(void)
{
    write(IA32_PERFEVTSEL0, LOG | COUNT | INSTRUCTIONS);
    write(IA32_PERF_GLOBAL_CTRL, 1);
    instructions();
    write(IA32_PERFEVTSEL0, 0);
}

static void step(void)
{
    static void (*const others[])(void) = {
        event,        write_debugctl, write_debugctl, write_stack, write_counters,
        move_buffer,  move_buffer,    move_hole,      change_mode, smm,
        instructions, reads,          logged_events,  move_buffer, move_buffer};

    near_branches();
    is_settled = false;
    others[draw(sizeof(others) / sizeof(others[0]))]();
    is_settled = false;
}

/* --- two of one kind, and whether they still are --- */

static bool differ(size_t first, size_t end)
{
    return memcmp((const char *)&slow.cpu + first, (const char *)&quick.cpu + first, end - first);
}

/* But for what faults remember, and the time of the newest entry, which not every format tells. */
static bool are_alike(void)
{
    size_t time = offsetof(struct ds_cpu, lbr_tsc);

    return !differ(0, time) &&
           !differ(time + sizeof(uint64_t), offsetof(struct ds_cpu, fault_memory)) &&
           !differ(offsetof(struct ds_cpu, errata), sizeof(struct ds_cpu)) &&
           memcmp(slow.memory, quick.memory, MEMORY_SIZE) == 0 && slow.pmis == quick.pmis;
}

static void vary(struct ds_variation *variation, unsigned one_in)
{
    for (size_t i = 0; i < ds_variation_count; i++) {
        const struct ds_variation_info *info = &ds_variations[i];
        uint32_t most = info->maximum;

        for (uint32_t n = 0; info->choices && info->choices[n]; n++) {
            most = n;
        }
        if (draw(one_in) == 0) {
            *(uint32_t *)((char *)variation + info->offset) = (uint32_t)draw(most + 1);
        }
    }
}

/* Some show only where two come together, others where few do. */
static void vary_all(struct ds_variation *variation)
{
    vary(variation, draw(2) ? 24 : 6);
    variation->ler_without_lbr |= draw(3) == 0;
    variation->call_next_left_out |= draw(3) == 0;
    variation->lbr_undefined = draw(3) ? variation->lbr_undefined : (uint32_t)draw(3);
    if (draw(2)) {
        variation->limit = DS_LIMIT_B + (uint32_t)draw(3);
        variation->wrap = (uint32_t)draw(2);
        variation->pmi_late = draw(2) ? (uint32_t)draw(10) : 0;
    }
}

static void start(unsigned profile, bool varied)
{
    machine_start(&slow);
    slow.cpu.profile = processor(profile);
    if (varied) {
        vary_all(&slow.cpu.variation);
        slow.cpu.profile.firmware_counters = draw(8) == 0;
    }
    ds_reset(&slow.cpu);
    ds_set_long_mode(&slow.cpu, true);
    memcpy(&quick, &slow, sizeof(quick));
    quick.host.opaque = &quick;
    in_64_bit_mode = true;
    is_settled = false;
    cpl = 0;
}

static void run(unsigned profile, bool varied)
{
    start(profile, varied);
    for (unsigned n = 0; n < STEPS; n++) {
        uint64_t seed = state;

        step();
        if (!are_alike()) {
            CHECK_EQUAL(seed, 0); /* tells it */
            CHECK_EQUAL(profile, n);
            return;
        }
    }
    CHECK(are_alike());
}

static void test_plain(void)
{
    for (unsigned i = 0; i < PROCESSORS; i++) {
        uint64_t before = taken;

        state = 0x9e3779b97f4a7c15ull + i;
        run(i, false);
        CHECK(taken > before + STEPS);
    }
}

static void test_varied(void)
{
    for (unsigned i = 0; i < 6 * PROCESSORS; i++) {
        state = 0xd1b54a32d192ed03ull + i;
        run(i % PROCESSORS, true);
    }
}

static bool is_usable(void)
{
    ds_fast_settle(&slow.cpu, 0, &settled);
    return settled.usable;
}

/* A processor that is not plain has no fast path. */
static void test_not_usable(void)
{
    machine_start(&slow);
    machine_bts(&slow, 10, 0, 20);
    machine_debugctl(&slow, TR | BTS);
    CHECK(is_usable() && settled.stores);
    slow.cpu.faults.some = true;
    CHECK(!is_usable());
    slow.cpu.faults.some = false;
    ds_set_long_mode(&slow.cpu, false);
    CHECK(!is_usable());
}

static void test_stack_of_no_depth(void)
{
    start(PROCESSORS - 1, false);
    write(IA32_LBR_CTL, 0x7f0007);
    slow.cpu.lbr_timed = true;
    CHECK(is_usable());
    slow.cpu.lbr_depth = 0;
    CHECK(!is_usable());
}

const struct test fast_tests[] = {{"fast path: same as the long way", test_plain},
                                  {"fast path: same with variations", test_varied},
                                  {"fast path: not with faults and errata", test_not_usable},
                                  {"fast path: not without an entry", test_stack_of_no_depth},
                                  {0}};
