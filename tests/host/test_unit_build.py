# SPDX-License-Identifier: GPL-2.0-or-later
"""How the unit tests are built: a small kernel of two files under the real Makefile."""

import os
import shutil

import pytest
from conftest import ROOT
from test_make import run

FILES = {
    "kernel/a.h": "int a(int more);\n",
    "kernel/b.h": "int b(void);\nint b_again(void);\n",
    "kernel/a.c": '#include "kernel/a.h"\n#include "kernel/b.h"\n'
    "int a(int more)\n{\n    return b() + more;\n}\n",
    "kernel/b.c": '#include "kernel/b.h"\nint b(void)\n{\n    return 1;\n}\n'
    "int b_again(void)\n{\n    return 2;\n}\n",
    "tests/host/unit/test_a.c": '#include "kernel/a.h"\n#include "kernel/b.h"\n'
    "int b(void)\n{\n    return 5;\n}\nint main(void)\n{\n    return a(1) != 6;\n}\n",
    "tests/host/unit/test_both.c": '#include "kernel/a.h"\n'
    "int main(void)\n{\n    return a(1) != 2;\n}\n",
}
OVERFLOW = """\
#include <stdlib.h>
int b(void)
{
    int *volatile word = calloc(1, 4);
    return word[1];
}
"""


class Tree:
    def __init__(self, folder):
        self.folder = folder
        for path, text in FILES.items():
            self.write(path, text)
        shutil.copy(ROOT / "tests/host/unit/Makefile", folder / "tests/host/unit")

    def write(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def replace(self, path, old, new):
        assert old in FILES[path]
        self.write(path, FILES[path].replace(old, new))

    def make(self, *words, sources="kernel/a.c kernel/b.c"):
        command = ["make", "-rks", "-C", self.folder, "-f", "tests/host/unit/Makefile"]
        return run(*command, f"SOURCES={sources}", "CC=gcc", *words, env={"LC_ALL": "C"})

    def fails(self, *words, **options):
        answer = self.make(*words, **options)
        assert answer.returncode == 2
        return answer.stderr

    def times(self):
        built = (self.folder / "build/unit/gcc").rglob("*")
        kept = [path for path in built if path.suffix in ("", ".o") and path.is_file()]
        return {path.name: path.stat().st_mtime_ns for path in kept}


@pytest.fixture
def tree(tmp_path):
    tree = Tree(tmp_path)
    answer = tree.make()
    assert answer.returncode == 0 and not answer.stderr, answer.stderr
    return tree


def test_what_a_test_defines_stands_in_for_the_kernels(tree):
    tree.replace("kernel/b.c", "return 1", "return 0")
    assert "test_both] Error 1" in tree.fails()
    assert tree.make("test_a").returncode == 0


def test_second_time_builds_nothing_and_a_header_what_includes_it(tree):
    before = tree.times()
    assert tree.make().returncode == 0
    assert tree.times() == before
    os.utime(tree.folder / "kernel/b.h")
    assert tree.make().returncode == 0
    changed = {name for name, time in tree.times().items() if time != before[name]}
    assert changed == {"a.o", "b.o", "test_a.o", "test_a", "test_both"}


def test_test_is_linked_again_for_what_it_takes_alone(tree):
    before = tree.times()
    os.utime(tree.folder / "kernel/b.c")
    assert tree.make().returncode == 0
    changed = {name for name, time in tree.times().items() if time != before[name]}
    assert changed == {"b.o", "test_both"}


@pytest.mark.parametrize("fresh", [False, True])
def test_source_that_does_not_compile_fails_those_that_take_it(tree, fresh):
    if fresh:
        shutil.rmtree(tree.folder / "build")
    tree.replace("kernel/b.c", "return 1", "return")
    assert "kernel/b.c:4:5: error:" in tree.fails("test_both")
    assert tree.make("test_a").returncode == 0


def test_test_that_does_not_compile_does_not_run_as_it_was(tree):
    tree.replace("tests/host/unit/test_a.c", "return 5", "return")
    assert "unit/test_a.c:5:5: error:" in tree.fails("test_a")
    assert tree.make("test_both").returncode == 0


def test_sanitizers_see_into_the_sources(tree):
    tree.write("kernel/b.c", FILES["kernel/b.h"] + OVERFLOW)
    assert "heap-buffer-overflow" in tree.fails("test_both")


def test_what_is_neither_defined_nor_taken_is_told_with_its_place(tree):
    shutil.rmtree(tree.folder / "build")
    told = tree.fails("test_both", sources="kernel/a.c")
    assert "undefined reference to `b'" in told
    assert "kernel/b.c:2:int b(void)\ntest_both needs these: define them in the test, or" in told
    assert tree.make("test_a", sources="kernel/a.c").returncode == 0


def test_stand_in_beside_its_file_is_refused(tree):
    """The linker needs kernel/b.c for b_again(): neither b() may be ignored in silence."""
    tree.replace("kernel/a.c", "return b()", "return b() + b_again()")
    assert "multiple definition of `b'" in tree.fails("test_a")


def test_stand_in_for_what_the_kernel_has_no_more_is_refused(tree):
    tree.replace("kernel/b.h", "int b(void);", "int renamed(void);")
    tree.write("kernel/b.c", FILES["kernel/b.c"].replace("b(void)", "renamed(void)"))
    tree.write("kernel/a.c", FILES["kernel/a.c"].replace("b()", "renamed()"))
    assert "no previous prototype for 'b'" in tree.fails("test_a")


def test_source_that_no_test_takes_is_named(tree):
    tree.write("kernel/c.c", "int c;\n")
    assert tree.make("needless").returncode == 0
    told = tree.fails("needless", sources="kernel/a.c kernel/b.c kernel/c.c")
    assert "build/unit/gcc/kernel/c.o\nNo test takes these" in told


def test_folder_with_an_odd_name_is_left_alone(tree, tmp_path):
    before = tree.times()
    assert tree.make(f"BUILD={tmp_path}/a b").returncode == 0
    assert tree.times() == before and not (tmp_path / "a b").exists()
    assert tree.make(f"BUILD={tmp_path}/other").returncode == 0
    assert (tmp_path / "other/unit/gcc/test_a").exists()
