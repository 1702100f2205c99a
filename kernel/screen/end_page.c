/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/screen/end_page.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/report/findings.h"
#include "arch/lib/words.h"

#define CLAIMS_SIZE   (CLAIM_SET_COUNT * 10u)
#define REASON_SIZE   256u
#define SUBTEST_SIZE  (CONTEXT_NAME_SIZE + 64u)
#define NUMBER_SIZE   80u
#define KEYS          "r: restart"
#define KEYS_TO_TURN  "left: back, r: restart, other keys: more"
#define KEYS_IN_SHORT "any key: more" /* behind a foot that says much */

#define HEAD_ROWS    2u /* the bar and an empty row */
#define FOOT_ROWS    1u
#define ROWS_A_SIZE  16u /* screen rows for each size of the verdict's letters */
#define TOTALS_WIDTH 26u /* columns */
#define FAILURE_ROWS 4u  /* of most failures, findings included */
#define BETWEEN      3u  /* columns between two parts */
#define BESIDE_LEAST 70u /* columns left beside a QR code on the first page */
#define ALONE_LEAST  31u /* columns left on the code's own page */

struct pages {
    const struct end_report *report;
    struct screen_page *page;
    struct screen_flow flow;
    unsigned columns; /* of this page, left of a QR code */
    struct qr qr;
    char text[END_CODE_TEXT];  /* that it holds */
    bool has_qr, qr_is_beside; /* qr_is_beside: on the first page, else on its own */
};

/* --- the lines that flow over the pages --- */

/* ", 2 starved", which prove nothing */
static const char *format_starved(const struct ktap_totals *n, char text[NUMBER_SIZE])
{
    text[0] = '\0';
    if (n->timeout > 0)
        format_string(text, NUMBER_SIZE, ", %u starved", n->timeout);
    return text;
}

static void add_totals(struct screen_flow *flow, const struct ktap_totals *n)
{
    char starved[NUMBER_SIZE];

    screen_flow_add(flow, COLOUR_PLAIN,
                    "%u of %u tests run: %u passed, %u failed, %u skipped, %u known errata%s",
                    n->run, n->planned, n->pass, n->fail, n->skip, n->xfail,
                    format_starved(n, starved));
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

static void add_failure(struct screen_flow *flow, const struct failure *failure)
{
    char name[TEST_NAME_SIZE];
    char claims[CLAIMS_SIZE];
    char subtests[SUBTEST_SIZE];

    screen_flow_need(flow, FAILURE_ROWS);
    screen_flow_add(flow, COLOUR_BAD, "failed: %s; claims:%s%s",
                    test_labelled_name(failure->test, failure->cpu_label, name),
                    failure->broken.count == 0
                        ? " none"
                        : claim_set_format(&failure->broken, claims, sizeof(claims)),
                    format_subtests(failure, subtests));
    if (failure->finding[0] != '\0')
        screen_flow_add(flow, COLOUR_PLAIN, "found: %s", failure->finding);
}

static void add_failures(struct screen_flow *flow, const struct end_report *report)
{
    const struct summary *summary = report->summary;

    for (unsigned i = 0; i < summary->failure_count; i++)
        add_failure(flow, &summary->failures[i]);
    if (summary->failure_count < report->totals->fail)
        screen_flow_add(flow, COLOUR_BAD, "... and %u more, as the log has them",
                        report->totals->fail - summary->failure_count);
    screen_flow_space(flow);
}

static void add_skips(struct screen_flow *flow, const struct summary *summary)
{
    char reason[REASON_SIZE];

    for (unsigned i = 0; i < FEATURE_COUNT; i++) {
        if (summary->missing[i] == 0)
            continue;
        feature_missing_reason((enum feature)i, reason, sizeof(reason));
        screen_flow_add(flow, COLOUR_WARNING, "skipped: %u, %s: %s", summary->missing[i],
                        feature_name((enum feature)i), reason);
    }
    if (summary->other_skips > 0)
        screen_flow_add(flow, COLOUR_WARNING, "skipped: %u, as each says in the log",
                        summary->other_skips);
    screen_flow_space(flow);
}

static void add_backtrace(struct screen_flow *flow, const struct crash *crash)
{
    for (unsigned i = 0; i < crash->depth; i++)
        screen_flow_add(flow, COLOUR_PLAIN, "%s %pS", i == 0 ? "at        " : "called by ",
                        (void *)crash->backtrace[i]);
}

#define ADD_ROW(flow, ...) screen_flow_add(flow, COLOUR_PLAIN, __VA_ARGS__)

/* The most telling first, because the last rows may be on another page. */
static void add_registers(struct screen_flow *flow, const struct crash *crash)
{
    const struct trap_frame *f = &crash->frame;

    ADD_ROW(flow, "rip %016lx  rsp %016lx  rflags %016lx", f->rip, f->rsp, f->rflags);
    ADD_ROW(flow, "cr0 %016lx  cr2 %016lx  cr3 %016lx", crash->cr0, crash->cr2, crash->cr3);
    ADD_ROW(flow, "cr4 %016lx  cs  %016lx  ss  %016lx", crash->cr4, f->cs, f->ss);
    ADD_ROW(flow, "rax %016lx  rbx %016lx  rcx %016lx", f->rax, f->rbx, f->rcx);
    ADD_ROW(flow, "rdx %016lx  rsi %016lx  rdi %016lx", f->rdx, f->rsi, f->rdi);
    ADD_ROW(flow, "rbp %016lx  r8  %016lx  r9  %016lx", f->rbp, f->r8, f->r9);
    ADD_ROW(flow, "r10 %016lx  r11 %016lx  r12 %016lx", f->r10, f->r11, f->r12);
    ADD_ROW(flow, "r13 %016lx  r14 %016lx  r15 %016lx", f->r13, f->r14, f->r15);
}

static void add_crash(struct screen_flow *flow, const struct crash *crash)
{
    screen_flow_add(flow, COLOUR_BAD, "crash: %s", crash->reason);
    if (crash->test != NULL)
        screen_flow_add(flow, COLOUR_BAD, "test: %s", crash->test);
    add_backtrace(flow, crash);
    if (crash->has_frame)
        add_registers(flow, crash);
    screen_flow_space(flow);
}

static void add_lines(struct pages *pages, bool has_totals)
{
    const struct end_report *report = pages->report;
    struct screen_flow *flow = &pages->flow;

    if (report->crash != NULL)
        add_crash(flow, report->crash);
    if (!has_totals && report->totals->planned > 0)
        add_totals(flow, report->totals);
    machine_add_lines(flow, report->machine, true);
    screen_flow_space(flow);
    end_broken_add(flow);
    end_grid_add(flow, report->progress);
    end_claims_add(flow);
    add_failures(flow, report);
    end_log_add(flow, report->summary);
    add_skips(flow, report->summary);
    end_log_add_traits(flow, report->summary);
    if (!pages->has_qr)
        screen_flow_add(flow, COLOUR_QUIET, "no QR code: the screen has no room for one");
}

/* --- what stands at its place --- */

static enum console_colour bar_colour(enum verdict verdict)
{
    enum console_colour colour = ktap_verdict_colour(verdict);

    return colour == COLOUR_GOOD  ? COLOUR_ON_GOOD
           : colour == COLOUR_BAD ? COLOUR_ON_BAD
                                  : COLOUR_ON_WARNING;
}

static void put_bar(struct pages *pages, unsigned number, unsigned count)
{
    const struct end_report *report = pages->report;
    enum console_colour colour = bar_colour(report->verdict);
    char version[NUMBER_SIZE], text[NUMBER_SIZE] = "";
    unsigned column, end = pages->columns - 1;

    format_string(version, sizeof(version), "btscheck %s", report->machine->version);
    if (count > 1)
        format_string(text, sizeof(text), "page %u of %u", number + 1, count);
    screen_page_fill(pages->page, 0, 0, pages->columns, ' ', colour);
    column = screen_page_put(pages->page, 1, 0, colour, "verdict: %s",
                             ktap_verdict_name(report->verdict));
    if (column + strlen(version) + strlen(text) + 2 * BETWEEN <= end)
        screen_page_put(pages->page, column + BETWEEN, 0, colour, "%s", version);
    screen_page_put_right(pages->page, end, 0, colour, text);
}

/* What the keys do, in no more than so many columns; "" before they do it. */
static const char *keys(const struct pages *pages, unsigned count, unsigned columns)
{
    const char *text = count > 1 ? KEYS_TO_TURN : KEYS;

    if (count > 1 && strlen(text) > columns)
        text = KEYS_IN_SHORT;
    return pages->report->has_keys && strlen(text) <= columns ? text : "";
}

/* Adds the keys if both fit. The code above it leaves room for the whole row. */
static void put_foot(struct pages *pages, unsigned count)
{
    unsigned row = pages->page->rows - 1, code = (END_CODE_COLUMNS(pages->qr.side) + 1) / 2;
    unsigned columns = pages->qr_is_beside && code > row ? pages->columns : pages->page->columns;
    unsigned column;

    screen_page_fill(pages->page, 0, row, columns, ' ', COLOUR_ON_BAR);
    column = screen_page_put(pages->page, 1, row, COLOUR_ON_BAR, "%s", pages->report->foot);
    column += BETWEEN + 1;
    screen_page_put_right(pages->page, columns - 1, row, COLOUR_ON_BAR,
                          keys(pages, count, column < columns ? columns - column : 0));
}

/* Smaller letters after a crash, to leave rows for its report. */
static unsigned verdict_size(const struct pages *pages, const char *verdict, unsigned columns)
{
    unsigned size = pages->page->rows / ROWS_A_SIZE;

    if (size > 0 && pages->report->crash != NULL)
        size--;
    while (size > 0 && SCREEN_BIG_COLUMNS(strlen(verdict), size) + 1 > columns)
        size--;
    return size;
}

static void put_totals(struct screen_page *page, unsigned column, const struct ktap_totals *n)
{
    unsigned row = HEAD_ROWS;
    char starved[NUMBER_SIZE];

    screen_page_put(page, column, row++, COLOUR_PLAIN, "%4u of %u tests run", n->run, n->planned);
    screen_page_put(page, column, row++, COLOUR_GOOD, "%4u passed", n->pass);
    screen_page_put(page, column, row++, n->fail > 0 ? COLOUR_BAD : COLOUR_PLAIN, "%4u failed",
                    n->fail);
    screen_page_put(page, column, row++, COLOUR_PLAIN, "%4u skipped", n->skip);
    screen_page_put(page, column, row++, COLOUR_PLAIN, "%4u known errata%s", n->xfail,
                    format_starved(n, starved));
}

/* Returns whether the totals fit beside the verdict. */
static bool put_verdict(struct pages *pages, unsigned columns, unsigned size)
{
    const struct end_report *report = pages->report;
    const char *verdict = ktap_verdict_name(report->verdict);
    unsigned width = 1 + (unsigned)SCREEN_BIG_COLUMNS(strlen(verdict), size);
    bool fits =
        size > 0 && width + BETWEEN + TOTALS_WIDTH <= columns && report->totals->planned > 0;

    if (pages->flow.displayed > 0)
        return fits;
    screen_page_put_big(pages->page, 1, HEAD_ROWS, size, ktap_verdict_colour(report->verdict),
                        verdict);
    if (fits)
        put_totals(pages->page, width + BETWEEN, report->totals);
    return fits;
}

/* --- the pages --- */

static bool make_qr(struct pages *pages, unsigned left)
{
    const struct screen_page *page = pages->page;

    return page->columns > left &&
           end_code_make(&pages->qr, pages->text, pages->report, page->columns - left, page->rows);
}

static void find_room_for_qr(struct pages *pages)
{
    pages->qr_is_beside = make_qr(pages, BESIDE_LEAST);
    pages->has_qr = pages->qr_is_beside || make_qr(pages, ALONE_LEAST);
}

static unsigned columns_beside_qr(const struct pages *pages)
{
    return pages->page->columns - END_CODE_COLUMNS(pages->qr.side);
}

/* Returns the number of pages for the lines. */
static unsigned fill_lines(struct pages *pages, unsigned number)
{
    struct screen_page *page = pages->page;
    unsigned columns = pages->qr_is_beside ? columns_beside_qr(pages) - 1 : page->columns;
    unsigned fixed = HEAD_ROWS + FOOT_ROWS, rows = page->rows > fixed ? page->rows - fixed : 0;
    unsigned size = verdict_size(pages, ktap_verdict_name(pages->report->verdict), columns);
    unsigned top = size > 0 ? SCREEN_BIG_ROWS(size) + 1 : 0;

    pages->flow = (struct screen_flow){
        .page = page,
        .displayed = number,
        .first = {1, HEAD_ROWS + top, columns - 1, rows - top},
        .others = {1, HEAD_ROWS, page->columns - 1, rows},
    };
    pages->columns = number == 0 ? columns : page->columns;
    add_lines(pages, put_verdict(pages, columns, size));
    return pages->flow.number + 1;
}

/* The code's own page has its content as text beside it, and the foot. */
static void put_code_page(struct pages *pages, unsigned count)
{
    const struct screen_window window = {1, HEAD_ROWS, pages->columns - 2,
                                         pages->page->rows - HEAD_ROWS};
    struct screen_flow flow = {.page = pages->page, .first = window, .others = window};

    for (char *text = pages->text, *line; (line = text) != NULL;) {
        text = words_cut(line, '\n');
        screen_flow_add(&flow, COLOUR_PLAIN, "%s", line);
    }
    screen_flow_space(&flow);
    screen_flow_add(&flow, COLOUR_PLAIN, "%s", pages->report->foot);
    if (pages->report->has_keys)
        screen_flow_add(&flow, COLOUR_PLAIN, "%s", keys(pages, count, sizeof(KEYS_TO_TURN) - 1));
}

unsigned end_page_fill(struct screen_page *page, const struct end_report *report, unsigned number)
{
    static struct pages pages;
    unsigned lines, count;

    pages = (struct pages){.report = report, .page = page};
    find_room_for_qr(&pages);
    lines = fill_lines(&pages, number);
    count = lines + (pages.has_qr && !pages.qr_is_beside);
    if (pages.has_qr && number == (pages.qr_is_beside ? 0 : lines)) {
        pages.columns = columns_beside_qr(&pages);
        end_code_put(page, pages.columns, 0, &pages.qr);
    }
    if (number == lines)
        put_code_page(&pages, count);
    else
        put_foot(&pages, count);
    put_bar(&pages, number, count);
    return count;
}
