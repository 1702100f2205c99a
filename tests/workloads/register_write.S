/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A WRMSR between two jumps: the argument is the address of a struct register_write; without one it is a
 * write of 0 to IA32_DEBUGCTL. A value that is refused fails the test, and the rest of this runs all the same.
 */
#include "arch/cpu/ground/function.h"
#include "arch/cpu/ground/msr.h"
#include "tests/workloads/register_write.h"
#include "tests/workloads/truth.h"

        WORKLOAD_BEGIN register_write
        BRANCH  JMP, register_write.ahead, jmp register_write.ahead
        ud2
register_write.ahead:
        lea     register_write.without(%rip), %rax
        test    %rdi, %rdi
        cmovz   %rax, %rdi
        mov     REGISTER_WRITE_NUMBER(%rdi), %ecx
        mov     REGISTER_WRITE_VALUE(%rdi), %eax
        mov     REGISTER_WRITE_VALUE + 4(%rdi), %edx
register_write.at:
        wrmsr
register_write.behind:
        BRANCH  JMP, register_write.end, jmp register_write.end
        ud2
register_write.end:
        WORKLOAD_RET
        .pushsection .rodata, "a", @progbits
        .balign 8
register_write.without:
        .quad   IA32_DEBUGCTL, 0
        .popsection
        EXTABLE_MSR_FAULT register_write.at, register_write.behind
        WORKLOAD_END register_write, flags=WORKLOAD_DEBUGCTL
