/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/end_page.h"

#include "kernel/claims.h"
#include "arch/lib/printf.h"
#include "kernel/selection.h"

#define CLAIMS_SIZE  (CLAIM_SET_COUNT * 10u)
#define REASON_SIZE  256u
#define SUBTEST_SIZE (CONTEXT_NAME_SIZE + 64u)
#define NO_SPARE     0u

static void add_head(struct screen_page *page, const struct end_report *report)
{
    const struct machine_name *machine = report->machine;
    const struct ktap_totals *n = report->totals;

    screen_page_add(page, ktap_verdict_colour(report->verdict), NO_SPARE,
                    "verdict: %s        btscheck %s", ktap_verdict_name(report->verdict),
                    machine->version);
    screen_page_add(page, COLOUR_PLAIN, NO_SPARE, "cpu: %s, hypervisor: %s", machine->cpu,
                    machine->hypervisor);
    screen_page_add(page, COLOUR_PLAIN, NO_SPARE, "signature: %s, microcode 0x%08x",
                    machine->signature, machine->microcode);
    screen_page_add(page, COLOUR_PLAIN, NO_SPARE,
                    "tests: %u planned, %u run: %u passed, %u failed, %u skipped, %u known errata",
                    n->planned, n->run, n->pass, n->fail, n->skip, n->xfail);
    if (n->timeout > 0)
        screen_page_add(page, COLOUR_BAD, NO_SPARE,
                        "starved: %u, which had too little time to end: nothing is known of them",
                        n->timeout);
}

/* "; 3 subtests failed, first: encoding_7", or "" */
static const char *format_subtests(const struct failure *failure, char text[SUBTEST_SIZE])
{
    text[0] = '\0';
    if (failure->subtests > 0)
        format_string(text, SUBTEST_SIZE, "; %u subtest%s failed, first: %s", failure->subtests,
                      failure->subtests > 1 ? "s" : "", failure->subtest);
    return text;
}

static bool add_failure(struct screen_page *page, const struct failure *failure, unsigned spare)
{
    char name[TEST_NAME_SIZE];
    char claims[CLAIMS_SIZE];
    char subtests[SUBTEST_SIZE];

    return screen_page_add(
        page, COLOUR_BAD, spare, "failed: %s; claims:%s%s", test_full_name(failure->test, name),
        failure->broken.count == 0 ? " none"
                                   : claim_set_format(&failure->broken, claims, sizeof(claims)),
        format_subtests(failure, subtests));
}

/* Each but the last leaves a row, for the number of those that found no room. */
static void add_failures(struct screen_page *page, const struct end_report *report)
{
    const struct summary *summary = report->summary;
    unsigned failed = report->totals->fail;
    unsigned shown = 0;

    while (shown < summary->failure_count &&
           add_failure(page, &summary->failures[shown], shown + 1 < failed))
        shown++;
    if (shown < failed)
        screen_page_add(page, COLOUR_BAD, NO_SPARE, "... and %u more", failed - shown);
}

/* What has no row of its own is counted in the last one. */
static void add_skips(struct screen_page *page, const struct summary *summary)
{
    unsigned rest = summary->other_skips;
    char reason[REASON_SIZE];

    for (unsigned i = 0; i < FEATURE_COUNT; i++) {
        if (summary->missing[i] == 0)
            continue;
        feature_missing_reason((enum feature)i, reason, sizeof(reason));
        if (!screen_page_add(page, COLOUR_WARNING, 1, "skipped: %u, %s: %s", summary->missing[i],
                             feature_name((enum feature)i), reason))
            rest += summary->missing[i];
    }
    if (rest > 0)
        screen_page_add(page, COLOUR_WARNING, NO_SPARE, "skipped: %u, as each says in the log",
                        rest);
}

static void add_backtrace(struct screen_page *page, const struct crash *crash)
{
    unsigned shown = 0;

    while (shown < crash->depth &&
           screen_page_add(page, COLOUR_PLAIN, shown + 1 < crash->depth, "%s %pS",
                           shown == 0 ? "at        " : "called by ",
                           (void *)crash->backtrace[shown]))
        shown++;
    if (shown < crash->depth)
        screen_page_add(page, COLOUR_PLAIN, NO_SPARE, "... and %u more", crash->depth - shown);
}

#define ADD_ROW(page, ...) screen_page_add(page, COLOUR_PLAIN, NO_SPARE, __VA_ARGS__)

/* Those first that tell most: the last rows may find no room. */
static void add_registers(struct screen_page *page, const struct crash *crash)
{
    const struct trap_frame *f = &crash->frame;

    ADD_ROW(page, "rip %016lx  rsp %016lx  rflags %016lx", f->rip, f->rsp, f->rflags);
    ADD_ROW(page, "cr0 %016lx  cr2 %016lx  cr3 %016lx", crash->cr0, crash->cr2, crash->cr3);
    ADD_ROW(page, "cr4 %016lx  cs  %016lx  ss  %016lx", crash->cr4, f->cs, f->ss);
    ADD_ROW(page, "rax %016lx  rbx %016lx  rcx %016lx", f->rax, f->rbx, f->rcx);
    ADD_ROW(page, "rdx %016lx  rsi %016lx  rdi %016lx", f->rdx, f->rsi, f->rdi);
    ADD_ROW(page, "rbp %016lx  r8  %016lx  r9  %016lx", f->rbp, f->r8, f->r9);
    ADD_ROW(page, "r10 %016lx  r11 %016lx  r12 %016lx", f->r10, f->r11, f->r12);
    ADD_ROW(page, "r13 %016lx  r14 %016lx  r15 %016lx", f->r13, f->r14, f->r15);
}

static void add_crash(struct screen_page *page, const struct crash *crash)
{
    screen_page_add(page, COLOUR_BAD, NO_SPARE, "crash: %s", crash->reason);
    if (crash->test != NULL)
        screen_page_add(page, COLOUR_BAD, NO_SPARE, "test: %s", crash->test);
    add_backtrace(page, crash);
    if (crash->has_frame)
        add_registers(page, crash);
}

void end_page_fill(struct screen_page *page, const struct end_report *report)
{
    add_head(page, report);
    if (report->crash != NULL)
        add_crash(page, report->crash);
    add_failures(page, report);
    add_skips(page, report->summary);
}
