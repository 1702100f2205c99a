/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/apic/device_interrupts.h"
#include "arch/cpu/ground/insn.h"

#define FIRST_COMMAND  0x20u
#define FIRST_DATA     0x21u
#define SECOND_COMMAND 0xa0u
#define SECOND_DATA    0xa1u

#define INIT            0x11u /* edge-triggered, two of them, a fourth word follows */
#define FIRST_CASCADE   0x04u /* the second one is at input 2, as a mask */
#define SECOND_IDENTITY 0x02u /* … and as a number */
#define MODE_8086       0x01u
#define MASK_ALL        0xffu

#define READ_IN_SERVICE  0x0bu
#define END_OF_INTERRUPT 0x20u /* of the highest one in service */
#define INPUTS           8u    /* of one */

static void init(uint16_t command, uint16_t data, uint8_t vector, uint8_t wiring)
{
    insn_out8(command, INIT);
    insn_out8(data, vector);
    insn_out8(data, wiring);
    insn_out8(data, MODE_8086);
    insn_out8(data, MASK_ALL);
}

void pic_init(void)
{
    insn_out8(SECOND_DATA, MASK_ALL);
    insn_out8(FIRST_DATA, MASK_ALL);
    init(FIRST_COMMAND, FIRST_DATA, PIC_VECTOR, FIRST_CASCADE);
    init(SECOND_COMMAND, SECOND_DATA, PIC_VECTOR + INPUTS, SECOND_IDENTITY);
}

static bool is_in_service(uint16_t command, unsigned input)
{
    insn_out8(command, READ_IN_SERVICE);
    return insn_in8(command) >> input & 1;
}

bool pic_end(uint8_t vector)
{
    unsigned input = vector - PIC_VECTOR;
    if (vector < PIC_VECTOR || input >= PIC_INPUTS)
        return false;
    bool is_second = input >= INPUTS;
    if (is_second && is_in_service(SECOND_COMMAND, input - INPUTS))
        insn_out8(SECOND_COMMAND, END_OF_INTERRUPT);
    if (is_second || is_in_service(FIRST_COMMAND, input))
        insn_out8(FIRST_COMMAND, END_OF_INTERRUPT);
    return true;
}
