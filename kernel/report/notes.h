/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that are printed only if the test fails. */
#ifndef KERNEL_REPORT_NOTES_H
#define KERNEL_REPORT_NOTES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#define NOTES_SIZE 16384u /* bytes of diagnostics kept for one test */
#define NOTE_SIZE  400u   /* bytes of a line; a longer one is cut */

struct notes {
    char text[NOTES_SIZE]; /* finished lines */
    size_t length;
    unsigned dropped; /* lines without room */
};

/* Formats and keeps one line, cut to NOTE_SIZE. */
void notes_add(struct notes *notes, const char *format, va_list arguments);

/* Appends the lines of others, as many as fit. */
void notes_append(struct notes *notes, const struct notes *others);

/* Prints the lines from byte start on as comments of this level, and forgets them. */
void notes_flush(struct notes *notes, unsigned level, size_t start);

/* Is this the first call with this text in the run, as far as there is room to remember? */
bool notes_first_time(const char *text);

#endif
