/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/screen/end_page.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/report/selection.h"

#define MORE_SIZE 12u /* of "+120 more" */

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
