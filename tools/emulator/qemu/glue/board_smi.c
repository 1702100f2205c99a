// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System-management interrupts at random, sent to every processor at once as by a chipset.
 *
 * A processor whose SMBASE firmware has moved has a handler, and it runs. On the others (SeaBIOS
 * moves only the first processor's SMBASE, UEFI firmware without SMM none) ordinary memory lies
 * there, and running it would crash. There the SMI is served as by an invisible handler that only
 * takes time.
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "state.h"
#include "exec/cpu-common.h"
#include "hw/i386/apic_internal.h"
#include "hw/southbridge/ich9.h"
#include "tcg/helper-tcg.h"

#define SMBASE_AFTER_RESET 0x30000

/* A handler that waits for hardware. Time goes on meanwhile, in every clock of the machine. */
static void pass_time(uint32_t microseconds)
{
    bool locked = bql_locked();

    if (microseconds == 0) {
        return;
    }
    if (locked) {
        bql_unlock();
    }
    g_usleep(microseconds);
    if (locked) {
        bql_lock();
    }
}

static bool waits_for_startup(const X86CPU *cpu)
{
    return cpu->apic_state && APIC_COMMON(cpu->apic_state)->wait_for_sipi;
}

static bool somebody_waits_for_startup(void)
{
    for (CPUState *cs = first_cpu; cs; cs = CPU_NEXT(cs)) {
        if (waits_for_startup(X86_CPU(cs))) {
            return true;
        }
    }
    return false;
}

/* The handler of the first processor goes on only when all have come, or after a time. */
static void serve(X86CPU *cpu)
{
    const struct board *board = &cpu->debug_store->board;

    pass_time(board->smi_length);
    if (CPU(cpu) == first_cpu && board->smi_waits > 0 && somebody_waits_for_startup()) {
        pass_time(board->smi_waits * 1000);
    }
}

/* Otherwise an interrupt that STI holds off would come right after RSM, before the HLT that waits
 * for it. */
static bool is_behind_sti(const X86CPU *cpu)
{
    return cpu->env.hflags & HF_INHIBIT_IRQ_MASK;
}

bool debug_store_smi_waits(X86CPU *cpu)
{
    CPUState *cs = CPU(cpu);

    if (!debug_store_present(cpu)) {
        return false;
    }
    if (is_behind_sti(cpu)) {
        return true;
    }
    if (!(cs->interrupt_request & CPU_INTERRUPT_MCE)) {
        return false;
    }
    cs->interrupt_request &= ~CPU_INTERRUPT_MCE;
    do_interrupt_x86_hardirq(&cpu->env, EXCP12_MCHK, 0);
    return true;
}

/* Between two instructions of this processor. */
static void take_smi(CPUState *cs, run_on_cpu_data unused)
{
    X86CPU *cpu = X86_CPU(cs);
    CPUX86State *env = &cpu->env;
    DebugStore *store = cpu->debug_store;

    qatomic_set(&store->board.smi_sent, false);
    if (waits_for_startup(cpu)) {
        return; /* after INIT none is taken; which one of them is kept makes no difference here */
    }
    if (env->smbase != SMBASE_AFTER_RESET) {
        cpu_interrupt(cs, CPU_INTERRUPT_SMI);
    } else if (!(env->hflags & HF_SMM_MASK)) {
        debug_store_smm_entered(env);
        env->msr_smi_count++;
        ds_smm_leave(&store->model);
        debug_store_after_event(store);
        store->board.halted = store->board.smi_in_halt;
        serve(cpu);
    }
}

/* One that still waits and this one are the same. */
static void send_smi_to(X86CPU *cpu)
{
    if (!qatomic_xchg(&cpu->debug_store->board.smi_sent, true)) {
        async_run_on_cpu(CPU(cpu), take_smi, RUN_ON_CPU_NULL);
    }
}

void board_send_smi(void)
{
    for (CPUState *cs = first_cpu; cs; cs = CPU_NEXT(cs)) {
        if (debug_store_present(X86_CPU(cs))) {
            send_smi_to(X86_CPU(cs));
        }
    }
}

/* Halted at this instruction, with everything held back that could end it. */
static void take_last_smi(CPUState *cs, run_on_cpu_data unused)
{
    X86CPU *cpu = X86_CPU(cs);

    if (cpu->apic_state && APIC_COMMON(cpu->apic_state)->wait_for_sipi) {
        return;
    }
    cpu->debug_store->board.stuck = true;
    cpu->env.hflags2 &= ~HF2_GIF_MASK;
    cs->halted = 1;
}

void board_stick(X86CPU *cpu)
{
    async_run_on_cpu(CPU(cpu), take_last_smi, RUN_ON_CPU_NULL);
}

void board_stick_all(void)
{
    for (CPUState *cs = first_cpu; cs; cs = CPU_NEXT(cs)) {
        if (debug_store_present(X86_CPU(cs))) {
            board_stick(X86_CPU(cs));
        }
    }
}

static void send_smi(X86CPU *cpu, unsigned unused)
{
    if (cpu->debug_store->board.smi_alone) {
        send_smi_to(cpu);
    } else {
        board_send_smi();
    }
}

/* The chipset's status says where an SMI is from. SeaBIOS's handler reads only the port of
 * commands, and would take the firmware's last command for a new one, with the present ECX and EBX.
 */
void board_forget_smi_command(void)
{
    ICH9LPCState *lpc = (ICH9LPCState *)object_resolve_path_type("", TYPE_ICH9_LPC_DEVICE, NULL);

    if (lpc) {
        lpc->apm.apmc = 0;
    }
}

void board_start_smis(X86CPU *cpu)
{
    struct board *board = &cpu->debug_store->board;

    if (board->smi_alone || CPU(cpu) == first_cpu) {
        board->smi.cpu = cpu;
        board->smi.rate = board->smi_rate;
        board->smi.happens = send_smi;
        board_start(&board->smi);
    }
}

void board_smi_comes(DebugStore *store)
{
    struct board *board = &store->board;

    board->smi_in_halt = board->halted;
    board->smi_eip = store->cpu->env.eip;
    board->halted = false;
}

/* A processor that was halted is so again after RSM, if its handler says nothing else. */
void board_smi_is_over(DebugStore *store)
{
    struct board *board = &store->board;
    CPUState *cs = CPU(store->cpu);

    serve(store->cpu);
    if (board->smi_in_halt && board->smi_eip == store->cpu->env.eip) {
        board->halted = true;
        cs->halted = 1;
        cs->exception_index = EXCP_HLT;
        cpu_loop_exit(cs);
    }
}
