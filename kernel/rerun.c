/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/rerun.h"

#include "kernel/options.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/words.h"

static const char *command_line = "";

void rerun_set_command_line(const char *line)
{
    command_line = line;
}

/* Does the word of so many characters begin with that? */
static bool begins(const char *word, size_t length, const char *with)
{
    return length >= strlen(with) && strncmp(word, with, strlen(with)) == 0;
}

/*
 * The tests are named otherwise, the seed is known better, a lab says itself what it can do. Where
 * the log goes and how the run ends changes nothing that a test finds.
 */
static bool matters(const char *word, size_t length, bool is_first)
{
    static const char *const never[] = {"test=", "seed=", "console=", "exit="};

    for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
        if (begins(word, length, never[i]))
            return false;
    }
    if (begins(word, length, "lab="))
        return length == strlen("lab=none") && begins(word, length, "lab=none");
    return !is_first || !begins(word, length, "repeat=");
}

/* The words that matter, each with a blank before it; returns how many. */
static size_t add_words(bool is_first, char *text, size_t size)
{
    size_t count = 0, used = 0, length;

    for (const char *word = command_line; *word != '\0'; word += length) {
        length = 0;
        if (words_is_blank(*word)) {
            length = 1;
            continue;
        }
        while (word[length] != '\0' && !words_is_blank(word[length]))
            length++;
        if (!matters(word, length, is_first) || used >= size)
            continue;
        used += (size_t)format_string(text + used, size - used, " %.*s", (int)length, word);
        count++;
    }
    return count;
}

char *rerun_options(uint64_t seed, bool is_first, char *text, size_t size)
{
    char words[OPTIONS_TEXT_SIZE] = "";
    size_t count = add_words(is_first, words, sizeof(words));

    if (seed != OPTIONS_SEED) {
        format_string(words + strlen(words), sizeof(words) - strlen(words), " seed=0x%lx", seed);
        count++;
    }
    text[0] = '\0';
    if (count == 1)
        format_string(text, size, " ARGS=%s", words + 1);
    else if (count > 1)
        format_string(text, size, " ARGS='%s'", words + 1);
    return text;
}
