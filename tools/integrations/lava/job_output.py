# SPDX-License-Identifier: GPL-2.0-or-later
"""Extracts from the output of lava-run what the board said and what LAVA says went wrong.

Each line of it is a mapping in YAML: when, which kind, what. `target` is the console. LAVA writes a
backslash before each double quote there, and leaves out empty lines, CR and the escape character.
LAVA logs what it types itself (`input`: poweroff, telnet's quit), and the answers of terminal and
telnet, as the board's output. So once it types after the verdict, nothing is the board's.
"""

import re
from dataclasses import dataclass

from transport import VerdictWatch

RECORD = re.compile(r'(?:- )?(\{"dt":.*\})')
JOB = ("lava", "job")  # definition and case of LAVA's own result
UNREADABLE = "unreadable"  # a kind of ours
TIMED_OUT = re.compile(r"tim(?:ed|e)[- ]?out", re.IGNORECASE)


@dataclass
class Output:
    console: bytes = b""
    trouble: str = ""  # why LAVA says that the job failed; a test that fails is none to it
    timed_out: bool = False
    unreadable: int = 0  # lines that look like LAVA's and are none


class Console:
    """What the board said, without what LAVA typed."""

    def __init__(self):
        self.lines, self.watch, self.typed, self.is_over = [], VerdictWatch(), "", False

    def input(self, message):
        self.typed, self.is_over = str(message).strip(), self.watch.seen

    def target(self, message):
        if self.is_over or message.strip("\x1d") == self.typed:
            return
        self.lines.append(message.replace('\\"', '"').encode("utf-8", "replace") + b"\n")
        self.watch.heard(self.lines[-1])


def read_output(raw, yaml):
    """yaml: the module, which not every machine has."""
    output, console = Output(), Console()
    for kind, message in records(raw, yaml):
        if kind == "input":
            console.input(message)
        elif kind == "target" and isinstance(message, str):
            console.target(message)
        elif kind == "results" and isinstance(message, dict):
            take_result(message, output)
        elif kind == UNREADABLE:
            output.unreadable += 1
    output.console = b"".join(console.lines)
    return output


def records(raw, yaml):
    """(kind, message) of each line that looks like LAVA's."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for line in raw.decode("utf-8", "replace").split("\n"):
        if not (match := RECORD.match(line.strip())):
            continue
        try:
            record = yaml.load(match[1], Loader=loader)
            yield record["lvl"], record["msg"]
        except (yaml.YAMLError, KeyError, TypeError, ValueError, RecursionError):
            yield UNREADABLE, None


def take_result(message, output):
    if (message.get("definition"), message.get("case")) == JOB and message.get("result") == "fail":
        output.trouble = str(message.get("error_msg") or message.get("error_type") or "no reason")
        output.timed_out = bool(TIMED_OUT.search(output.trouble))
