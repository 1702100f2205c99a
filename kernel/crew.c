/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/crew.h"
#include "arch/cpu/features.h"
#include "arch/cpu/insn.h"
#include "arch/cpu/page_tables.h"
#include "arch/cpu/kernel_map.h"
#include "arch/cpu/paging.h"
#include "arch/cpu/processors.h"
#include "arch/cpu/world.h"
#include "arch/lib/string.h"
#include "boot/boot_info.h"
#include "boot/memory_map.h"
#include "kernel/console.h"
#include "kernel/ktap.h"
#include "kernel/runner.h"
#include "kernel/time.h"
#include "kernel/watchdog.h"

#define MEMBERS_MAX 64u
#define LOG_SIZE (1u << 20)
enum { OFF, STARTING, READY, RUNNING, DONE, REFUSED };

struct member {
    uint32_t apic_id;
    uint64_t world;
    int state;
    const char *why;
    char *log;
    volatile size_t length;
    enum verdict verdict;
    struct ktap_totals totals;
};
static WORLD_SHARED struct member members[MEMBERS_MAX];
static unsigned count;
static struct member *self;
static const struct options *options;

bool crew_is_member(void) { return self != NULL; }

static void __attribute__((noreturn)) halt(void)
{
    for (;;) { insn_cli(); insn_hlt(); }
}

void crew_end(enum verdict verdict)
{
    self->verdict = verdict;
    __atomic_store_n(&self->state, DONE, __ATOMIC_RELEASE);
    halt();
}

void crew_take(const char *text, size_t length)
{
    if (self->length + length > LOG_SIZE)
        return;
    memcpy(self->log + self->length, text, length);
    self->length += length;
}

static void member_main(void *argument)
{
    self = argument;
    self->why = processor_be_alone(self->apic_id);
    if (self->why != NULL) {
        __atomic_store_n(&self->state, REFUSED, __ATOMIC_RELEASE);
        halt();
    }
    features_probe();
    __atomic_store_n(&self->state, READY, __ATOMIC_RELEASE);
    while (__atomic_load_n(&self->state, __ATOMIC_ACQUIRE) == READY)
        insn_pause();
    insn_sti();
    crew_end(runner_run(options, &self->totals));
}

void crew_gather(const struct options *given)
{
    uint64_t from = kernel_map_extent().end;
    options = given;
    for (unsigned i = 0; processor_found(i) != UINT32_MAX && i < MEMBERS_MAX; i++) {
        struct member *m = &members[count];
        uint64_t start = time_now();
        uint64_t at = memory_map_find(&boot_info, from, UINT64_MAX, world_size() + LOG_SIZE);
        if (at == 0) { ktap_comment(0, "crew: no memory"); return; }
        from = at + world_size() + LOG_SIZE;
        m->apic_id = processor_found(i);
        m->world = at;
        m->log = paging_map_physical(at + world_size(), LOG_SIZE, PAGE_WRITE_BACK);
        if (m->log == NULL || !world_make(at)) { ktap_comment(0, "crew: cannot make"); return; }
        m->state = STARTING;
        uint64_t made = time_now();
        const char *wrong = processor_send_off(m->apic_id, at, member_main, m);
        uint64_t end = time_deadline_microseconds(2000000);
        while (wrong == NULL && m->state == STARTING && !time_passed(end))
            insn_pause();
        ktap_comment(0, "crew: apic %u at 0x%lx size %lu: %s state %d %s; copy %lu us, start %lu us", m->apic_id, at,
                     world_size(), wrong ? wrong : "ok", m->state, m->why ? m->why : "",
                     (made - start) / time_tsc_per_microsecond(), time_microseconds_since(made));
        count++;
    }
}

void crew_go(void)
{
    for (unsigned i = 0; i < count; i++)
        if (members[i].state == READY)
            __atomic_store_n(&members[i].state, RUNNING, __ATOMIC_RELEASE);
}

void crew_finish(void)
{
    for (unsigned i = 0; i < count; i++) {
        struct member *m = &members[i];
        uint64_t end = time_deadline_microseconds(30000000);
        while (__atomic_load_n(&m->state, __ATOMIC_ACQUIRE) == RUNNING && !time_passed(end))
            insn_pause();
        ktap_comment(0, "member %u: state %d verdict %d, log %lu bytes", m->apic_id, m->state, m->verdict, m->length);
        ktap_comment_lines(0, m->log, m->length);
        processor_call_back(m->apic_id);
    }
}
