# SPDX-License-Identifier: GPL-2.0-or-later
"""Logs that differ from a real one in one place, made by machine.

A mutation takes the lines of a log and the number of one of them, and returns the lines changed,
or None where it can do nothing there.
"""

import random
import re

from judge import judge
from judgement_text import ENDED_WELL

STRUCTURE = re.compile(r" *(?:KTAP version 1$|1\.\.\d|# Subtest: |(?:not )?ok \d)")
ENDING = re.compile(r"# (?:totals|results|verdict): ")
RESULT = re.compile(r"( *)(not ok|ok) (\d+) (\S+)( # (?:SKIP|XFAIL) .*)?")
NAMED = re.compile(r" *(?:# Subtest: |(?:not )?ok \d+ )(\S+)")


def indent(line):
    return len(line) - len(line.lstrip(" "))


def with_line(lines, number, *instead):
    return [*lines[:number], *instead, *lines[number + 1 :]]


def end_of_block(lines, number):
    """Behind the last line of the nested block that begins there; None where none begins."""
    depth = indent(lines[number])
    if depth == 0 or lines[number].strip() != "KTAP version 1":
        return None
    end = number
    while indent(lines[end]) >= depth:
        end += 1
    return end


def remove_block(lines, number, _):
    end = end_of_block(lines, number)
    return end and lines[:number] + lines[end:]


def remove_block_and_its_result(lines, number, _):
    end = end_of_block(lines, number)
    return end and lines[:number] + lines[end + 1 :]


def duplicate_block(lines, number, _):
    end = end_of_block(lines, number)
    return end and lines[:end] + lines[number:]


def remove_line(lines, number, _):
    return with_line(lines, number)


def duplicate_line(lines, number, _):
    """Of the last lines only the whole ending may come again, as long as it is the same."""
    return None if ENDING.match(lines[number]) else with_line(lines, number, *[lines[number]] * 2)


def swap_lines(lines, number, chance):
    other = chance.choice([n for n, line in enumerate(lines) if STRUCTURE.match(line)])
    changed = list(lines)
    changed[number], changed[other] = lines[other], lines[number]
    return changed


def swap_with_next(lines, number, _):
    """Where a remark stands among the results says nothing."""
    pair = lines[number : number + 2]
    if not all(map(STRUCTURE.match, pair)):
        return None
    return lines[:number] + pair[::-1] + lines[number + 2 :]


def rename(lines, number, chance):
    if not (match := NAMED.match(lines[number])):
        return None
    at = chance.randrange(*match.span(1))
    return with_line(lines, number, lines[number][:at] + "Z" + lines[number][at + 1 :])


def flip(lines, number, _):
    if not (match := RESULT.fullmatch(lines[number])):
        return None
    word = "ok" if match[2] == "not ok" else "not ok"
    return with_line(lines, number, lines[number].replace(match[2], word, 1))


def drop_directive(lines, number, _):
    if not (match := RESULT.fullmatch(lines[number])) or not match[5]:
        return None
    return with_line(lines, number, lines[number].removesuffix(match[5]))


def drop_reason(lines, number, _):
    if not (match := RESULT.fullmatch(lines[number])) or not match[5]:
        return None
    return with_line(lines, number, lines[number][: match.start(5)] + " # SKIP")


def make_it_a_skip(lines, number, _):
    match = RESULT.fullmatch(lines[number])
    return match and not match[5] and with_line(lines, number, lines[number] + " # SKIP no DS")


def renumber(lines, number, chance):
    found = list(re.finditer(r"\d", lines[number]))
    if not found:
        return None
    at = chance.choice(found).start()
    digit = str((int(lines[number][at]) + chance.randrange(1, 10)) % 10)
    return with_line(lines, number, lines[number][:at] + digit + lines[number][at + 1 :])


def indent_more(lines, number, _):
    return with_line(lines, number, "  " + lines[number])


def cut_off(lines, number, chance):
    return with_line(lines, number, lines[number][: chance.randrange(len(lines[number]))])


def garble(lines, number, chance):
    at = chance.randrange(len(lines[number]))
    return with_line(lines, number, lines[number][:at] + "\x07" + lines[number][at + 1 :])


def glue_to_next(lines, number, _):
    """The very last newline is missed by nobody."""
    if not lines[number + 1]:
        return None
    return lines[:number] + ["".join(lines[number : number + 2])] + lines[number + 2 :]


MUTATIONS = [
    *(remove_block, remove_block_and_its_result, duplicate_block),
    *(remove_line, duplicate_line, swap_lines, swap_with_next, glue_to_next),
    *(rename, flip, drop_directive, drop_reason, make_it_a_skip, renumber),
    *(indent_more, cut_off, garble),
]


def mutants(raw, chance, most):
    """(mutation, line, log) of every mutation, at so many lines at most, which chance chooses."""
    lines = raw.decode().replace("\r\n", "\n").split("\n")
    places = [n for n, line in enumerate(lines) if STRUCTURE.match(line) or ENDING.match(line)]
    for mutate in MUTATIONS:
        made = 0
        for number in chance.sample(places, len(places)):
            changed = mutate(lines, number, chance) if made < most else None
            if changed and changed != lines:
                made += 1
                yield mutate.__name__, lines[number], "\r\n".join(changed).encode()


def believed(raw, seed, most):
    """Of the log's mutants, those that a judge takes for a good run."""
    assert judge(raw).status in ENDED_WELL, judge(raw).reasons
    return [
        (name, line)
        for name, line, mutant in mutants(raw, random.Random(seed), most)
        if judge(mutant).status in ENDED_WELL
    ]
