# SPDX-License-Identifier: GPL-2.0-or-later
"""From the output of lava-run to what the board said, and to what LAVA says went wrong.

Each line of it is a mapping in YAML: when, which kind, what. `target` is the console. LAVA writes a
backslash before each double quote there, and leaves out empty lines, CR and the escape character.
What LAVA itself types (`input`) the terminal repeats.
"""

import re
from dataclasses import dataclass

RECORD = re.compile(r'(?:- )?(\{"dt":.*\})')
JOB = ("lava", "job")  # definition and case of LAVA's own result
TIMED_OUT = re.compile(r"tim(?:ed|e)[- ]?out", re.IGNORECASE)


@dataclass
class Output:
    console: bytes = b""
    trouble: str = ""  # why LAVA says that the job failed; a test that fails is none to it
    timed_out: bool = False
    unreadable: int = 0  # lines that look like LAVA's and are none


def read_output(raw, yaml):
    """yaml: the module, which not every machine has."""
    output, lines, typed = Output(), [], ""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for line in raw.decode("utf-8", "replace").split("\n"):
        if not (match := RECORD.match(line.strip())):
            continue
        try:
            record = yaml.load(match[1], Loader=loader)
            kind, message = record["lvl"], record["msg"]
        except (yaml.YAMLError, KeyError, TypeError, ValueError, RecursionError):
            output.unreadable += 1
            continue
        if kind == "input":
            typed = str(message).strip()
        elif kind == "target" and isinstance(message, str):
            if typed and message == typed:
                typed = ""
                continue
            lines.append(message.replace('\\"', '"'))
        elif kind == "results" and isinstance(message, dict):
            take_result(message, output)
    output.console = "".join(line + "\n" for line in lines).encode("utf-8", "replace")
    return output


def take_result(message, output):
    if (message.get("definition"), message.get("case")) == JOB and message.get("result") == "fail":
        output.trouble = str(message.get("error_msg") or message.get("error_type") or "no reason")
        output.timed_out = bool(TIMED_OUT.search(output.trouble))
