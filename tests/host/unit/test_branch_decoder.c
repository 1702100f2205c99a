/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the decoder know what transfers control, whether it will, and where to? */
#include "tests/step/branch_decoder.h"
#include "tests/host/unit/check.h"

#define RIP 0xffffffff81000100ull

#define CF 0x001u
#define PF 0x004u
#define ZF 0x040u
#define SF 0x080u
#define OF 0x800u

struct sample {
    const char *name;
    uint8_t bytes[INSTRUCTION_BYTES_MAX];
    unsigned length; /* what next must say; 0: not known */
    uint8_t operation;
    int64_t displacement; /* of a direct branch: target - RIP; 0: none */
};

static struct branch_context context(bool code_is_64bit)
{
    return (struct branch_context){.rip = code_is_64bit ? RIP : 0x400100,
                                   .code_is_64bit = code_is_64bit};
}

static const struct sample samples_64[] = {
    {"nop", {0x90}, 0, OPERATION_OTHER, 0},
    {"jmp short", {0xeb, 0xfe}, 2, TRANSFER_JMP, 0},
    {"jmp short, next", {0xeb, 0x00}, 2, TRANSFER_JMP, 2},
    {"jmp near", {0xe9, 0x00, 0x01, 0, 0}, 5, TRANSFER_JMP, 0x105},
    {"jmp near backward", {0xe9, 0xf0, 0xff, 0xff, 0xff}, 5, TRANSFER_JMP, -11},
    {"jmp near, 66 ignored", {0x66, 0xe9, 0x10, 0, 0, 0}, 6, TRANSFER_JMP, 0x16},
    {"bnd jmp", {0xf2, 0xe9, 0x10, 0, 0, 0}, 6, TRANSFER_JMP, 0x16},
    {"call", {0xe8, 0, 0, 0, 0}, 5, TRANSFER_CALL, 5},
    {"call *rax", {0xff, 0xd0}, 0, TRANSFER_CALL_INDIRECT, 0},
    {"call *r11", {0x41, 0xff, 0xd3}, 0, TRANSFER_CALL_INDIRECT, 0},
    {"jmp *rax", {0xff, 0xe0}, 0, TRANSFER_JMP_INDIRECT, 0},
    {"jmp *disp(rip)", {0xff, 0x25, 1, 2, 3, 4}, 0, TRANSFER_JMP_INDIRECT, 0},
    {"notrack jmp *rax", {0x3e, 0xff, 0xe0}, 0, TRANSFER_JMP_INDIRECT, 0},
    {"far call *m", {0x48, 0xff, 0x1c, 0x24}, 0, TRANSFER_FAR_CALL, 0},
    {"far jmp *m", {0xff, 0x2c, 0x24}, 0, TRANSFER_FAR_JMP, 0},
    {"inc rax", {0x48, 0xff, 0xc0}, 0, OPERATION_OTHER, 0},
    {"push m", {0xff, 0x34, 0x24}, 0, OPERATION_OTHER, 0},
    {"ret", {0xc3}, 1, TRANSFER_RET, 0},
    {"rep ret", {0xf3, 0xc3}, 2, TRANSFER_RET, 0},
    {"ret n", {0xc2, 8, 0}, 3, TRANSFER_RET, 0},
    {"lretq", {0x48, 0xcb}, 2, TRANSFER_FAR_RET, 0},
    {"lret n", {0xca, 8, 0}, 3, TRANSFER_FAR_RET, 0},
    {"iretq", {0x48, 0xcf}, 2, TRANSFER_IRET, 0},
    {"int 81", {0xcd, 0x81}, 2, TRANSFER_INT, 0},
    {"int3", {0xcc}, 1, TRANSFER_INT3, 0},
    {"int1", {0xf1}, 1, TRANSFER_INT1, 0},
    {"into is #UD", {0xce}, 1, OPERATION_OTHER, 0},
    {"far jmp direct is #UD", {0xea}, 0, OPERATION_OTHER, 0},
    {"far call direct is #UD", {0x9a}, 0, OPERATION_OTHER, 0},
    {"syscall", {0x0f, 0x05}, 2, TRANSFER_SYSCALL, 0},
    {"sysretq", {0x48, 0x0f, 0x07}, 3, TRANSFER_SYSRET, 0},
    {"sysenter", {0x0f, 0x34}, 2, TRANSFER_SYSENTER, 0},
    {"sysexitq", {0x48, 0x0f, 0x35}, 3, TRANSFER_SYSEXIT, 0},
    {"rsm", {0x0f, 0xaa}, 2, OPERATION_UNFOLLOWABLE, 0},
    {"vmlaunch", {0x0f, 0x01, 0xc2}, 2, OPERATION_UNFOLLOWABLE, 0},
    {"xbegin", {0xc7, 0xf8, 0, 0, 0, 0}, 0, OPERATION_UNFOLLOWABLE, 0},
    {"mov imm", {0xc7, 0xc0, 0, 0, 0, 0}, 0, OPERATION_OTHER, 0},
    {"lidt", {0x0f, 0x01, 0x18}, 0, OPERATION_OTHER, 0},
    {"wrmsr", {0x0f, 0x30}, 0, OPERATION_OTHER, 0},
    {"setcc", {0x0f, 0x94, 0xc0}, 0, OPERATION_OTHER, 0},
    {"pushf", {0x9c}, 1, OPERATION_PUSHF, 0},
    {"popf", {0x9d}, 1, OPERATION_POPF, 0},
    {"sti", {0xfb}, 1, OPERATION_OTHER, 0},
    {"hlt", {0xf4}, 1, OPERATION_HALT, 0},
    {"cmc", {0xf5}, 0, OPERATION_OTHER, 0},
    {"mov ss, eax", {0x8e, 0xd0}, 2, OPERATION_OTHER, 0},
    {"mov ss, m", {0x8e, 0x14, 0x24}, 0, OPERATION_OTHER, 0},
    {"rep stosb", {0xf3, 0xaa}, 2, OPERATION_STRING, 0},
    {"stosb", {0xaa}, 0, OPERATION_OTHER, 0},
    {"all prefixes",
     {0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66},
     0,
     OPERATION_OTHER,
     0},
};

static const struct sample samples_32[] = {
    {"dec eax", {0x48}, 0, OPERATION_OTHER, 0},
    {"jmp near, 16 bits", {0x66, 0xe9, 0, 0}, 4, TRANSFER_JMP, 0x104 - 0x400100},
    {"jmp near", {0xe9, 0x10, 0, 0, 0}, 5, TRANSFER_JMP, 0x15},
    {"far jmp direct", {0xea, 0, 0, 0, 0, 8, 0}, 7, TRANSFER_FAR_JMP, 0},
    {"far call direct", {0x9a, 0, 0, 0, 0, 8, 0}, 7, TRANSFER_FAR_CALL, 0},
    {"lret", {0xcb}, 1, TRANSFER_FAR_RET, 0},
    {"iretd", {0xcf}, 1, TRANSFER_IRET, 0},
    {"popfd", {0x9d}, 1, OPERATION_POPF, 0},
};

static void check_sample(const struct sample *sample, bool code_is_64bit)
{
    struct branch_context at = context(code_is_64bit);
    struct branch_decoded got = branch_decode(sample->bytes, &at);
    uint64_t next = sample->length ? at.rip + sample->length : 0;
    uint64_t target = sample->displacement ? at.rip + (uint64_t)sample->displacement : 0;

    CHECK(got.operation == sample->operation, "%s: operation %d", sample->name, got.operation);
    CHECK(got.next == next, "%s: next %#llx", sample->name, (unsigned long long)got.next);
    if (sample->displacement)
        CHECK(got.target == target, "%s: %#llx", sample->name, (unsigned long long)got.target);
}

static void test_operations(void)
{
    for (size_t i = 0; i < sizeof samples_64 / sizeof samples_64[0]; i++)
        check_sample(&samples_64[i], true);
    for (size_t i = 0; i < sizeof samples_32 / sizeof samples_32[0]; i++)
        check_sample(&samples_32[i], false);
}

/* What a processor makes of it: SETcc under the same flags. */
#define CONDITION(number, name)                                                                    \
    case number:                                                                                   \
        __asm__("sub $128, %%rsp\n\t" /* past the red zone */                                      \
                "push %1\n\tpopf\n\t"                                                              \
                "lea 128(%%rsp), %%rsp\n\t"                                                        \
                "set" name " %0"                                                                   \
                : "=q"(held)                                                                       \
                : "r"(flags)                                                                       \
                : "cc", "memory");                                                                 \
        break

static bool condition_of_processor(unsigned condition, uint64_t flags)
{
    bool held = false;

    switch (condition) {
        CONDITION(0, "o");
        CONDITION(1, "no");
        CONDITION(2, "c");
        CONDITION(3, "nc");
        CONDITION(4, "z");
        CONDITION(5, "nz");
        CONDITION(6, "be");
        CONDITION(7, "a");
        CONDITION(8, "s");
        CONDITION(9, "ns");
        CONDITION(10, "p");
        CONDITION(11, "np");
        CONDITION(12, "l");
        CONDITION(13, "ge");
        CONDITION(14, "le");
        CONDITION(15, "g");
    }
    return held;
}

static void test_conditions(void)
{
    static const uint64_t bits[] = {CF, PF, ZF, SF, OF};

    for (unsigned set = 0; set < 32; set++) {
        struct branch_context at = context(true);

        at.rflags = 2;
        for (unsigned bit = 0; bit < 5; bit++)
            at.rflags |= set >> bit & 1 ? bits[bit] : 0;
        for (unsigned condition = 0; condition < 16; condition++) {
            bool expected = condition_of_processor(condition, at.rflags);
            uint8_t near[INSTRUCTION_BYTES_MAX] = {(uint8_t)(0x70 + condition), 4};
            uint8_t far[INSTRUCTION_BYTES_MAX] = {0x0f, (uint8_t)(0x80 + condition), 4};
            struct branch_decoded short_form = branch_decode(near, &at);
            struct branch_decoded long_form = branch_decode(far, &at);

            CHECK(short_form.operation == TRANSFER_JCC && short_form.taken == expected &&
                      short_form.target == RIP + 6,
                  "condition %u, flags %#llx", condition, (unsigned long long)at.rflags);
            CHECK(long_form.operation == TRANSFER_JCC && long_form.taken == expected &&
                      long_form.target == RIP + 10,
                  "condition %u, flags %#llx, 32 bits", condition, (unsigned long long)at.rflags);
        }
    }
}

static bool loop_is_taken(uint8_t opcode, uint64_t rcx, uint64_t flags, bool address_prefix,
                          bool code_is_64bit)
{
    uint8_t plain[INSTRUCTION_BYTES_MAX] = {opcode, 4};
    uint8_t prefixed[INSTRUCTION_BYTES_MAX] = {0x67, opcode, 4};
    struct branch_context at = context(code_is_64bit);

    at.rcx = rcx;
    at.rflags = flags;
    return branch_decode(address_prefix ? prefixed : plain, &at).taken;
}

static void test_loops(void)
{
    CHECK(loop_is_taken(0xe2, 2, 0, false, true), "LOOP, 2");
    CHECK(!loop_is_taken(0xe2, 1, 0, false, true), "LOOP, 1");
    CHECK(loop_is_taken(0xe2, 0, 0, false, true), "LOOP, 0 wraps");
    CHECK(loop_is_taken(0xe1, 2, ZF, false, true), "LOOPE, ZF");
    CHECK(!loop_is_taken(0xe1, 2, 0, false, true), "LOOPE");
    CHECK(!loop_is_taken(0xe1, 1, ZF, false, true), "LOOPE, 1");
    CHECK(loop_is_taken(0xe0, 2, 0, false, true), "LOOPNE");
    CHECK(!loop_is_taken(0xe0, 2, ZF, false, true), "LOOPNE, ZF");
    CHECK(loop_is_taken(0xe3, 0, 0, false, true), "JRCXZ, 0");
    CHECK(!loop_is_taken(0xe3, 1ull << 32, 0, false, true), "JRCXZ looks at 64 bits");
    CHECK(loop_is_taken(0xe3, 1ull << 32, 0, true, true), "JECXZ looks at 32");
    CHECK(!loop_is_taken(0xe2, (1ull << 32) + 1, 0, true, true), "LOOP by ECX");
    CHECK(loop_is_taken(0xe3, 1ull << 32, 0, false, false), "JECXZ in 32-bit code");
    CHECK(!loop_is_taken(0xe3, 1ull << 15, 0, true, false), "JCXZ looks at 16");
    CHECK(loop_is_taken(0xe3, 1ull << 16, 0, true, false), "JCXZ looks at no more");
}

static void test_details(void)
{
    struct branch_context at = context(true), compatible = context(false);

    CHECK(branch_decode((const uint8_t[15]){0xcd, 0x81}, &at).vector == 0x81, "INT's vector");
    CHECK(branch_decode((const uint8_t[15]){0xfb}, &at).delays_traps, "STI");
    CHECK(branch_decode((const uint8_t[15]){0x8e, 0xd0}, &at).delays_traps, "MOV SS");
    CHECK(!branch_decode((const uint8_t[15]){0x8e, 0xd8}, &at).delays_traps, "MOV DS");
    CHECK(branch_decode((const uint8_t[15]){0x48, 0xcf}, &at).operand_bytes == 8, "IRETQ");
    CHECK(branch_decode((const uint8_t[15]){0xcf}, &at).operand_bytes == 4, "IRETD");
    CHECK(branch_decode((const uint8_t[15]){0x66, 0xcf}, &at).operand_bytes == 2, "IRETW");
    CHECK(branch_decode((const uint8_t[15]){0x9d}, &at).operand_bytes == 8, "POPFQ");
    CHECK(branch_decode((const uint8_t[15]){0x9d}, &compatible).operand_bytes == 4, "POPFD");
    CHECK(!branch_decode((const uint8_t[15]){0xce}, &compatible).taken, "INTO, OF clear");
    compatible.rflags = OF;
    CHECK(branch_decode((const uint8_t[15]){0xce}, &compatible).taken, "INTO, OF set");
}

int main(void)
{
    test_operations();
    test_conditions();
    test_loops();
    test_details();
    return check_result();
}
