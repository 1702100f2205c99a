/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/context.h"

#include "kernel/settings.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "arch/lib/words.h"

static const char *command_line = "";

void rerun_set_command_line(const char *line)
{
    command_line = line;
}

static bool begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

/*
 * The tests are named otherwise, the seed is known better, a lab says itself what it can do. Where
 * the log goes and how the run ends changes nothing that a test finds.
 */
static bool matters(const char *word, uint64_t repeat)
{
    static const char *const never[] = {"test=", "seed=", "console=", "exit=", "retest="};
    uint64_t times; /* a soak has none: its draws have a repetition of their own */

    for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
        if (begins(word, never[i]))
            return false;
    }
    if (begins(word, "lab="))
        return strcmp(word, "lab=none") == 0;
    return !begins(word, "repeat=") ||
           (repeat == 0 && words_number(word + strlen("repeat="), &times));
}

char *rerun_options(uint64_t seed, uint64_t repeat, char *text, size_t size)
{
    char line[OPTIONS_TEXT_SIZE], words[OPTIONS_TEXT_SIZE] = "";
    char *rest = line, *word;
    size_t count = 0;

    format_string(line, sizeof(line), "%s", command_line);
    while ((word = words_of_line(&rest)) != NULL) {
        if (!matters(word, repeat))
            continue;
        format_append(words, sizeof(words), " %s", word);
        count++;
    }
    if (repeat > 1) {
        format_append(words, sizeof(words), " repeat=%lu", repeat);
        count++;
    }
    if (seed != OPTIONS_SEED) {
        format_append(words, sizeof(words), " seed=0x%lx", seed);
        count++;
    }
    text[0] = '\0';
    if (count == 1)
        format_string(text, size, " ARGS=%s", words + 1);
    else if (count > 1)
        format_string(text, size, " ARGS='%s'", words + 1);
    return text;
}
