/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/screen/machine_lines.h"

void machine_add_lines(struct screen_flow *flow, const struct machine_name *machine,
                       bool with_board)
{
    screen_flow_add(flow, COLOUR_PLAIN, "%s, hypervisor: %s", machine->cpu, machine->hypervisor);
    screen_flow_add(flow, COLOUR_PLAIN, "%s, microcode 0x%08x", machine->signature,
                    machine->microcode);
    screen_flow_add(flow, COLOUR_PLAIN, "%s%s%s", machine->firmware,
                    machine->firmware_version[0] != '\0' ? ": " : "", machine->firmware_version);
    if (with_board && machine->board_name[0] != '\0')
        screen_flow_add(flow, COLOUR_PLAIN, "board: %s", machine->board_name);
    if (machine->serial_problem != NULL)
        screen_flow_add(flow, COLOUR_WARNING, "console without serial: %s",
                        machine->serial_problem);
}
