# SPDX-License-Identifier: GPL-2.0-or-later
"""The set-up step, with stand-ins for dpkg-query, apt and id: nothing is installed here.

And what decides whether the emulator can be built: nothing is built here.
"""

import ast
import os
import re
import shutil
import sys

import pytest
from conftest import ROOT, execute, stand_ins

sys.path.insert(0, str(ROOT / "tools/emulator"))

from builder import BuildError, NoSource, source  # noqa: E402

SETUP = ROOT / "tools/setup"
TABLES = sorted((ROOT / "tools").rglob("packages.txt"))
ROWS = [
    line.split(None, 5)
    for table in TABLES
    for line in table.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
PARTS = {"run": ["run"], "debug": ["run", "debug"], "test": ["run", "debug", "test"]}
NAMED = {row[1]: row[2] for row in ROWS}
LINE = "sudo apt-get update && sudo apt-get install --no-install-recommends -y "
ONE, ANOTHER = next(names.split("|") for _, _, names, *_ in ROWS if "|" in names)

# The stand-ins keep what they know in files of one folder, a name a line.
STAND_INS = {
    "id": 'cat "$HERE/user"',
    "dpkg-query": 'for name; do grep -qx -e "$name" "$HERE/installed" && echo "$name installed";'
    " done; exit 1",
    "apt-cache": """
        shift
        [ $# -gt 0 ] || { [ ! -e "$HERE/lists" ] || echo ' release o=Debian'; exit 0; }
        for name; do
            echo "$name:"
            there=; [ ! -e "$HERE/lists" ] || there=$(grep -x -e "$name" "$HERE/offered")
            echo "  Candidate: ${there:-(none)}"
        done""",
    "apt-get": """
        echo "$*" >>"$HERE/apt"
        case $1 in
        update) touch "$HERE/lists" ;;
        install)
            [ ! -e "$HERE/broken" ] || exit 100
            for name; do case $name in
            chromium | socat) printf '#!/bin/sh\n' >"$HERE/$name" && chmod +x "$HERE/$name" ;;
            esac; done ;;
        esac""",
    "sudo": 'echo "sudo $*" >>"$HERE/apt"',
    "dnf": 'echo "dnf $*" >>"$HERE/apt"',
    "pacman": 'echo "pacman $*" >>"$HERE/apt"',
}


def all_names(parts):
    return {name for row in ROWS if row[0] in parts for name in row[2].split("|")}


@pytest.fixture
def set_up(tmp_path):
    """set_up(part, …) -> (what it said, what was asked of apt). Packages are all installed and all
    offered, but for missing= and unknown=."""

    def run(
        *part,
        user=1000,
        missing=(),
        unknown=(),
        lists=True,
        broken=False,
        system="debian",
        path=None,
    ):
        here = f"HERE='{tmp_path}'\n"
        stand_ins(tmp_path, {name: here + text for name, text in STAND_INS.items()})
        everything = all_names(PARTS["test"])
        offered = everything | all_names(["lab"])
        for name, state in (
            ("user", [str(user)]),
            ("installed", everything - set(missing)),
            ("offered", offered - set(unknown)),
            ("os-release", ['NAME="x y"', f"ID={system}", 'ID_LIKE="x debian-like y"']),
            ("apt", []),
        ):
            (tmp_path / name).write_text("".join(f"{line}\n" for line in state))
        for name, wanted in (("lists", lists), ("broken", broken)):
            (tmp_path / name).touch() if wanted else (tmp_path / name).unlink(missing_ok=True)
        environment = {**os.environ, "PATH": f"{tmp_path}:{path or os.environ['PATH']}"}
        environment["BTSCHECK_OS_RELEASE"] = str(tmp_path / "os-release")
        answer = execute(SETUP, *part, env=environment)
        return answer, (tmp_path / "apt").read_text()

    return run


@pytest.fixture
def small_path(tmp_path):
    """A PATH with what tools/setup needs itself, and the lab's programs but two."""
    folder = tmp_path / "bin"
    folder.mkdir()
    own = "bash cat chmod dirname find grep head python3 sed sh sort touch tr uniq xargs".split()
    for command in {*own, *lab_commands()} - {"chromium", "socat"}:
        target = shutil.which(command) or "/bin/true"
        (folder / command).symlink_to(target)
    return str(folder)


def lab_commands():
    signs = [row[1] for row in ROWS if row[0] == "lab"]
    return [sign.removeprefix("command=") for sign in signs if sign.startswith("command=")]


def line_of(answer):
    """The packages in the line that a user is to run."""
    assert answer.returncode == 2
    return re.search(re.escape(LINE) + "(.*)\n", answer.stderr)[1].split()


def test_table_is_one_that_can_be_read():
    for row in ROWS:
        assert len(row) == 6, row
        assert row[0] in (*PARTS, "lab"), row
        assert re.fullmatch(r"-|(command|file|module|library)=\S+", row[1]), row
        assert row[2] != "-", row


@pytest.mark.parametrize("part", PARTS)
def test_user_is_told_what_that_part_needs_and_no_more(set_up, part):
    everything = all_names(PARTS["test"])
    answer, apt = set_up(part, missing=everything)
    wanted = {row[2].split("|")[0] for row in ROWS if row[0] in PARTS[part]}
    assert line_of(answer) == sorted(wanted)
    assert apt == ""
    assert line_of(set_up(missing=everything)[0]) == line_of(set_up("test", missing=everything)[0])


def test_who_runs_it_needs_no_linter_no_second_compiler_and_no_debugger(set_up):
    answer, _ = set_up("run", missing=all_names(PARTS["test"]))
    checks = "clang|cppcheck|black|flake8|shellcheck|pytest|bochs|gdb"
    assert not [name for name in line_of(answer) if re.search(checks, name)]


@pytest.mark.parametrize("name", sorted(all_names(["run"])))
def test_each_missing_package_is_named_alone(set_up, name):
    answer, _ = set_up("run", missing=[name])
    assert line_of(answer) == [name]


def test_root_installs_after_saying_what(set_up):
    answer, apt = set_up("run", user=0, missing=["xorriso", "mtools"])
    assert answer.returncode == 0
    assert "installing with apt-get: mtools xorriso\n" in answer.stdout
    assert apt == "install --no-install-recommends -y -q mtools xorriso\n"


@pytest.mark.parametrize("user", [0, 1000])
def test_says_nothing_when_nothing_is_missing(set_up, user):
    answer, apt = set_up(user=user)
    assert (answer.returncode, answer.stdout, answer.stderr, apt) == (0, "", "", "")


@pytest.mark.parametrize("there", [ONE, ANOTHER])
def test_one_of_two_is_enough(set_up, there):
    answer, apt = set_up(missing={ONE, ANOTHER} - {there})
    assert (answer.returncode, answer.stderr, apt) == (0, "", "")


@pytest.mark.parametrize(
    ("unknown", "lists", "chosen"),
    [([], True, ONE), ([ONE], True, ANOTHER), ([], False, ANOTHER), ([ONE], False, ANOTHER)],
)
def test_second_is_taken_where_apt_does_not_know_the_first(set_up, unknown, lists, chosen):
    """Without any lists nobody knows, and the second is there in every release."""
    answer, _ = set_up(missing=[ONE, ANOTHER], unknown=unknown, lists=lists)
    assert line_of(answer) == [chosen]


def test_root_without_lists_gets_them_first(set_up):
    answer, apt = set_up(user=0, missing=[ONE, ANOTHER], lists=False)
    assert answer.returncode == 0
    assert apt == f"update -q\ninstall --no-install-recommends -y -q {ONE}\n"


def test_lists_are_updated_when_installing_fails_and_failure_is_told(set_up):
    answer, apt = set_up(user=0, missing=["xorriso"], broken=True)
    assert answer.returncode == 2
    install = "install --no-install-recommends -y -q xorriso\n"
    assert apt == install + "update -q\n" + install
    assert "apt-get could not install: xorriso\n" in answer.stderr


@pytest.mark.parametrize("user", [0, 1000])
@pytest.mark.parametrize(("system", "told"), [("debian", "main"), ("ubuntu", "universe")])
def test_package_that_apt_does_not_know(set_up, user, system, told):
    absent = ["xorriso", ONE, ANOTHER]
    answer, apt = set_up(user=user, missing=[*absent, "mtools"], unknown=absent, system=system)
    assert answer.returncode == 2
    assert "apt knows no package xorriso (the image as a CD), " in answer.stderr
    assert f"{ONE} or {ANOTHER} (" in answer.stderr and "mtools" not in answer.stderr
    assert "apt-get update" in answer.stderr and told in answer.stderr
    assert "sudo apt-get install" not in answer.stderr and "install" not in apt


def test_unknown_part_is_refused(set_up):
    answer, _ = set_up("everything")
    assert answer.returncode == 2 and "there are: run debug test" in answer.stderr


@pytest.mark.parametrize("system", ["fedora", "arch", "slackware"])
@pytest.mark.parametrize("user", [0, 1000])
def test_elsewhere_nothing_is_said_when_nothing_is_missing(set_up, system, user):
    """Every package is installed here: so every sign must be seen. Users there find the programs of
    /usr/sbin, those of Debian do not."""
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    answer, apt = set_up("test", user=user, system=system, path=path)
    assert (answer.returncode, answer.stdout, answer.stderr, apt) == (0, "", "", "")


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """A folder with a link to every program."""
    folder = tmp_path_factory.mktemp("programs")
    for program in [*os.scandir("/usr/bin"), *os.scandir("/usr/sbin")]:
        if not (folder / program.name).is_symlink():
            (folder / program.name).symlink_to(program.path)
    return folder


@pytest.fixture
def elsewhere(set_up, programs, monkeypatch):
    """elsewhere(system, commands) -> set_up's, where these commands are missing."""

    def run(system, commands):
        there = [programs / name for name in commands if (programs / name).is_symlink()]
        links = {link: os.readlink(link) for link in there}
        for link in links:
            link.unlink()
        monkeypatch.setenv("PATH", str(programs))
        answer = set_up(user=0, system=system)
        for link, target in links.items():
            link.symlink_to(target)
        return answer

    return run


SIGNS = [
    (row[1].removeprefix("command=").split("|"), row)
    for row in ROWS
    if row[1].startswith("command=") and row[0] in PARTS
]


@pytest.mark.parametrize(
    ("commands", "row"), SIGNS, ids=lambda x: x[0] if x[0] not in PARTS else ""
)
def test_elsewhere_each_missing_command_is_listed_with_its_purpose(elsewhere, commands, row):
    told = {}
    for system in ("slackware", "fedora", "arch"):
        answer, apt = elsewhere(system, commands)
        assert answer.returncode == 2 and apt == ""
        assert f"    command {'|'.join(commands)} " in answer.stderr
        assert f" {row[5]}\n" in answer.stderr
        told[system] = answer.stderr
    assert not re.search("sudo|apt", told["slackware"])
    for system, command, name in (("fedora", "dnf install", 3), ("arch", "pacman -S --needed", 4)):
        line = re.search(rf"\(not tried\): sudo {command} (.*)\n", told[system])
        assert row[name] in (line[1].split() if line else "-"), told[system]


@pytest.mark.parametrize("absent", ["dpkg-query", "apt-get"])
def test_name_of_a_distribution_is_no_apt(programs, tmp_path, absent):
    """What calls itself Debian and has no apt is asked for the commands themselves."""
    (tmp_path / "os-release").write_text("ID=debian\n")
    for path in programs.iterdir():
        if path.name not in (absent, "xorriso"):
            (tmp_path / path.name).symlink_to(path)
    environment = {"PATH": str(tmp_path), "BTSCHECK_OS_RELEASE": str(tmp_path / "os-release")}
    answer = execute(SETUP, env=environment)
    assert answer.returncode == 2
    assert "    command xorriso " in answer.stderr and "apt-get" not in answer.stderr


@pytest.mark.parametrize("version", [None, "9.0.0"])
def test_wrong_tree_is_an_error_and_not_a_missing_source(tmp_path, monkeypatch, version):
    """`make test` goes on without the emulator where there is no source: a typo is not that."""
    if version:
        (tmp_path / "target/i386").mkdir(parents=True)
        (tmp_path / "VERSION").write_text(version)
    monkeypatch.setenv("QEMU_SRC", str(tmp_path))
    with pytest.raises(BuildError, match="QEMU_SRC=") as raised:
        source.find(tmp_path / "build", say=print)
    assert not isinstance(raised.value, NoSource)


# ---- what only tests of the lab's tools need ---------------------------------------------------


def lab_rows_missing(answer):
    """The signs that it lists."""
    return re.findall(r"^    (command|file|module) (\S+) ", answer.stderr, re.MULTILINE)


def test_what_the_lab_misses_stops_nobody(set_up, small_path):
    answer, apt = set_up("lab", path=small_path)
    assert answer.returncode == 0 and apt == ""
    assert {"chromium", "socat"} <= {name for _, name in lab_rows_missing(answer)}
    assert "tests of the lab will skip" in answer.stderr
    line = re.search(re.escape(LINE) + "(.*)\n", answer.stderr)[1].split()
    assert {"chromium", "socat"} <= set(line)


def test_root_gets_what_the_lab_misses(set_up, small_path):
    answer, apt = set_up("lab", user=0, path=small_path)
    assert answer.returncode == 0
    assert " chromium " in f" {apt} ".replace("\n", " ") and "for tests of the lab" in answer.stdout
    assert not {"chromium", "socat"} & {name for _, name in lab_rows_missing(answer)}


def test_each_is_tried_alone_where_all_together_cannot_be_installed(set_up, small_path):
    answer, apt = set_up("lab", user=0, broken=True, path=small_path)
    assert answer.returncode == 0
    assert "install --no-install-recommends -y -q chromium\n" in apt
    assert {"chromium", "socat"} <= {name for _, name in lab_rows_missing(answer)}


def test_other_parts_ask_nothing_of_the_lab(set_up, small_path):
    answer, apt = set_up("test", user=0, path=small_path)
    assert (answer.returncode, answer.stderr, apt) == (0, "", "")


def imported(path):
    """Names of modules that the file's import needs, not one of its functions."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.split(".")[0]


def test_make_test_collects_without_the_labs_modules():
    """It installs the parts up to test: a module of part lab may be missing when files are read."""
    lab = {given.removeprefix("module=") for part, given, *_ in ROWS if part == "lab"}
    needing = {
        f"{path.name}: {name}"
        for path in (ROOT / "tests/host").glob("*.py")
        for name in set(imported(path)) & lab
    }
    assert not needing, "pytest.importorskip() says why it is skipped"


def test_what_is_named_is_all_that_is_installed(set_up):
    """As the lists of make ask for Python, and the table of claims for what builds a kernel."""
    absent = ["gcc", "xorriso", "black", NAMED["module=elftools"]]
    answer, apt = set_up("command=gcc", "module=elftools", user=0, missing=absent)
    assert answer.returncode == 0, answer.stderr
    assert apt == f"install --no-install-recommends -y -q {' '.join(sorted(absent[::3]))}\n"
    answer, apt = set_up("module=tomllib", user=0, missing=absent)
    assert answer.returncode == 0 and apt == ""


def test_what_no_table_has_is_refused(set_up):
    answer, apt = set_up("command=gcc", "command=no-such", user=0)
    assert answer.returncode == 2 and apt == ""
    assert "no table has command=no-such" in answer.stderr
