/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/screen/end_page.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/report/selection.h"
#include "kernel/report/sums/sums.h"

#define MORE_SIZE    12u /* of "+120 more" */
#define COUNT_SIZE   5u  /* of " +255" */
#define CLAIM_SIZE   8u  /* of " T17-6.4" */
#define BROKEN       "\nclaims"
#define LENGTH(text) (sizeof(text) - 1)

static void format_report(char *text, const struct end_report *report)
{
    const struct machine_name *machine = report->machine;
    const struct ktap_totals *n = report->totals;

    format_string(text, END_CODE_TEXT, "btscheck %s: %s\n%s ucode 0x%x\n", machine->version,
                  ktap_verdict_name(report->verdict), machine->short_signature, machine->microcode);
    format_append(text, END_CODE_TEXT, "run %u/%u pass %u fail %u skip %u", n->run, n->planned,
                  n->pass, n->fail, n->skip);
    if (n->xfail > 0)
        format_append(text, END_CODE_TEXT, " xfail %u", n->xfail);
    if (n->timeout > 0)
        format_append(text, END_CODE_TEXT, " timeout %u", n->timeout);
    format_append(text, END_CODE_TEXT, "\ncheck %08x", report->check);
}

/* Whole sentences as fit, the first ones. */
static void add_sentences(char *text, size_t capacity)
{
    for (size_t i = 0; i < sums_kinds(); i++) {
        if (strlen(text) + 1 + strlen(sums_line(i)) > capacity)
            break;
        format_append(text, END_CODE_TEXT, "\n%s", sums_line(i));
    }
}

/* "claims BTS-1 T17-6.4 +3": as many ids as fit, and how many are left out. */
static void add_claims(char *text, size_t capacity)
{
    size_t left = 0;

    if (sums_claim(0) == NULL || strlen(text) + LENGTH(BROKEN) + CLAIM_SIZE + COUNT_SIZE > capacity)
        return;
    format_append(text, END_CODE_TEXT, BROKEN);
    for (size_t i = 0; sums_claim(i) != NULL; i++) {
        left += left > 0 || strlen(text) + 1 + strlen(sums_claim(i)) + COUNT_SIZE > capacity;
        if (left == 0)
            format_append(text, END_CODE_TEXT, " %s", sums_claim(i));
    }
    if (left > 0)
        format_append(text, END_CODE_TEXT, " +%zu", left);
}

static void add_names(char *text, const struct end_report *report, size_t capacity)
{
    const struct summary *summary = report->summary;
    unsigned named = 0;
    char name[TEST_NAME_SIZE];

    while (named < summary->failure_count) {
        test_labelled_name(summary->failures[named].test, summary->failures[named].cpu_label, name);
        if (strlen(text) + 1 + strlen(name) + (named + 1 < report->totals->fail) * MORE_SIZE >
            capacity)
            break;
        format_append(text, END_CODE_TEXT, "\n%s", name);
        named++;
    }
    if (named < report->totals->fail && strlen(text) + MORE_SIZE <= capacity)
        format_append(text, END_CODE_TEXT, "\n+%u more", report->totals->fail - named);
}

bool end_code_make(struct qr *qr, char text[END_CODE_TEXT], const struct end_report *report,
                   unsigned columns, unsigned rows)
{
    unsigned version = QR_VERSIONS;

    while (version > 0 && (END_CODE_COLUMNS(QR_SIDE(version)) > columns ||
                           END_CODE_COLUMNS(QR_SIDE(version)) > 2 * rows))
        version--;
    if (version == 0)
        return false;
    format_report(text, report);
    if (report->totals->fail > 0) { /* how many it was that failed has room in any case */
        add_sentences(text, qr_capacity(version) - MORE_SIZE);
        add_claims(text, qr_capacity(version) - MORE_SIZE);
    }
    add_names(text, report, qr_capacity(version));
    return qr_encode(qr, text, version);
}

static bool is_light(const struct qr *qr, unsigned x, unsigned y)
{
    x -= QR_QUIET; /* below 0: a large number */
    y -= QR_QUIET;
    return x >= qr->side || y >= qr->side || !qr->dark[y][x];
}

void end_code_put(struct screen_page *page, unsigned column, unsigned row, const struct qr *qr)
{
    unsigned size = END_CODE_COLUMNS(qr->side);

    for (unsigned y = 0; y < size; y++) {
        for (unsigned x = 0; x < size; x++) {
            if (is_light(qr, x, y))
                screen_page_set_halves(page, column + x, 2 * row + y, 1, COLOUR_BRIGHT);
        }
    }
}
