# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the emulator's QEMU and meson come from, and whether the hooks fit: nothing is fetched."""

import re
import shutil
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools/emulator"))

from builder import BuildError, NoSource, apt, hooks, kept, meson, source  # noqa: E402

DEBIAN_12 = 'ID=debian\nVERSION_CODENAME="bookworm"\n'
DEBIAN_13 = "ID=debian\nVERSION_CODENAME=trixie\n"
UBUNTU_24 = "ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\nUBUNTU_CODENAME=noble\n"
MINT = "ID=linuxmint\nID_LIKE='ubuntu debian'\nVERSION_CODENAME=wilma\nUBUNTU_CODENAME=noble\n"


@pytest.fixture
def machine(tmp_path):
    """machine(os-release, {name: sources}, kind) writes /etc, and returns what our lists hold."""

    def lists(release, files, kind="deb-src"):
        folder = tmp_path / "etc/apt/sources.list.d"
        folder.mkdir(parents=True)
        (tmp_path / "etc/os-release").write_text(release)
        for name, text in files.items():
            place = folder.parent if name == "sources.list" else folder
            (place / name).write_text(text)
        count = apt.write_lists(tmp_path / "etc", tmp_path / "parts", kind)
        return count, [
            (tmp_path / "parts" / name).read_text().strip()
            for name in ("ours.list", "ours.sources")
        ]

    return lists


@pytest.mark.parametrize("kind", ["deb", "deb-src"])
@pytest.mark.parametrize("given", ["deb", "deb-src"])
@pytest.mark.parametrize("options", ["", "[signed-by=/k.gpg arch=amd64] "])
@pytest.mark.parametrize(
    "release,own,wanted",
    [
        (DEBIAN_12, "bookworm", "trixie"),
        (DEBIAN_13, "trixie", "trixie"),
        (DEBIAN_13, "sid", "trixie"),
        (UBUNTU_24, "noble", "resolute"),
        (MINT, "noble", "resolute"),
    ],
)
@pytest.mark.parametrize("pocket", ["", "-updates", "-security"])
def test_one_line_entries_name_the_release_that_has_it(
    machine, kind, given, options, release, own, wanted, pocket
):
    text = f"# a comment\n{given} {options}http://mirror/x {own}{pocket} main universe\n"
    count, (lines, stanzas) = machine(release, {"sources.list": text}, kind)
    assert (count, stanzas) == (1, "")
    assert lines == f"{kind} {options}http://mirror/x {wanted}{pocket} main universe"


def test_stanzas_keep_their_mirror_and_key(machine):
    text = """\
Types: deb deb-src
# a comment
URIs: http://mirror/debian
Suites: bookworm bookworm-updates elsewhere
Components: main
Signed-By: /usr/share/keyrings/k.gpg

Types: deb
URIs: http://mirror/off
Suites: bookworm
Components: main
Enabled: no
"""
    count, (lines, stanzas) = machine(DEBIAN_12, {"debian.sources": text, "old.save": text})
    assert (count, lines) == (1, "")
    assert stanzas.splitlines() == [
        "Types: deb-src",
        "URIs: http://mirror/debian",
        "Suites: trixie trixie-updates",
        "Components: main",
        "Signed-By: /usr/share/keyrings/k.gpg",
    ]


def test_sources_of_others_are_left_out(machine):
    others = "deb http://vendor/x stable2 main\ndeb http://vendor/y cloud-sdk-bookworm main\n"
    assert machine(DEBIAN_12, {"vendor.list": others})[0] == 0


@pytest.mark.parametrize("release", ["", "ID=fedora\n", "ID=arch\nID_LIKE=\n"])
def test_another_distribution_has_no_source(machine, release):
    with pytest.raises(NoSource, match="neither Debian nor Ubuntu"):
        machine(release, {})


class Mirror:
    """Stands for apt's lists: it names versions and has only some of them."""

    def __init__(self, has):
        self.has = has

    def run(self, program, *arguments, cwd=None):
        if program == "apt-cache":
            names = (
                "1:9.2.0+ds-1",
                "1:10.2.1+ds-1",
                "1:10.2.1+ds-1.10",
                "1:10.2.1+ds-1.9",
                "1:11.0",
            )
            return "".join(f"Package: qemu\nVersion: {name}\n" for name in names)
        version = arguments[-1].split(":")[1]
        if version not in self.has:
            raise NoSource(f"404 {version}")
        (cwd / f"qemu_{version}.tar.xz").write_text("")
        (cwd / f"qemu_{version}.dsc").write_text(f" {'0' * 64} 0 qemu_{version}.tar.xz\n")
        return ""


@pytest.mark.parametrize(
    "has,taken",
    [
        (["10.2.1+ds-1", "10.2.1+ds-1.9", "10.2.1+ds-1.10", "11.0"], "10.2.1+ds-1.10"),
        (["10.2.1+ds-1", "10.2.1+ds-1.9"], "10.2.1+ds-1.9"),
        (["10.2.1+ds-1"], "10.2.1+ds-1"),
        (["9.2.0+ds-1", "11.0"], None),
    ],
)
def test_newest_that_the_mirror_has_is_taken(tmp_path, monkeypatch, has, taken):
    monkeypatch.setattr(apt, "Lists", lambda folder, kind: Mirror(has))
    if taken is None:
        with pytest.raises(NoSource, match="404 10.2.1.ds-1.10\n404 10.2.1.ds-1.9\n404 10.2.1"):
            source._download(tmp_path)
    else:
        assert source._download(tmp_path).name == f"qemu_{taken}.dsc"


@pytest.mark.parametrize("version,enough", [("1.4.9", False), ("1.5.0", True), ("1.10", True)])
def test_meson_that_is_too_old_is_not_used(tmp_path, monkeypatch, version, enough):
    (tmp_path / "pythondeps.toml").write_text('[meson]\nmeson = { accepted = ">=1.5.0" }\n')
    monkeypatch.setattr(meson, "run", lambda command, **others: version)
    monkeypatch.setattr(shutil, "which", lambda name: name)

    def fetch(folder, say):
        raise NoSource("no lists here")

    monkeypatch.setattr(meson, "_fetch", fetch)
    if enough:
        assert meson.modules(tmp_path / "build", tmp_path, print) is None
    else:
        with pytest.raises(BuildError, match="wants meson 1.5.0 or newer: no lists") as raised:
            meson.modules(tmp_path / "build", tmp_path, print)
        assert not isinstance(raised.value, NoSource)


# ---- the hooks -------------------------------------------------------------------------------

PATCH = "// a patch\n@x@\nexpression e;\n@@\n+ours(e);\n theirs(e);\n"
TABLE = """\
[hook.one]
"dir/a.c" = { ours = ["first", "second"] }
[[line]]
file = "dir/a.c"
text = "int last;"
"""
CODE = "void first(int a)\n{\n    theirs(a);\n}\n\nint second(void)\n{\n    theirs(2);\n}\n"


@pytest.fixture
def apply_hook(tmp_path):
    """apply_hook(code, patch) applies it as the build does; returns (log, changed code)."""
    if not shutil.which("spatch"):
        pytest.skip("spatch is missing (package coccinelle)")

    def apply(code, patch=PATCH):
        folder, tree = tmp_path / "qemu", tmp_path / "tree"
        (folder / "hooks").mkdir(parents=True)
        (folder / "hooks.toml").write_text(TABLE)
        (folder / "hooks/one.cocci").write_text(patch)
        shutil.copy(ROOT / "tools/emulator/qemu/macros.h", folder)
        (tree / "dir").mkdir(parents=True)
        if code is not None:
            (tree / "dir/a.c").write_text(code)
        log = hooks.apply(folder, tree, tmp_path / "out")
        return log, (tmp_path / "out/dir/a.c").read_text()

    return apply


def test_log_names_file_function_and_line(apply_hook):
    log, changed = apply_hook(CODE)
    assert log == ["hook one: dir/a.c: first 3, second 9"]
    assert (
        changed
        == CODE.replace("theirs(a)", "ours(a);\n    theirs(a)").replace(
            "theirs(2)", "ours(2);\n    theirs(2)"
        )
        + "int last;\n"
    )


@pytest.mark.parametrize(
    "code,told",
    [
        (
            CODE.replace("first", "other"),
            ["0 times in first, where it must be 1", "1 times in other"],
        ),
        (CODE.replace("theirs(2)", "none(2)"), ["0 times in second, where it must be 1"]),
        (
            CODE + "void third(void)\n{\n    theirs(3);\n}\n",
            ["1 times in third, where it must be 0"],
        ),
        (CODE.replace("theirs(a)", "theirs(a);\n    theirs(a)"), ["2 times in first"]),
        (None, ["there is no such file"]),
    ],
)
def test_hook_that_does_not_fit_is_named_with_its_place(apply_hook, code, told):
    with pytest.raises(BuildError, match="do not fit") as raised:
        apply_hook(code)
    assert all(text in str(raised.value) for text in ["dir/a.c: ", *told])


def test_hook_that_does_more_than_insert_is_refused(apply_hook):
    with pytest.raises(BuildError, match="more than insert in lines 3 to 3"):
        apply_hook(CODE, PATCH + "\n@y@\n@@\n-theirs(a);\n+mine(a);\n")


def test_every_hook_is_named_when_its_functions_are_gone(tmp_path):
    """QEMU's own files, with every function that a hook stands in under another name."""
    pristine = kept.folder(ROOT / "build/emulator/cache") / "package/tree"
    if source.named() or not (pristine / "VERSION").exists():
        pytest.skip(f"QEMU's source is not in {pristine}")
    folder = ROOT / "tools/emulator/qemu"
    table, lines = hooks.load(folder)
    for name in hooks.files(table, lines):
        words = {f for places in table.values() for x in places.get(name, {}).values() for f in x}
        text = (pristine / name).read_text()
        for word in words - {""}:
            text = re.sub(rf"\b{word}\b", f"{word}_of_tomorrow", text)
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(BuildError) as raised:
        hooks.apply(folder, tmp_path, tmp_path / "out")
    told = {line.split(":")[0].strip() for line in str(raised.value).splitlines()[1:]}
    assert told == {f"hook {name}" for name in table} - {"hook translator"}  # outside of functions
