/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/screen/end_page.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define COMMENT      "# "
#define MORE         "#     " /* about the line before */
#define TRAIT        "# trait: "
#define UNKNOWN      "unknown"
#define LENGTH(text) (sizeof(text) - 1)
#define TRAITS_SIZE  4096u
#define JOINED_SIZE  1024u /* of a line with those that are about it; a longer one is cut */

/* Returns the line at *at and its length, and moves *at past it; NULL if there is none. */
static const char *next_line(const struct summary *summary, size_t *at, size_t *length)
{
    const char *line = summary->log + *at;

    for (*length = 0; *at + *length < summary->log_length; ++*length) {
        if (line[*length] == '\n') {
            *at += *length + 1;
            return line;
        }
    }
    return NULL;
}

static bool begins(const char *line, size_t length, const char *with)
{
    return length >= strlen(with) && strncmp(line, with, strlen(with)) == 0;
}

static void add_joined(struct screen_flow *flow, char *text)
{
    if (text[0] != '\0')
        screen_flow_add(flow, COLOUR_PLAIN, "%s", text);
    text[0] = '\0';
}

void end_log_add(struct screen_flow *flow, const struct summary *summary)
{
    static char text[JOINED_SIZE];
    const char *line;
    size_t at = 0, length;

    text[0] = '\0';
    while ((line = next_line(summary, &at, &length)) != NULL) {
        size_t skipped = begins(line, length, MORE) ? LENGTH(MORE) : LENGTH(COMMENT);

        if (!begins(line, length, COMMENT) || begins(line, length, TRAIT))
            continue;
        if (skipped == LENGTH(COMMENT))
            add_joined(flow, text);
        format_append(text, sizeof(text), "%s%.*s", skipped == LENGTH(COMMENT) ? "" : "; ",
                      (int)(length - skipped), line + skipped);
    }
    add_joined(flow, text);
    if (summary->log_is_cut)
        screen_flow_add(flow, COLOUR_WARNING, "... and more, as the log has it");
    screen_flow_space(flow);
}

/* Length up to that character, or of the whole text. */
static size_t length_to(const char *text, size_t length, char end)
{
    size_t i = 0;

    while (i < length && text[i] != end)
        i++;
    return i;
}

/* Adds "name=value": another value of the previous name, or a new name. Ignores repetitions. */
static void add_trait(char *text, const char **before, const char *trait, size_t length)
{
    size_t name = length_to(trait, length, '=') + 1;
    bool goes_on = *before != NULL && strncmp(*before, trait, name) == 0;

    if (goes_on && strncmp(*before, trait, length) == 0)
        return;
    if (goes_on)
        format_append(text, TRAITS_SIZE, "|%.*s", (int)(length - name), trait + name);
    else
        format_append(text, TRAITS_SIZE, "%s %.*s", *before == NULL ? "" : ",", (int)length, trait);
    *before = trait;
}

static bool is_unknown(const char *trait, size_t length)
{
    return length > LENGTH(UNKNOWN) &&
           begins(trait + length - LENGTH(UNKNOWN), LENGTH(UNKNOWN), UNKNOWN);
}

void end_log_add_traits(struct screen_flow *flow, const struct summary *summary)
{
    static char text[TRAITS_SIZE];
    const char *line, *before = NULL;
    size_t at = 0, length;
    unsigned unknown = 0;

    text[0] = '\0';
    while ((line = next_line(summary, &at, &length)) != NULL) {
        const char *trait = line + LENGTH(TRAIT);

        if (!begins(line, length, TRAIT))
            continue;
        length = length_to(trait, length - LENGTH(TRAIT), ' ');
        if (is_unknown(trait, length))
            unknown++;
        else
            add_trait(text, &before, trait, length);
    }
    if (before != NULL || unknown > 0)
        screen_flow_add(flow, COLOUR_PLAIN, "traits:%s; %u unknown",
                        before == NULL ? " none" : text, unknown);
}
