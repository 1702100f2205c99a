/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For branch-stepping: TF goes along into ring 3 and back, as the frame for IRET has the RFLAGS of now and R11 is
 * left alone between SYSCALL and SYSRET. INT n at the end clears it (F9.6).
 */
#include "tests/workloads/truth.h"

        WORKLOAD_BEGIN branch_step_rings
        NEAR_BRANCHES branch_step_rings.kernel
        USER_FRAME $branch_step_rings.user, flags=now
        CROSS   IRET, branch_step_rings.user, 3, iretq

        .pushsection .user.text, "ax", @progbits
        NEAR_BRANCHES branch_step_rings.user
        CROSS   SYSCALL, branch_step_rings.syscall_landing, 0, syscall
        .popsection

branch_step_rings.syscall_landing:      # IF = 0 by IA32_FMASK, still on the stack of ring 3
        mov     $branch_step_rings.user_again, %rcx
        CROSS   SYSRET, branch_step_rings.user_again, 3, sysretq

        .pushsection .user.text, "ax", @progbits
branch_step_rings.user_again:
        BRANCH  JMP, branch_step_rings.user_last, jmp branch_step_rings.user_last
        ud2
branch_step_rings.user_last:
        SOFTWARE_INTERRUPT VECTOR_USER_INT, branch_step_rings.int_landing
        .popsection

branch_step_rings.int_landing:
        mov     %r15, %rsp
        sti
        nop
        WORKLOAD_RET
        WORKLOAD_END branch_step_rings, branch_step_rings.syscall_landing, branch_step_rings.int_landing

/* In compatibility mode: out to it with TF set, and back by an interrupt. */
        WORKLOAD_BEGIN branch_step_compat
        USER_FRAME $branch_step_compat.user, $SELECTOR_USER_CODE32, now
        CROSS   IRET, branch_step_compat.user, 3, iretq
        .pushsection .user.text, "ax", @progbits
        .code32
branch_step_compat.user:
        nop
        BRANCH  JMP, branch_step_compat.jumped, jmp branch_step_compat.jumped
        ud2
branch_step_compat.jumped:
        xor     %eax, %eax
        NOT_TAKEN jnz branch_step_compat.jumped
        nop
        BRANCH  JCC, branch_step_compat.equal, jz branch_step_compat.equal
        ud2
branch_step_compat.equal:
        mov     $branch_step_compat.there, %eax
        nop
        BRANCH  JMP_INDIRECT, branch_step_compat.there, jmp *%eax
        ud2
branch_step_compat.there:
        nop
        nop
        SOFTWARE_INTERRUPT VECTOR_USER_INT, branch_step_compat.landing
        .code64
        .popsection
branch_step_compat.landing:
        mov     %r15, %rsp
        sti
        nop
        WORKLOAD_RET
        WORKLOAD_END branch_step_compat, 0, branch_step_compat.landing

/* One branch, then instructions: with BTF cleared there is a trap after each of them. */
        .globl  branch_step_places, branch_step_places_end
        WORKLOAD_BEGIN branch_step_once
        nop
        BRANCH  JMP, branch_step_once.place0, jmp branch_step_once.place0
        ud2
branch_step_once.place0:
        nop
branch_step_once.place1:
        lea     1(%rax), %rax
branch_step_once.place2:
        nop
branch_step_once.place3:
        WORKLOAD_RET
        WORKLOAD_END branch_step_once

        .section .rodata, "a", @progbits
        .balign 8
branch_step_places:
        .quad   branch_step_once.place0, branch_step_once.place1
        .quad   branch_step_once.place2, branch_step_once.place3
branch_step_places_end:

/*
 * A branch of each kind while TF is clear; TF set, by POPF and by IRET; instructions that do not branch; a jump, which
 * is where the debug exception comes; TF cleared. No row of truth: the places are where each jump leads to.
 */
.macro SET_TRAP_FLAG_BY_POPF
        pushf
        orl     $RFLAGS_TF, (%rsp)
        popf
.endm

.macro SET_TRAP_FLAG_BY_IRET
        mov     %rsp, %rax
        mov     %ss, %ecx
        push    %rcx
        push    %rax
        pushf
        orl     $RFLAGS_TF, (%rsp)
        mov     %cs, %ecx
        push    %rcx
        push    $.Lset\@
        iretq
.Lset\@:
.endm

.macro STEPPED_FROM_HERE way
        SET_TRAP_FLAG_BY_\way
        nop
        lea     1(%rax), %rax
        cmp     %rax, %rax
        jne     .Lto\@
        jmp     .Lto\@
        ud2
.Lto\@:
        pushf
        andl    $~RFLAGS_TF, (%rsp)
        popf
        nop
        .pushsection .rodata, "a", @progbits
        .quad   .Lto\@
        .popsection
.endm

.macro EACH_BRANCH_THEN_STEPPED way
        xor     %ecx, %ecx
        je      .Lconditional\@
        ud2
.Lconditional\@:
        STEPPED_FROM_HERE \way

        xor     %ecx, %ecx
        jrcxz   .Ljrcxz\@
        ud2
.Ljrcxz\@:
        STEPPED_FROM_HERE \way

        mov     $2, %ecx
        loop    .Lloop\@
        ud2
.Lloop\@:
        STEPPED_FROM_HERE \way

        jmp     .Ljmp\@
        ud2
.Ljmp\@:
        STEPPED_FROM_HERE \way

        mov     $.Lindirect\@, %rax
        jmp     *%rax
        ud2
.Lindirect\@:
        STEPPED_FROM_HERE \way

        call    .Lcall\@
        ud2
.Lcall\@:
        add     $8, %rsp
        STEPPED_FROM_HERE \way

        mov     $.Lcall_indirect\@, %rax
        call    *%rax
        ud2
.Lcall_indirect\@:
        add     $8, %rsp
        STEPPED_FROM_HERE \way

        push    $.Lret\@
        ret
        ud2
.Lret\@:
        STEPPED_FROM_HERE \way

        mov     %cs, %ecx
        push    %rcx
        push    $.Lfar_ret\@
        lretq
        ud2
.Lfar_ret\@:
        STEPPED_FROM_HERE \way

        mov     %rsp, %rax
        mov     %ss, %ecx
        push    %rcx
        push    %rax
        pushf
        mov     %cs, %ecx
        push    %rcx
        push    $.Liret\@
        iretq
        ud2
.Liret\@:
        STEPPED_FROM_HERE \way
.endm

        .section .rodata, "a", @progbits
        .balign 8
        .globl  branch_step_late_places, branch_step_late_places_end
branch_step_late_places:
        .text
branch_step_late:
        EACH_BRANCH_THEN_STEPPED POPF
        EACH_BRANCH_THEN_STEPPED IRET
        ret
        .section .rodata, "a", @progbits
branch_step_late_places_end:
        .globl  workload_branch_step_late
workload_branch_step_late:
        .quad   branch_step_late.name, branch_step_late, 0, 0, 0, 0, 0, 0, 0, 0, 0
branch_step_late.name:
        .asciz  "branch_step_late"

/* HLT, which a timer ends, and the next instruction. No row of truth. */
        .globl  branch_step_hlt_at, branch_step_hlt_next
        .text
branch_step_hlt:
        nop
branch_step_hlt_at:
        hlt
branch_step_hlt_next:
        nop
        ret
        .globl  workload_branch_step_hlt
        .section .rodata, "a", @progbits
        .balign 8
workload_branch_step_hlt:
        .quad   branch_step_hlt.name, branch_step_hlt, 0, 0, 0, 0, 0, 0, 0, 0, 0
branch_step_hlt.name:
        .asciz  "branch_step_hlt"

/* TF is clear until SYSRET takes it from R11; back by INT n, which clears it. No row of truth. */
        .globl  branch_step_sysret_from, branch_step_sysret_user
        .text
branch_step_sysret:
        mov     %rsp, %r15
        mov     $branch_step_sysret_user, %rcx
        pushf
        pop     %r11
        or      $RFLAGS_TF, %r11
branch_step_sysret_from:
        sysretq
branch_step_sysret.landing:
        mov     %r15, %rsp
        sti
        nop
        ret
        .pushsection .user.text, "ax", @progbits
branch_step_sysret_user:
        nop
        nop
        int     $VECTOR_USER_INT
        .popsection
        .globl  workload_branch_step_sysret
        .section .rodata, "a", @progbits
        .balign 8
workload_branch_step_sysret:
        .quad   branch_step_sysret.name, branch_step_sysret, 0, 0, 0, branch_step_sysret.landing, 0, 0, 0, 0, 0
branch_step_sysret.name:
        .asciz  "branch_step_sysret"
