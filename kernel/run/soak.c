/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/soak.h"

#include "arch/cpu/memory/private_image.h"
#include "arch/lib/printf.h"
#include "kernel/run/worker.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/time.h"

#define MICROSECONDS  1000000u
#define BEAT_SECONDS  60u
#define BEAT_LINES    16u /* of processors; others count only in the sum */
#define DISTINCT      64u /* failures that are reported; later ones are counted */
#define REPETITIONS   64u
#define LAST_SIZE     200u
#define FILLING_SHARE 3u /* times what the others have */

static uint64_t begun, length, own_length; /* TSC, microseconds */
static bool is_on;
static SHARED_BY_IMAGES bool has_failed; /* anywhere */
static SHARED_BY_IMAGES char last_failure[LAST_SIZE];

/* --- draws --- */

static uint16_t order[SELECTION_TEST_COUNT];
static size_t order_count, order_at;
static uint64_t drawn, filling, others; /* draws; microseconds of both sorts */

static struct failed {
    const struct test *test;
    const char *claim;
    unsigned times;
    struct soak_draw first;
    uint64_t second; /* at which it came */
} failed[DISTINCT];
static unsigned failed_count, failed_otherwise; /* the second: those without room */

bool soak_is_wanted(const struct options *options)
{
    return options->duration > 0;
}

bool soak_draws_from(const struct options *options, const struct selection *tests)
{
    return soak_is_wanted(options) && tests->count > 0;
}

void soak_begin(uint64_t microseconds, uint64_t own)
{
    begun = time_now();
    length = microseconds;
    own_length = own;
    is_on = true;
}

uint64_t soak_seconds(void)
{
    return time_microseconds_since(begun) / MICROSECONDS;
}

uint64_t soak_left(void)
{
    uint64_t passed = time_microseconds_since(begun);

    return passed < length ? length - passed : 0;
}

bool soak_goes_on(const struct options *options)
{
    if (options->ends_at_failure && __atomic_load_n(&has_failed, __ATOMIC_RELAXED))
        return false;
    return time_microseconds_since(begun) < own_length;
}

/* SplitMix64 of Steele, Lea and Flood: neighbours are unrelated. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static uint64_t number_of_draw(uint64_t seed)
{
    return mix(mix(seed ^ (uint64_t)cpu_number() << 48) + drawn);
}

static bool fills(const struct selection *all, const struct test *test)
{
    return selection_suite(all, test->suite)->fills_a_soak;
}

/* Every test once in a random order, then again in another. */
static void shuffle(const struct selection *tests, uint64_t seed)
{
    order_count = tests->count;
    order_at = 0;
    for (size_t i = 0; i < order_count; i++) {
        size_t other = mix(number_of_draw(seed) + i) % (i + 1);

        order[i] = order[other];
        order[other] = (uint16_t)i;
    }
}

/* NULL if there is none of the wanted sort. */
static const struct test *next_in_order(const struct selection *tests, const struct selection *all,
                                        uint64_t seed, bool filling_one)
{
    for (size_t tries = 0; tries < 2 * tests->count; tries++) {
        const struct test *test;

        if (order_at >= order_count || order_count != tests->count)
            shuffle(tests, seed);
        test = tests->tests[order[order_at++]];
        if (fills(all, test) == filling_one)
            return test;
    }
    return NULL;
}

struct soak_draw soak_next(const struct selection *tests, const struct selection *all,
                           uint64_t seed)
{
    bool filling_one = filling <= FILLING_SHARE * others;
    const struct test *test = next_in_order(tests, all, seed, filling_one);
    uint64_t number = number_of_draw(seed);

    if (test == NULL)
        test = next_in_order(tests, all, seed, !filling_one);
    drawn++;
    return (struct soak_draw){.test = test,
                              .seed = number >> 16,
                              .repetition = 1 + number % REPETITIONS,
                              .fills = fills(all, test)};
}

/* --- what came of them --- */

static const char *first_broken(const struct test_context *t)
{
    return t->broken.count > 0 ? t->broken.ids[0] : "";
}

/* Failures of the same test and claim are alike. */
static struct failed *find_failed(const struct test_context *t)
{
    for (unsigned i = 0; i < failed_count; i++)
        if (failed[i].test == t->test && failed[i].claim == first_broken(t))
            return &failed[i];
    return NULL;
}

/* Only one processor may write the text at a time. */
static void keep_last(const struct test_context *t)
{
    static SHARED_BY_IMAGES bool is_taken;
    char name[TEST_NAME_SIZE];

    if (__atomic_exchange_n(&is_taken, true, __ATOMIC_ACQUIRE))
        return;
    format_string(last_failure, sizeof(last_failure), "%s: %s",
                  test_labelled_name(t->test, t->cpu_label, name), t->first_finding);
    __atomic_store_n(&is_taken, false, __ATOMIC_RELEASE);
}

const char *soak_last_failure(void)
{
    return last_failure;
}

void soak_end_by_failure(void)
{
    __atomic_store_n(&has_failed, true, __ATOMIC_RELAXED);
}

static bool take_failure(const struct soak_draw *draw, const struct test_context *t)
{
    struct failed *known = find_failed(t);

    soak_end_by_failure();
    keep_last(t);
    soak_stats_add(SOAK_STATS_FAILURES, 1);
    if (known != NULL || failed_count == DISTINCT) {
        *(known != NULL ? &known->times : &failed_otherwise) += 1;
        return false;
    }
    failed[failed_count++] = (struct failed){
        .test = draw->test,
        .claim = first_broken(t),
        .times = 1,
        .first = *draw,
        .second = soak_seconds(),
    };
    return true;
}

bool soak_took(const struct soak_draw *draw, const struct test_context *t, uint64_t microseconds)
{
    *(draw->fills ? &filling : &others) += microseconds;
    soak_stats_add(SOAK_STATS_RUNS, 1);
    return t->unexpected && take_failure(draw, t);
}

static void print_failed(const struct failed *row)
{
    char name[TEST_NAME_SIZE];

    ktap_comment(LEVEL_SUITE, "soak: %s failed %u times, first after %lu s%s%s",
                 test_full_name(row->test, name), row->times, row->second,
                 row->claim[0] != '\0' ? ": claim " : "", row->claim);
}

bool soak_sum_up(void)
{
    for (unsigned i = 0; i < failed_count; i++)
        print_failed(&failed[i]);
    if (failed_otherwise > 0)
        ktap_comment(LEVEL_SUITE, "soak: %u failures of other tests and claims", failed_otherwise);
    return failed_count == 0;
}

/* --- how far everybody is --- */

static uint64_t beats;

static void print_beat(const char *where, const struct soak_stats *stats)
{
    char text[SOAK_STATS_TEXT_SIZE];

    ktap_comment(LEVEL_RUN, "soak%s: %lu s: %s", where, soak_seconds(),
                 soak_stats_format(stats, text));
}

uint64_t soak_seconds_left(void)
{
    return soak_left() / MICROSECONDS;
}

struct soak_stats soak_sum(void)
{
    struct soak_stats sum = soak_stats_of(0), one;
    const struct worker *worker;

    for (unsigned i = 0; (worker = worker_at(i)) != NULL; i++) {
        one = soak_stats_of(worker->slot);
        soak_stats_sum(&sum, &one);
    }
    return sum;
}

static void print_all(void)
{
    struct soak_stats sum = soak_sum(), one;
    const struct worker *worker;
    char where[WORKER_SUFFIX_SIZE];

    print_beat("", &sum);
    one = soak_stats_of(0);
    if (worker_count() > 0)
        print_beat(cpu_label_name(), &one);
    for (unsigned i = 0; i < BEAT_LINES && (worker = worker_at(i)) != NULL; i++) {
        one = soak_stats_of(worker->slot);
        print_beat(worker_suffix(worker, where), &one);
    }
}

void soak_beat(void)
{
    if (!is_on || soak_seconds() / BEAT_SECONDS <= beats)
        return;
    beats = soak_seconds() / BEAT_SECONDS;
    print_all();
}

void soak_print_end(void)
{
    if (is_on)
        print_all();
}
