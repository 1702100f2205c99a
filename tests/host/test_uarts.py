# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulated UARTs of boards without COM1, as small guests see them, and what comes out."""

import pytest

ONES = 0xFFFFFFFF
EMPTY = 0x60  # line status: nothing waits to be sent


@pytest.fixture
def run_uart(run_guest, tmp_path):
    """run_uart(guest, device) -> (its numbers, the bytes that the UART has sent)."""

    def run(name, device):
        sent = tmp_path / "sent"
        line = f"file,id=line,path={sent}"
        guest = run_guest(name, options=["-chardev", line, "-device", f"{device},chardev=line"])
        return guest.numbers, sent.read_bytes()

    return run


LAYOUTS = {
    "narrow": ("stride=1,width=1", b"every byte\n"),
    "spread": ("stride=4,width=1", b"every fourth byte\n"),
    "wide": ("stride=4,width=4", b"every fourth byte, four at once\n"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_uart_in_memory_answers_in_its_own_layout(run_uart, layout):
    options, line = LAYOUTS[layout]
    numbers, sent = run_uart("uart_mmio", f"mmio-uart,{options}")
    assert [numbers[f"{layout}_{what}"] for what in ("first", "second")] == [0x35, 0xCA]
    assert numbers[f"{layout}_lsr"] == EMPTY and line in sent
    for name in set(LAYOUTS) - {layout}:
        assert (numbers[f"{name}_first"], numbers[f"{name}_second"]) != (0x35, 0xCA)


def test_accesses_of_another_width_are_lost(run_uart):
    numbers, sent = run_uart("uart_mmio", "mmio-uart,stride=4,width=4")
    for name in ("narrow", "spread"):
        assert {numbers[f"{name}_{what}"] for what in ("first", "second", "lsr")} == {0xFF}
    assert sent == LAYOUTS["wide"][1]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("stride=2", "stride is 1 or 4"),
        ("stride=1,width=4", "width is 1, or 4 with stride=4"),
        ("addr=0xfe030010", "addr is no page"),
    ],
)
def test_uarts_that_cannot_be_are_refused(run_guest, options, told):
    guest = run_guest("uart_mmio", options=["-device", f"mmio-uart,{options}"])
    assert guest.status == 1 and not guest.lines and told in guest.messages


def test_uart_of_the_low_power_subsystem_waits_in_reset(run_uart):
    numbers, sent = run_uart("uart_lpss", "lpss-uart,sleeps=on")
    assert numbers["class"] >> 16 == 0x0780 and numbers["power"] & 3 == 3
    assert (numbers["resets_asleep"], numbers["resets"]) == (ONES, 0), "asleep it heard nothing"
    assert numbers["scratch_in_reset"] == ONES
    assert (numbers["scratch"], numbers["lsr"]) == (0x35, EMPTY)
    assert (numbers["byte"], numbers["scratch_again"]) == (0xFF, 0x35), "32 bits alone"
    assert (numbers["lcr"], numbers["lcr_after_reset"]) == (3, 0)
    check_sent(sent)


def check_sent(sent):
    """What its rate makes of each line: right, garbage, right, right, nothing."""
    first, rest = sent.split(b"\n", 1)
    assert first == b"firmware's clock, divided by 5"
    garbage, rest = rest.split(b"1.8432 MHz", 1)
    assert len(garbage) == len("firmware's clock, divided by 1\n")
    assert all(byte >= 0x80 for byte in garbage)
    assert rest == b", divided by 1\nas before\n"


def test_uart_of_the_low_power_subsystem_may_be_awake(run_uart):
    numbers, sent = run_uart("uart_lpss", "lpss-uart")
    assert numbers["power"] & 3 == 0 and numbers["resets_asleep"] == 7
    check_sent(sent)


def test_clock_of_the_low_power_subsystem_is_the_boards_affair(run_uart):
    """120 MHz by 48/3125: one sixteenth of it is the line's rate."""
    _, sent = run_uart("uart_lpss", f"lpss-uart,clock={1 << 31 | 3125 << 16 | 48 << 1 | 1}")
    assert b"firmware's clock, divided by 1\n" in sent
    assert b"firmware's clock, divided by 5" not in sent
