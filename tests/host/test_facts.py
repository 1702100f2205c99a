# SPDX-License-Identifier: GPL-2.0-or-later
"""tools/facts: numbers that lead nowhere. (This file's numbers are invented: `tools/lint facts`
does not read it.)"""

import re
import subprocess

import pytest
from conftest import ROOT, execute

SOME_FACTS = """
- **F1.1** One.
- **F1.2** Two, as ERRATA A1 has it.
- **F1.3a** Three.

## D. Where they disagree
| 1 | one |
| 20 | twenty |

## E. Confidence
| 3 | no disagreement |
"""
SOME_ERRATA = (
    "| A1 | M | Title | AAJ18, CFL-054 |\n| L2 | M | Seen | all |\n\n## Rows per part\n| B7 |\n"
)


@pytest.fixture
def facts(tmp_path):
    """facts(text) -> what tools/facts answers where a source has that text."""
    (tmp_path / "arch").mkdir()

    def ask(text, some_facts=SOME_FACTS, source="a.c"):
        (tmp_path / "arch/FACTS.md").write_text(some_facts, encoding="utf-8")
        (tmp_path / "arch/ERRATA.md").write_text(SOME_ERRATA, encoding="utf-8")
        (tmp_path / source).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / source).write_text(text, encoding="utf-8")
        command = [str(ROOT / "tools/facts")]
        names = f"arch/FACTS.md\narch/ERRATA.md\n{source}\n"
        options = {"input": names, "cwd": tmp_path, "capture_output": True, "text": True}
        return subprocess.run(command, check=False, **options)

    return ask


LEADS = ["F1.1", "F1.3a", "F1.1 to F1.2", "D 20", "D1", "L2", "ERRATA A1", "ERRATA.md A1"]
LEADS += ["AAJ018", "AAJ18", "CFL54", "0xF9.5", "XAAJ19"]
LOST = ["F1.3", "F9.1", "F1.1a", "F1.1 to F1.9", "F1.2-1", "D 3", "D2", "D 21", "L1", "ERRATA A2"]
LOST += ["ERRATA B7", "AAJ19", "CFL-55", "HSD53", "W125"]


@pytest.mark.parametrize("number", LEADS)
def test_number_that_leads_to_its_place(facts, number):
    answer = facts(f"/* In words, {number}. */\n")
    assert (answer.returncode, answer.stderr) == (0, "")


@pytest.mark.parametrize("number", LOST)
def test_number_that_leads_nowhere(facts, number):
    answer = facts(f"int first;\nint second; /* In words ({number}) */\n")
    assert answer.returncode == 1
    assert re.match(r"a\.c:2: \S.* leads nowhere\n", answer.stderr), answer.stderr


@pytest.mark.parametrize(
    "comment", ["/* F1.1 */", "// (F1.1)", "# F1.1, D 20", "/* F1.1 to F1.2. */"]
)
def test_number_without_words(facts, comment):
    answer = facts(f"first\nsecond {comment}\n")
    assert answer.returncode == 1
    assert answer.stderr.startswith("a.c:2: a number without the fact in words\n")


@pytest.mark.parametrize(
    "comment", ["/* One: F1.1 */", "/* F1.1: one */", "/* */", "# and", "/*F1.1, A-1*/"]
)
def test_number_with_words(facts, comment):
    answer = facts(f"{comment}\n")
    assert (answer.returncode, answer.stderr) == (0, "")


def test_tests_of_the_host_invent_errata_and_no_facts(facts):
    assert facts("/* One: HSD53 */", source="tests/host/test_a.py").returncode == 0
    assert facts("/* One: F9.1 */", source="tests/host/test_a.py").returncode == 1
    assert facts("/* One: HSD53 */", source="tests/host/unit/a.c").returncode == 1


def test_number_that_two_facts_have(facts):
    answer = facts("", SOME_FACTS + "- **F1.2** Another.\n")
    assert answer.returncode == 1
    assert answer.stderr.startswith("F1.2: defined twice\n")


def test_where_there_are_none(tmp_path):
    answer = execute(ROOT / "tools/facts", input="", cwd=tmp_path)
    assert answer.returncode == 1
    assert answer.stderr == "facts: no arch/FACTS.md here; start it in the tree's root\n"
