/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/random/interpreter.h"

#include "arch/cpu/traps/descriptors.h"
#include "arch/cpu/traps/interrupts.h"
#include "tests/random/interpreter_flags.h"
#include "tests/random/interpreter_memory.h"
#include "tests/random/interpreter_parts.h"

void *interpreter_word(struct interpreter *in, uint64_t address)
{
    void *word = NULL;

    for (unsigned i = 0; !word && i < MEMORY_REGIONS; i++) {
        word = word_in(&in->memory[i], address);
        if (word)
            in->recent = i;
    }
    return word;
}

/* --- what does not transfer control --- */

static inline void execute(struct interpreter *in, const struct operation *op)
{
    uint64_t *to = &in->registers[op->to];
    struct flags *flags = &in->flags;

    switch (op->what) {
    case DO_SET:
        *to = *op->source;
        break;
    case DO_LEA:
        *to = in->registers[op->base] + op->constant;
        break;
    case DO_LOAD:
        *to = read(in, in->registers[op->base] + op->constant);
        break;
    case DO_ADD:
        *to = add(flags, *to, *op->source, false);
        break;
    case DO_OR:
        *to = logic(flags, *to | *op->source);
        break;
    case DO_ADC:
        *to = add(flags, *to, *op->source, flags->carry);
        break;
    case DO_SBB:
        *to = subtract(flags, *to, *op->source, flags->carry);
        break;
    case DO_AND:
        *to = logic(flags, *to & *op->source);
        break;
    case DO_SUB:
        *to = subtract(flags, *to, *op->source, false);
        break;
    case DO_XOR:
        *to = logic(flags, *to ^ *op->source);
        break;
    case DO_CMP:
        subtract(flags, *to, *op->source, false);
        break;
    case DO_DEC:
        *to = decrement(flags, *to);
        break;
    case DO_CLC:
        flags->carry = false;
        break;
    case DO_STC:
        flags->carry = true;
        break;
    case DO_CMC:
        flags->carry = !flags->carry;
        break;
    case DO_PUSH:
        push(in, *op->source);
        break;
    case DO_POP:
        *to = pop(in);
        break;
    default:
        break;
    }
}

/* --- where it goes on --- */

/* Ring 0 runs in its page, every other in the other one. */
static unsigned operation_at(struct interpreter *in, uint64_t address)
{
    bool user = in->ring != 0;
    uint64_t offset = address - (user ? in->place.user_address : in->place.kernel_address);
    const uint8_t *page = user ? in->place.user_page : in->place.kernel_page;
    struct operation *op;
    const char *wrong;

    if (offset >= INTERPRETER_PAGE_BYTES)
        return fail(in, "it left the page of its ring", address);
    if (in->numbers[user][offset])
        return in->numbers[user][offset];
    if (in->operation_count == INTERPRETER_OPERATIONS)
        return fail(in, "more instructions than there is room for", address);
    op = &in->operations[in->operation_count];
    *op = (struct operation){.address = address};
    wrong = interpreter_decode(in, op, page + offset, INTERPRETER_PAGE_BYTES - offset);
    if (wrong)
        return fail(in, wrong, address);
    return in->numbers[user][offset] = (uint16_t)in->operation_count++;
}

static inline bool go_on(struct interpreter *in, uint16_t *number, uint64_t address)
{
    if (!*number)
        *number = (uint16_t)operation_at(in, address);
    in->at = *number && !in->wrong ? &in->operations[*number] : NULL;
    return in->at;
}

/* --- transfers --- */

static const uint8_t kinds[] = {
    [DO_JCC] = TRANSFER_JCC,
    [DO_JMP] = TRANSFER_JMP,
    [DO_CALL] = TRANSFER_CALL,
    [DO_RET] = TRANSFER_RET,
    [DO_LOOP] = TRANSFER_LOOP,
    [DO_LOOPE] = TRANSFER_LOOP,
    [DO_LOOPNE] = TRANSFER_LOOP,
    [DO_JRCXZ] = TRANSFER_JRCXZ,
    [DO_JECXZ] = TRANSFER_JRCXZ,
    [DO_JMP_SOURCE] = TRANSFER_JMP_INDIRECT,
    [DO_CALL_SOURCE] = TRANSFER_CALL_INDIRECT,
    [DO_JMP_MEMORY] = TRANSFER_JMP_INDIRECT,
    [DO_CALL_MEMORY] = TRANSFER_CALL_INDIRECT,
    [DO_INT] = TRANSFER_INT,
    [DO_IRET] = TRANSFER_IRET,
    [DO_SYSCALL] = TRANSFER_SYSCALL,
    [DO_SYSRET] = TRANSFER_SYSRET,
};

/* A direct branch, whose target's operation is known from the second time on. */
static inline bool direct(struct interpreter *in, struct operation *op, struct transfer *row)
{
    row->to = op->constant;
    return go_on(in, &op->target, op->constant);
}

static bool indirect(struct interpreter *in, uint64_t target, struct transfer *row)
{
    uint16_t number = 0;

    row->to = target;
    row->to_ring = in->ring;
    if (target == in->place.end && in->ring == 0) {
        in->at = NULL;
        return true;
    }
    return go_on(in, &number, target);
}

/* Through an interrupt gate of ring 0: from ring 3 on the stack of RSP0, else on the same one,
 * which starts at a multiple of 16. */
static bool deliver(struct interpreter *in, const struct operation *op, struct transfer *row)
{
    uint64_t rsp = in->registers[RSP];
    bool user = in->ring != 0;
    uint64_t landing = user ? in->place.user_int_landing : in->place.kernel_int_landing;

    if (op->constant != (user ? VECTOR_USER_INT : VECTOR_WORKLOAD_INT) || !landing)
        return fail(in, "an INT n that leads nowhere", op->address);
    in->registers[RSP] = user ? RING_0_STACK + INTERPRETER_STACK_BYTES : rsp & ~15ull;
    push(in, user ? SELECTOR_USER_DATA : SELECTOR_KERNEL_DATA);
    push(in, rsp);
    push(in, image_of(&in->flags));
    push(in, user ? SELECTOR_USER_CODE : SELECTOR_KERNEL_CODE);
    push(in, op->next_address);
    in->ring = 0;
    row->from_next = op->next_address;
    return indirect(in, landing, row);
}

static bool interrupt_return(struct interpreter *in, struct transfer *row)
{
    uint64_t rip = pop(in), cs = pop(in), image = pop(in), rsp = pop(in);

    pop(in);
    in->registers[RSP] = rsp;
    in->flags = flags_of(image);
    in->ring = cs & 3u;
    return indirect(in, rip, row);
}

static bool system_call(struct interpreter *in, const struct operation *op, struct transfer *row)
{
    if (!in->place.syscall_landing)
        return fail(in, "a SYSCALL that leads nowhere", op->address);
    in->registers[RCX] = op->next_address;
    in->registers[R11] = image_of(&in->flags);
    in->ring = 0;
    return indirect(in, in->place.syscall_landing, row);
}

static bool system_return(struct interpreter *in, struct transfer *row)
{
    in->flags = flags_of(in->registers[R11]);
    in->ring = 3;
    return indirect(in, in->registers[RCX], row);
}

static bool loops(struct interpreter *in, const struct operation *op)
{
    bool zero = !in->flags.zero;

    if (--in->registers[RCX] == 0 || op->what == DO_LOOP)
        return in->registers[RCX] != 0;
    return zero == (op->what == DO_LOOPE);
}

static bool return_near(struct interpreter *in, const struct operation *op, struct transfer *row)
{
    uint64_t target = pop(in);

    in->registers[RSP] += op->constant;
    return indirect(in, target, row);
}

static inline bool is_taken(struct interpreter *in, const struct operation *op)
{
    switch (op->what) {
    case DO_JCC:
        return condition(&in->flags, op->to);
    case DO_LOOP:
    case DO_LOOPE:
    case DO_LOOPNE:
        return loops(in, op);
    case DO_JRCXZ:
        return in->registers[RCX] == 0;
    case DO_JECXZ:
        return (uint32_t)in->registers[RCX] == 0;
    default:
        return true;
    }
}

/* One that is taken. */
static bool transfer(struct interpreter *in, struct operation *op, struct transfer *row)
{
    switch (op->what) {
    case DO_CALL:
        push(in, op->next_address);
        return direct(in, op, row);
    case DO_RET:
        return return_near(in, op, row);
    case DO_JMP_SOURCE:
        return indirect(in, *op->source, row);
    case DO_CALL_SOURCE:
        push(in, op->next_address);
        return indirect(in, *op->source, row);
    case DO_JMP_MEMORY:
        return indirect(in, read(in, in->registers[op->base] + op->constant), row);
    case DO_CALL_MEMORY: {
        uint64_t target = read(in, in->registers[op->base] + op->constant);

        push(in, op->next_address);
        return indirect(in, target, row);
    }
    case DO_INT:
        return deliver(in, op, row);
    case DO_IRET:
        return interrupt_return(in, row);
    case DO_SYSCALL:
        return system_call(in, op, row);
    case DO_SYSRET:
        return system_return(in, row);
    default:
        return direct(in, op, row);
    }
}

/* Field by field: a compiler may clear the whole by REP STOS, which an emulator does slowly. */
static inline void begin_row(const struct interpreter *in, const struct operation *op,
                             struct transfer *row)
{
    row->from = op->address;
    row->from_next = 0;
    row->kind = kinds[op->what];
    row->from_ring = row->to_ring = in->ring;
    row->unused = 0;
}

static inline struct operation *next_of(struct interpreter *in, struct operation *op)
{
    if (op->next && !in->wrong)
        return &in->operations[op->next];
    go_on(in, &op->next, op->next_address);
    return in->at;
}

bool interpreter_next(struct interpreter *in, struct transfer *row)
{
    struct operation *op = in->at;

    while (op) {
        if (op->what < DO_TRANSFERS) {
            execute(in, op);
        } else if (is_taken(in, op)) {
            begin_row(in, op, row);
            return op->what <= DO_JMP ? direct(in, op, row) : transfer(in, op, row) && !in->wrong;
        }
        op = next_of(in, op);
    }
    return false;
}

/* --- the beginning --- */

static struct memory_region region(uint64_t address, size_t bytes, const void *there)
{
    return (struct memory_region){address, bytes, (uint8_t *)(uintptr_t)there};
}

void interpreter_open(struct interpreter *in, const struct interpreter_place *place)
{
    const size_t stack = INTERPRETER_STACK_BYTES, page = INTERPRETER_PAGE_BYTES;

    in->place = *place;
    in->operation_count = 1;
    in->recent = 0;
    __builtin_memset(in->numbers, 0, sizeof in->numbers);
    in->memory[MEMORY_KERNEL_STACK] = region(KERNEL_STACK, stack, in->stacks[0]);
    in->memory[MEMORY_USER_STACK] = region(place->user_stack_top - stack, stack, in->stacks[1]);
    in->memory[MEMORY_RING_0_STACK] = region(RING_0_STACK, stack, in->stacks[2]);
    in->memory[MEMORY_KERNEL_PAGE] = region(place->kernel_address, page, place->kernel_page);
    in->memory[MEMORY_USER_PAGE] = region(place->user_address, page, place->user_page);
    in->memory[MEMORY_ARGUMENT] =
        region((uint64_t)(uintptr_t)place->argument, place->argument_bytes, place->argument);
}

bool interpreter_start(struct interpreter *in, uint64_t entry, struct transfer *row)
{
    __builtin_memset(in->registers, 0, sizeof in->registers);
    in->flags = flags_of(0);
    in->ring = 0;
    in->wrong = NULL;
    in->registers[RDI] = (uint64_t)(uintptr_t)in->place.argument;
    in->registers[RSP] = KERNEL_STACK + INTERPRETER_STACK_BYTES - 16;
    push(in, in->place.end);
    *row = (struct transfer){.from = in->place.call, .kind = TRANSFER_CALL_INDIRECT};
    return indirect(in, entry, row);
}
