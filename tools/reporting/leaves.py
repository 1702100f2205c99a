# SPDX-License-Identifier: GPL-2.0-or-later
"""The CPUID leaves in a log, as a row of tests/host/real_processors.txt: of leaves 01H and 07H
only the bits that decide, and nothing that is 0. The log has those of the processor that booted."""

ALL = 0xFFFFFFFF
# Of EAX, EBX, ECX and EDX.
MASKS = {
    "1": (ALL, 0, 0x80008014, 0x200020),
    "7": (ALL, 1 << 11, 1 << 24, 1 << 15 | 1 << 19),
    "7.1": (1 << 8, 0, 0, 0),
    "1a": (ALL, 0, 0, 0),
}
UNAVAILABLE = 0x1880  # of IA32_MISC_ENABLE: counters are there, BTS and PEBS are not


def leaves_rows(runs):
    return "".join(f"{row_of(run)}\n" for run in runs).encode()


def row_of(run):
    processor = run["processor"]
    name = processor["brand"] or run["board"] or run["log"]
    if not (told := processor.get("leaves")):
        return f"# {name}: the log does not tell"
    words = dict(word.split("=", 1) for word in told.split() if "=" in word)
    row = [vendor(words["0.0"])] if "0.0" in words else []
    if processor["hypervisor"]:
        row.append("under=" + processor["hypervisor"].replace(" ", "_"))
    row += filter(None, (word_of(name, text) for name, text in words.items()))
    return f"{' '.join(row)} # {name}"


def word_of(name, text):
    """One of the row's words; None: all of it is 0."""
    values = [int(value, 16) for value in text.split(".")]
    name = name.removesuffix(".0")
    if name == "0":
        values = values[:1]
    elif name == "7":
        values[0] = min(values[0], 1)
    elif name == "msr1a0":
        values = [values[0] & UNAVAILABLE]
    values = [value & mask for value, mask in zip(values, MASKS.get(name, [~0] * len(values)))]
    while values and not values[-1]:
        values.pop()
    return f"{name}={'.'.join(f'{value:x}' for value in values)}" if values else None


def vendor(text):
    _, first, third, second = (int(value, 16) for value in text.split("."))
    letters = b"".join(word.to_bytes(4, "little") for word in (first, second, third))
    return letters.decode("ascii", "replace")
