# SPDX-License-Identifier: GPL-2.0-or-later
"""Lists of what the emulator can be, and of claims.

They need Python alone (coverage: the kernel), agree with the compiler, fit a terminal, and can be
asked for a part.
"""

import re
import shutil

import model_tables
import pytest
import silicon
from conftest import ROOT, execute, make
from terminals import Terminal

# What a shell and make's own file want of a host, beside make and Python.
TOOLS = "sh bash env cat cksum od tr printf dirname find grep sed sort uname xargs expand mkdir"
LISTS = {
    "faults": "off-os-ignored",
    "variations": "x-ds-wrap",
    "profiles": "skylake",
    "boards": "plain",
    "coverage": "| BTS-1:",
}
QUIET = "--no-print-directory"
# Globs, and what each line of their list begins with.
CHOSEN = {
    "faults": ("jmp-lo*,BTS-3", r"jmp-lost |wrap-|\S+ +BTS-3 "),
    "variations": ("wrap,x-ds-limit", "x-ds-wrap |x-ds-limit "),
    "profiles": ("sky*,core2", "skylake|core2 "),
    "boards": ("plain,smi-*", "plain |smi-"),
    "coverage": ("CPL-*,circular.laps,isr", r"CPL-1 |T17-6\.3 |BTS-[238] |ISR-"),
}
# Python's modules of other packages; whoever imports one of them fails.
OTHERS = "elftools clang serial yaml jinja2 jsonschema lxml pytest hypothesis".split()

PRINTER = r"""
#include <inttypes.h>
#include <stdio.h>
#include "debug_store.h"

int main(void)
{
    for (size_t i = 0; i < ds_fault_count; i++)
        printf("%d\t%s\t%s\t%s\t%s\n", ds_faults[i].kind, ds_faults[i].name,
               ds_faults[i].claims, ds_faults[i].needs, ds_faults[i].help);
    for (size_t i = 0; i < ds_errata_count; i++)
        printf("erratum\t%s\t%s\t%" PRIu32 "\t%s\n", ds_errata[i].name, ds_errata[i].further,
               ds_errata[i].period, ds_faults[ds_errata[i].effect].name);
    for (size_t i = 0; i < ds_variation_count; i++) {
        printf("variation\t%s\t", ds_variations[i].name);
        for (size_t j = 0; ds_variations[i].choices && ds_variations[i].choices[j]; j++)
            printf("%s%s", j ? "|" : "", ds_variations[i].choices[j]);
        if (!ds_variations[i].choices)
            printf("0..%" PRIu32, ds_variations[i].maximum);
        printf("\t%s\n", ds_variations[i].help);
    }
#define SWITCH(field, name, from, help)                printf("field\t%s\n", name);
#define NUMBER(field, type, name, maximum, from, help) printf("field\t%s\n", name);
#include "profile_fields.def"
    return 0;
}
"""


@pytest.fixture
def bare_host(tmp_path):
    """The environment of one that has make and Python, on a distribution without dpkg."""
    folder, modules = tmp_path / "bin", tmp_path / "modules"
    folder.mkdir()
    modules.mkdir()
    for name in ["make", "python3", *TOOLS.split()]:
        (folder / name).symlink_to(shutil.which(name))
    for name in OTHERS:
        (modules / f"{name}.py").write_text("raise ImportError('not on this host')\n")
    (tmp_path / "os-release").write_text("ID=fedora\n")
    release = {"BTSCHECK_OS_RELEASE": str(tmp_path / "os-release")}
    return {"PATH": str(folder), "HOME": str(tmp_path), "PYTHONPATH": str(modules), **release}


@pytest.mark.parametrize("target", [each for each in LISTS if each != "coverage"])
def test_lists_need_python_alone(bare_host, target):
    answer = execute("make", "-C", ROOT, target, env=bare_host, timeout=60)
    assert answer.returncode == 0, answer.stderr
    assert f"\n{LISTS[target]} " in "\n" + answer.stdout and not answer.stderr


def at_terminal(target, *words):
    terminal = Terminal(["make", QUIET, "-C", ROOT, target, *words])
    lines = terminal.read().replace("\r", "").splitlines()
    return terminal.end(), lines


def in_pipe(target, *words):
    answer = make(QUIET, target, *words)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.splitlines()


@pytest.mark.parametrize("target", LISTS)
def test_a_terminal_has_a_line_an_entry(target):
    """No name is lost, and whoever wants all of it is told how."""
    status, (*lines, last) = at_terminal(target)
    assert status == 0 and max(map(len, lines)) == 80
    assert re.fullmatch(rf"{len(lines)} \w+; V=1: .*; ONLY=GLOB: .*", last) and len(last) <= 80
    heads = re.findall(r"^(?:\| )?([a-zA-Z]\S*?):? ", "\n".join(in_pipe(target)), re.M)
    assert [line.split()[0] for line in lines] == [
        head for head in heads if head not in ("claim", "Measured")
    ]


@pytest.mark.parametrize("target", LISTS)
def test_all_of_it_on_demand(target):
    assert at_terminal(target, "V=1") == (0, in_pipe(target))


@pytest.mark.parametrize("target", LISTS)
def test_some_of_it_by_name_or_claim(target):
    only, begins = CHOSEN[target]
    status, (*lines, last) = at_terminal(target, f"ONLY={only}")
    assert status == 0 and all(re.match(begins, line) for line in lines), lines
    for begin in begins.split("|"):
        assert any(re.match(begin, line) for line in lines), begin
    assert re.match(rf"{len(lines)} of [0-9]+ ", last)
    assert len(in_pipe(target, f"ONLY={only}")) < len(in_pipe(target))


@pytest.mark.parametrize("only", ["no-such-*", "{good},no-such-*", "{good},"])
@pytest.mark.parametrize("target", LISTS)
def test_a_glob_that_matches_nothing_is_told(target, only):
    answer = make(QUIET, target, f"ONLY={only.format(good=CHOSEN[target][0])}")
    assert answer.returncode == 2 and answer.stdout == ""
    glob = "no-such-*" if "no-such" in only else ""
    notice = r"(coverage: the matrix is of a part: .*\n)?"
    told = rf"\w+: none of the [0-9]+ \w+ matches '{re.escape(glob)}' "
    assert re.match(notice + told, answer.stderr)
    assert "Error 2" in answer.stderr and "Traceback" not in answer.stderr


def test_what_is_no_list_still_says_what_is_missing(bare_host):
    """Otherwise the host of these tests would have all of it."""
    answer = execute("make", "-C", ROOT, "iso", env=bare_host, timeout=60)
    assert answer.returncode == 2
    assert "command gcc" in answer.stderr and "command ld" in answer.stderr
    assert "black" not in answer.stderr


def test_lists_are_those_that_are_compiled(tmp_path):
    silicon.make("library")
    source, program = tmp_path / "printer.c", tmp_path / "printer"
    source.write_text(PRINTER)
    objects = [
        f"-I{silicon.BUILD / 'woven'}",
        "-o",
        program,
        source,
        silicon.BUILD / "plain/model.a",
    ]
    silicon.run(["gcc", "-std=gnu11", *objects])
    compiled = [tuple(line.split("\t")) for line in silicon.run([program]).splitlines()]
    kinds = ["DS_FAULT", "DS_INVENTED", "DS_SYMPTOM"]
    read = [
        (str(kinds.index(each.kind)), each.name, each.claims, each.needs, each.what)
        for each in model_tables.wrong_processors()
    ]
    read += [
        ("erratum", one.names[0], " ".join(one.names[1:]), str(one.period), each.name)
        for one, each in model_tables.errata()
    ]
    read += [("variation", *row) for row in model_tables.variations()]
    read += [("field", name) for name in model_tables.fields()]
    assert sorted(read) == sorted(compiled)
    assert {row[0] for row in read} == {"0", "1", "2", "erratum", "variation", "field"}


def test_a_table_that_cannot_be_read_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(model_tables, "MODEL", tmp_path)
    (tmp_path / "profile_fields.def").write_text('SWITCH(ds, "ds", FEATURE, "(F1.4"\n')
    with pytest.raises(model_tables.LabError, match="a bracket is not closed"):
        model_tables.fields()
