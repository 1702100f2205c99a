/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory accesses with a fixup; all return a struct exception in RAX. */
#include "arch/cpu/ground/function.h"
#include "arch/cpu/ground/percpu.h"

    .text
    FUNCTION probe_read         /* RDI = address, RSI = where to */
1:  mov (%rdi), %al
    mov %al, (%rsi)
    mov $NO_VECTOR, %eax
2:  ret
    EXTABLE 1b, 2b
    END probe_read

    FUNCTION probe_write        /* RDI = address, SIL = value */
1:  mov %sil, (%rdi)
    mov $NO_VECTOR, %eax
2:  ret
    EXTABLE 1b, 2b
    END probe_write

    .globl probe_execute, probe_execute_fixup
    .type probe_execute, @function
    .type probe_execute_fixup, @function
probe_execute:                  /* RDI = address of a RET */
    lea -8(%rsp), %rax          /* RSP in the code called: how an exception in it is recognised */
    mov %rax, %gs:CPU_EXECUTE_PROBE
1:  call *%rdi
    mov $NO_VECTOR, %eax
2:  movq $0, %gs:CPU_EXECUTE_PROBE
    ret
    EXTABLE 1b, 2b              /* a non-canonical address raises it in the CALL */
probe_execute_fixup:
    add $8, %rsp                /* the return address that CALL pushed */
    jmp 2b
    END probe_execute

    FUNCTION probe_int1
1:  .byte 0xf1
2:  mov $NO_VECTOR, %eax        /* a trap returns here */
3:  ret
    EXTABLE 1b, 3b
    EXTABLE 2b, 3b
    END probe_int1
