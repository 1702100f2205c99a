/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Would the kernel understand this command line? Its own parser says so, compiled for the host. */
#include <stdio.h>

#include "arch/lib/printf.h"
#include "kernel/options.h"

/* For printf's addresses, of which complaints have none. */
const char *symbol_find(uint64_t address, uint64_t *offset)
{
    (void)address, (void)offset;
    return NULL;
}

/* Status 0: yes; 1: no, and a sentence says why. */
int main(int count, char **words)
{
    static struct options options;
    char error[OPTIONS_ERROR_SIZE];

    if (count != 2) {
        fprintf(stderr, "usage: %s 'COMMAND LINE'\n", words[0]);
        return 2;
    }
    if (options_parse(words[1], &options, error))
        return 0;
    puts(error);
    return 1;
}
