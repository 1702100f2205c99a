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
    unsigned dropped; /* lines that found no room */
};

/* Formats one line and keeps it; one that is too long is cut. */
void notes_add(struct notes *notes, const char *format, va_list arguments);

/* Behind its own lines those of others, as many as find room. */
void notes_append(struct notes *notes, const struct notes *others);

/* Prints the lines from the byte start on as comments of that level, and forgets them. */
void notes_flush(struct notes *notes, unsigned level, size_t start);

/* Whether it is asked about this text for the first time in the run, as far as can be kept. */
bool notes_first_time(const char *text);

#endif
