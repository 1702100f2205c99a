/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads, cores and packages, as leaves 1FH and 0BH of made-up processors tell them apart. */
#include "arch/cpu/identity/topology.h"
#include <stdlib.h>
#include "tests/host/unit/check.h"

#define LEVELS   10u
#define THREADS  1u
#define CORE     2u
#define MODULE   3u
#define DIE      5u
#define MACHINES 20000u

/* Level number so much of a leaf, as CPUID has it. */
static struct cpuid_result levels[2][LEVELS];
static uint32_t highest_subleaf_read;

static struct cpuid_result read_made_up(uint32_t leaf, uint32_t subleaf)
{
    CHECK(leaf == 0x1f || leaf == 0x0b, "leaf %x is read", leaf);
    if (subleaf > highest_subleaf_read)
        highest_subleaf_read = subleaf;
    return subleaf < LEVELS ? levels[leaf == 0x1f][subleaf] : (struct cpuid_result){0};
}

static void set(unsigned leaf, unsigned number, uint32_t kind, uint32_t shift, uint32_t id)
{
    levels[leaf][number] = (struct cpuid_result){shift, kind == 0 ? 0 : 4, kind << 8 | number, id};
}

static struct topology read_up_to(uint32_t max_leaf)
{
    highest_subleaf_read = 0;
    struct topology found = topology_read(max_leaf, read_made_up);
    CHECK(highest_subleaf_read <= LEVELS, "levels without end: %u are read", highest_subleaf_read);
    return found;
}

static void clear(void)
{
    memset(levels, 0, sizeof levels);
}

/* Two packages of dies of modules of cores of two threads. */
static void check_known(void)
{
    clear();
    CHECK(read_up_to(0x20).leaf == 0, "empty leaves");
    set(0, 0, THREADS, 1, 0x105);
    set(0, 1, CORE, 5, 0x105);
    struct topology old = read_up_to(0x20);
    CHECK(old.leaf == 0x0b && old.id == 0x105, "leaf 0BH where 1FH is empty: %x", old.leaf);
    CHECK(topology_kinship(&old, 0x105, 0x105) == KIN_SELF, "itself");
    CHECK(topology_kinship(&old, 0x105, 0x104) == KIN_CORE, "its sibling");
    CHECK(topology_kinship(&old, 0x105, 0x11f) == KIN_PACKAGE, "the last of the package");
    CHECK(topology_kinship(&old, 0x105, 0x120) == KIN_NONE, "the first of the next one");
    set(1, 0, THREADS, 1, 0x105);
    set(1, 1, CORE, 3, 0x105);
    set(1, 2, MODULE, 4, 0x105);
    set(1, 3, DIE, 6, 0x105);
    struct topology new = read_up_to(0x20);
    CHECK(new.leaf == 0x1f && new.core_shift == 1 && new.package_shift == 6, "leaf 1FH");
    CHECK(topology_kinship(&new, 0x105, 0x120) == KIN_PACKAGE, "a package of 64");
    CHECK(read_up_to(0x1e).leaf == 0x0b && read_up_to(0x0a).leaf == 0, "leaves that are not there");
    CHECK(topology_kinship(&(struct topology){0}, 1, 2) == KIN_UNKNOWN, "nothing is known");
}

/* Cores of one thread without a level for it; levels that go backwards, or never end. */
static void check_odd(void)
{
    clear();
    set(0, 0, CORE, 3, 0);
    struct topology one = read_up_to(0x0b);
    CHECK(one.leaf == 0x0b && one.core_shift == 0 && one.package_shift == 3, "no level of threads");
    CHECK(topology_kinship(&one, 0, 1) == KIN_PACKAGE, "each is a core");
    set(0, 0, THREADS, 4, 0);
    set(0, 1, CORE, 2, 0);
    CHECK(read_up_to(0x0b).leaf == 0, "a core with more threads than its package");
    for (unsigned i = 0; i < LEVELS; i++)
        set(0, i, CORE, 3, 0);
    CHECK(read_up_to(0x0b).leaf == 0, "levels without end");
}

/* Whatever stands there: it ends, and kinship is an equivalence with the inner within the outer. */
static void check_random(void)
{
    for (unsigned i = 0; i < 2 * LEVELS; i++) {
        struct cpuid_result *level = &levels[i / LEVELS][i % LEVELS];
        *level = (struct cpuid_result){(uint32_t)rand(), (uint32_t)rand(), (uint32_t)rand() % 0x700,
                                       (uint32_t)rand()};
    }
    struct topology found = read_up_to((uint32_t)rand() % 0x30);
    CHECK(found.core_shift <= found.package_shift && found.package_shift < 32, "shifts %u %u",
          found.core_shift, found.package_shift);
    uint32_t a = (uint32_t)rand(), b = a ^ (uint32_t)rand() >> rand() % 31;
    enum kinship kin = topology_kinship(&found, a, b);
    CHECK(kin == topology_kinship(&found, b, a), "not the same both ways");
    if (found.leaf != 0 && a != b)
        CHECK((kin == KIN_NONE) == ((a ^ b) >> found.package_shift != 0) &&
                  (kin == KIN_CORE) == ((a ^ b) >> found.core_shift == 0),
              "%x and %x: %d", a, b, kin);
}

int main(void)
{
    srand(1);
    check_known();
    check_odd();
    for (unsigned i = 0; i < MACHINES; i++)
        check_random();
    return check_result();
}
