/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/trace_check.h"

#include "tests/oracle/compare.h"

bool trace_check(struct test_context *t, const struct run *run, const struct observation *seen)
{
    size_t touched = run->policy == PMI_COUNT ? seen->count : run->layout.records;
    const struct expected *expected = expected_of(t, seen->program, run->debugctl, seen->log);
    bool held = expected && compare_records(t, expected, run->debugctl, seen->records, seen->count);

    return expect_no_stray_write(t, touched) && held;
}

bool trace_run(struct test_context *t, const struct program *program, const struct run *run,
               struct observation *seen)
{
    return run_program(t, program, run, seen) && trace_check(t, run, seen);
}
