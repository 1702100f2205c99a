# SPDX-License-Identifier: GPL-2.0-or-later
"""The calls at the seams of the model: every patch does what it promises, or is named."""

import re
import shutil
import sys

import pytest
from conftest import ROOT, execute

sys.path.insert(0, str(ROOT / "tools/emulator"))

from builder import BuildError, entries  # noqa: E402
from builder.weave import weave  # noqa: E402

EMULATOR = ROOT / "tools/emulator"
MODEL = EMULATOR / "model"
SOURCE = """\
static int decide(const struct ds_cpu *cpu)
{
    return cpu->in_smm;
}

static int other(const struct ds_cpu *cpu)
{
    return cpu->present;
}
"""
PATCH = """\
// in decide
@@
@@
- cpu->in_smm
+ (cpu->in_smm || fault_in_smm(cpu))
"""


@pytest.fixture
def small(tmp_path):
    """A model of one file and one patch."""
    model = tmp_path / "a model"
    (model / "faults").mkdir(parents=True)
    (model / "bts.c").write_text(SOURCE)
    (model / "faults/bts.cocci").write_text(PATCH)
    return model


def test_fault_is_where_its_patch_says(small, tmp_path):
    weave(small, tmp_path / "woven here")
    text = (tmp_path / "woven here/bts.c").read_text()
    assert re.search(r"return \(cpu->in_smm \|\| fault_in_smm\(cpu\)\);", text)
    assert (small / "bts.c").read_text() == SOURCE


@pytest.mark.parametrize(
    "patch, named",
    [
        (
            PATCH.replace("cpu->in_smm", "cpu->in_cmm"),
            "fault_in_smm was inserted 0 times in decide",
        ),
        (PATCH.replace("in decide", "in other"), "fault_in_smm was inserted 1 times in decide"),
        (
            PATCH.replace("in decide", "in decide decide"),
            "inserted 1 times in decide, where it must",
        ),
        (
            PATCH.replace("cpu->in_smm", "cpu->present"),
            "fault_in_smm was inserted 1 times in other",
        ),
        (PATCH.replace("+ (", "+ ((("), "spatch did not take it"),
        (PATCH.replace("// in decide\n", ""), "not every rule says"),
        (PATCH + PATCH.replace("// in decide\n", ""), "not every rule says"),
        (PATCH.replace("fault_in_smm(cpu)", "true"), "a rule in decide inserts no fault"),
    ],
)
def test_patch_that_does_not_fit_is_named(small, tmp_path, patch, named):
    (small / "faults/bts.cocci").write_text(patch)
    with pytest.raises(BuildError) as caught:
        weave(small, tmp_path / "woven")
    assert named in str(caught.value) and "bts.cocci" in str(caught.value)
    assert not (tmp_path / "woven").exists()


def test_every_patch_that_does_not_fit_is_named(small, tmp_path):
    (small / "faults/bts.cocci").write_text(PATCH.replace("cpu->in_smm", "cpu->in_cmm"))
    (small / "faults/gone.cocci").write_text(PATCH)
    with pytest.raises(BuildError) as caught:
        weave(small, tmp_path / "woven")
    assert "bts.cocci: bts.c: fault_in_smm was inserted 0 times" in str(caught.value)
    assert "gone.cocci: gone.c: there is no such file" in str(caught.value)


def test_second_time_changes_nothing_but_what_changed(small, tmp_path):
    (small / "same.h").write_text("int same;\n")
    woven = tmp_path / "woven"
    weave(small, woven)
    before = {path.name: path.stat().st_mtime_ns for path in woven.rglob("*.[ch]")}
    (small / "bts.c").write_text(SOURCE + "int more;\n")
    (small / "same.h").rename(small / "other.h")
    weave(small, woven)
    after = {path.name: path.stat().st_mtime_ns for path in woven.rglob("*.[ch]")}
    assert set(after) == {"bts.c", "other.h", "fault_list.h"} and after["bts.c"] != before["bts.c"]
    weave(small, woven)
    assert after == {path.name: path.stat().st_mtime_ns for path in woven.rglob("*.[ch]")}


def test_build_of_the_model_ends_where_a_patch_does_not_fit(tmp_path):
    copy = tmp_path / "emulator"
    shutil.copytree(EMULATOR, copy)
    source = copy / "model/bts.c"
    changed = source.read_text().replace("bool os = cpl == 0;", "bool os = cpl < 1;")
    assert changed != source.read_text()
    source.write_text(changed)
    command = ["make", "-s", "-C", str(copy / "model"), "library", f"BUILD={tmp_path}/build"]
    answer = execute(*command, timeout=120)
    assert answer.returncode != 0
    assert "bts.c: 'bool os = cpl == 0;' stands 0 times in cpl_is_off" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_healthy_sources_know_no_fault():
    """Errata are another thing: their table says which faults are the effect of one."""
    healthy = [path for path in MODEL.glob("*.c") if not path.name.startswith("errata")]
    assert len(healthy) > 20
    for path in healthy:
        assert not re.search(r"\bFAULT_|\bfault_|\bfault\(|fault_memory", path.read_text()), path


def test_every_wrong_processor_is_woven_in():
    """By an edit, or by a helper that asks for it."""
    helpers = [*MODEL.glob("faults/*"), *MODEL.glob("errata*.c")]
    text = "\n".join(path.read_text() for path in helpers)
    found = entries.load(EMULATOR / "wrong")
    assert len(found) > 800
    left = [each.name for each in found if not each.edits]
    assert [name for name in left if not re.search(rf"\b{identifier(name)}\b", text)] == []


def identifier(name):
    return entries.Wrong(name, "", "", "").identifier
