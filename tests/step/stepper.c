/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/step/stepper.h"

#include "arch/cpu/traps/debug.h"
#include "arch/cpu/traps/descriptors.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/intercept.h"
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/traps/user.h"
#include "kernel/machine/event.h"
#include "arch/lib/printf.h"
#include "tests/step/branch_decoder.h"
#include "tests/run/entry_points.h"
#include "tests/step/stepper_bracket.h"

#define EXCEPTIONS 32u

/* The instruction about to execute, as it was looked at. */
struct expected_step {
    struct branch_context context;
    struct branch_decoded decoded;
    uint8_t ring;
};

static struct {
    struct transfer *rows;
    size_t capacity, step_limit;
    struct stepper_result *result;
    struct expected_step step;
    bool knows_step; /* false until the first trap */
    struct recovery_point abort;
} run;

static void give_up(struct trap_frame *frame, enum stepper_end end, uint64_t address)
{
    run.result->end = end;
    run.result->address = address;
    run.result->ring = frame->cs & 3u;
    recovery_resume(&run.abort, frame, 1);
}

static bool has_ended(void)
{
    return run.result->end != STEPPER_DONE;
}

/* --- looking at an instruction --- */

/* What lies in a page that cannot be read is left 0: the fetch will fault, if it comes to that. */
static void fetch(uint64_t address, uint8_t *bytes)
{
    uint64_t in_page = PAGE_SIZE - address % PAGE_SIZE;

    __builtin_memset(bytes, 0, INSTRUCTION_BYTES_MAX);
    for (size_t i = 0; i < INSTRUCTION_BYTES_MAX; i++) {
        const volatile uint8_t *byte = (const volatile uint8_t *)(uintptr_t)(address + i);

        if ((i == 0 || i == in_page) && !paging_rights((const void *)byte).present)
            return;
        bytes[i] = *byte;
    }
}

static struct branch_decoded decode_at(struct branch_context *context, uint64_t rip)
{
    uint8_t bytes[INSTRUCTION_BYTES_MAX];

    context->rip = rip;
    fetch(rip, bytes);
    return branch_decode(bytes, context);
}

/* --- hiding TF from the program --- */

#define TRAP_FLAG_BYTE 1 /* of an RFLAGS image, bit 0 */

static void put_trap_flag(uint64_t image, bool set)
{
    uint8_t *byte = (uint8_t *)(uintptr_t)(image + TRAP_FLAG_BYTE);

    *byte = (uint8_t)((*byte & ~1u) | set);
}

/* What would clear TF when it executes gets an image with TF set. */
static void keep_trap_flag(struct trap_frame *frame, const struct branch_decoded *decoded)
{
    if (decoded->operation == TRANSFER_IRET)
        put_trap_flag(frame->rsp + 2u * decoded->operand_bytes, true);
    if (decoded->operation == OPERATION_POPF)
        put_trap_flag(frame->rsp, true);
    if (decoded->operation == TRANSFER_SYSRET)
        frame->r11 |= RFLAGS_TF;
    frame->rflags |= RFLAGS_TF;
}

static void hide_trap_flag(struct trap_frame *frame, const struct branch_decoded *decoded)
{
    if (decoded->operation == OPERATION_PUSHF)
        put_trap_flag(frame->rsp, false);
    if (decoded->operation == TRANSFER_SYSCALL)
        frame->r11 &= ~(uint64_t)RFLAGS_TF;
}

/* The trap may come one instruction late (F9.7): then the second one led to where we are. */
static void skip_delaying(uint64_t rip)
{
    struct expected_step *step = &run.step;

    if (step->decoded.delays_traps && step->decoded.next && rip != step->decoded.next &&
        rip != step->context.rip)
        step->decoded = decode_at(&step->context, step->decoded.next);
}

static void keep_trap_flag_after_delay(struct trap_frame *frame, const struct expected_step *step)
{
    struct branch_context second = step->context;
    struct branch_decoded decoded;

    if (!step->decoded.delays_traps || !step->decoded.next)
        return;
    decoded = decode_at(&second, step->decoded.next);
    keep_trap_flag(frame, &decoded);
}

/*
 * The trap before it lets in the interrupt that was to wake it, and no other may follow. Whether
 * the trap after it ends it as the manual has it (a debug exception does) is not what is asked
 * here.
 */
static void leave_out_halt(struct trap_frame *frame)
{
    struct expected_step *step = &run.step;

    if (step->decoded.operation != OPERATION_HALT || step->ring != 0)
        return;
    frame->rip = step->decoded.next;
    step->decoded = decode_at(&step->context, frame->rip);
}

static void look_ahead(struct trap_frame *frame)
{
    struct expected_step *step = &run.step;

    if (run.result->steps++ >= run.step_limit) {
        give_up(frame, STEPPER_TOO_MANY_STEPS, frame->rip);
        return;
    }
    step->ring = frame->cs & 3u;
    step->context =
        (struct branch_context){.rcx = frame->rcx,
                                .rflags = frame->rflags,
                                .code_is_64bit = selector_is_64bit_code((uint16_t)frame->cs)};
    step->decoded = decode_at(&step->context, frame->rip);
    leave_out_halt(frame);
    run.knows_step = true;
    if (step->decoded.operation == OPERATION_UNFOLLOWABLE) {
        give_up(frame, STEPPER_UNKNOWN_INSTRUCTION, frame->rip);
        return;
    }
    keep_trap_flag_after_delay(frame, step);
    keep_trap_flag(frame, &step->decoded);
}

/* --- noting what an instruction did --- */

static void add(struct trap_frame *frame, struct transfer row)
{
    if (row.from == (uint64_t)stepper_bracket_call)
        row.from = (uint64_t)bracket_call;
    if (row.to == (uint64_t)stepper_bracket_return)
        row.to = (uint64_t)bracket_return;
    if (run.result->count == run.capacity)
        give_up(frame, STEPPER_TOO_MANY_TRANSFERS, row.from);
    else
        run.rows[run.result->count++] = row;
}

/* Through a gate, or not at all, but never by a trap after it. */
static bool goes_through_a_gate(uint32_t operation)
{
    return operation == TRANSFER_INT || operation == TRANSFER_INT3 || operation == TRANSFER_INTO ||
           operation == TRANSFER_INT1;
}

static bool can_follow(const struct branch_context *context, const struct branch_decoded *decoded,
                       uint64_t to)
{
    if (decoded->taken)
        return !goes_through_a_gate(decoded->operation) &&
               (!decoded->target || to == decoded->target);
    if (decoded->operation == OPERATION_STRING && to == context->rip)
        return true;
    if (decoded->next)
        return to == decoded->next;
    return to > context->rip && to - context->rip <= INSTRUCTION_BYTES_MAX;
}

/* The instruction was executed and led to where the frame is. */
static void note_step(struct trap_frame *frame)
{
    struct expected_step *step = &run.step;

    if (!can_follow(&step->context, &step->decoded, frame->rip)) {
        give_up(frame, STEPPER_LOST_CONTROL, step->context.rip);
        return;
    }
    if (step->decoded.taken)
        add(frame, (struct transfer){.from = step->context.rip,
                                     .to = frame->rip,
                                     .kind = step->decoded.operation,
                                     .from_ring = step->ring,
                                     .to_ring = frame->cs & 3u});
}

/* INT n and its like: the instruction in question did it, and not an interrupt before it. */
static bool was_asked_for(const struct trap_frame *frame)
{
    const struct branch_decoded *decoded = &run.step.decoded;

    if (!decoded->taken || frame->rip != decoded->next)
        return false;
    return (decoded->operation == TRANSFER_INT && decoded->vector == frame->vector) ||
           (decoded->operation == TRANSFER_INT3 && frame->vector == VECTOR_BP) ||
           (decoded->operation == TRANSFER_INTO && frame->vector == VECTOR_OF) ||
           (decoded->operation == TRANSFER_INT1 && frame->vector == VECTOR_DB);
}

static struct transfer row_of_delivery(const struct trap_frame *frame, uint64_t landing)
{
    struct transfer row = {
        .from = frame->rip, .to = landing, .kind = TRANSFER_INTERRUPT, .from_ring = frame->cs & 3u};

    if (was_asked_for(frame)) {
        row.from = run.step.context.rip;
        row.from_next = frame->rip;
        row.kind = run.step.decoded.operation;
    } else if (frame->vector < EXCEPTIONS && frame->vector != VECTOR_NMI) {
        row.kind = TRANSFER_EXCEPTION;
    }
    return row;
}

static void deliver(struct trap_frame *frame, uint64_t landing)
{
    struct transfer row = row_of_delivery(frame, landing);

    frame->rflags &= ~(uint64_t)RFLAGS_TF;
    intercept_deliver(frame, landing);
    add(frame, row);
    if (!has_ended())
        look_ahead(frame);
}

/* Some instruction may have been executed without a trap after it: HLT that the interrupt ends. */
static bool is_where_it_was_left(struct trap_frame *frame)
{
    skip_delaying(frame->rip);
    if (frame->rip == run.step.context.rip || was_asked_for(frame))
        return true;
    note_step(frame);
    return !has_ended();
}

static void on_delivery(struct trap_frame *frame, uint64_t landing)
{
    if (!landing || !run.knows_step) {
        run.result->frame = *frame;
        run.result->cr2 = insn_read_cr2();
        give_up(frame, STEPPER_EXCEPTION, frame->rip);
    } else if (is_where_it_was_left(frame)) {
        deliver(frame, landing);
    }
}

/* The trap that should have ended it did not come: stepped on, what clears TF would not. */
static bool is_past_the_program(const struct trap_frame *frame)
{
    return frame->rip > (uint64_t)stepper_bracket_return &&
           frame->rip < (uint64_t)stepper_bracket_end && !(frame->cs & 3);
}

static void on_debug(struct trap_frame *frame, uint64_t landing)
{
    debug_status_take();
    if (run.knows_step)
        skip_delaying(frame->rip);
    if (run.knows_step && was_asked_for(frame)) {
        on_delivery(frame, landing);
        return;
    }
    if (run.knows_step) {
        note_step(frame);
        if (has_ended())
            return;
        hide_trap_flag(frame, &run.step.decoded);
    }
    if (is_past_the_program(frame))
        give_up(frame, STEPPER_LOST_CONTROL, frame->rip);
    else if (frame->rip == (uint64_t)stepper_bracket_return && !(frame->cs & 3))
        frame->rflags &= ~(uint64_t)RFLAGS_TF;
    else
        look_ahead(frame);
}

static const struct intercept intercept = {.on_debug = on_debug, .on_delivery = on_delivery};

bool stepper_run(const struct program *program, struct transfer *rows, size_t capacity,
                 size_t step_limit, struct stepper_result *result)
{
    struct stepper_bracket bracket = {
        .entry = program->entry, .argument = program->argument, .flags = RFLAGS_TF};

    *result = (struct stepper_result){.end = STEPPER_DONE};
    run.rows = rows;
    run.capacity = capacity;
    run.step_limit = step_limit;
    run.result = result;
    run.knows_step = false;
    if (program->workload)
        entry_points_set(program->workload);
    debug_status_take();
    intercept_start(&intercept);
    if (recovery_point_set(&run.abort) == 0)
        stepper_bracket_run(&bracket);
    intercept_stop();
    if (program->workload)
        entry_points_reset(program->workload);
    return !has_ended();
}

const char *stepper_end_text(enum stepper_end end)
{
    static const char *const texts[] = {
        [STEPPER_DONE] = "done",
        [STEPPER_TOO_MANY_STEPS] = "too many steps",
        [STEPPER_TOO_MANY_TRANSFERS] = "more transfers than there is room for",
        [STEPPER_UNKNOWN_INSTRUCTION] = "a transfer that cannot be followed",
        [STEPPER_LOST_CONTROL] = "control was lost after the instruction",
        [STEPPER_EXCEPTION] = "an exception without a landing",
    };

    return texts[end];
}

void stepper_report(struct test_context *t, const struct stepper_result *result)
{
    char event[EVENT_TEXT_SIZE];

    if (result->end == STEPPER_EXCEPTION)
        test_fail(
            t, "test bug: the stepper gave up after %zu steps: %s, without a landing",
            result->steps,
            event_format(&result->frame, result->cr2, this_cpu()->index, event, sizeof event));
    else
        test_fail(t, "test bug: the stepper gave up after %zu steps at %pS in ring %u: %s",
                  result->steps, (void *)result->address, result->ring,
                  stepper_end_text(result->end));
}

/* A test that hung in the middle of it leaves gates bent. */
static bool stepper_is_quiet(char *why, size_t size)
{
    if (intercept_is_on())
        format_string(why, size, "the single-stepper still runs");
    return !intercept_is_on();
}

static void stop_stepper(void)
{
    user_keep_trap_flag(false);
    if (!intercept_is_on())
        return;
    intercept_stop();
    interrupt_gates_reset();
}

QUIET_CHECK(stepper, stepper_is_quiet, stop_stepper);
