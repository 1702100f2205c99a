# SPDX-License-Identifier: GPL-2.0-or-later
"""Fetches Debian's kernel, perf and busybox, and the libraries that perf needs, without root.

Packages are unpacked below a folder of ours: nothing is installed. What the guest needs of them is
packed into an initramfs, in cpio's format `newc`, which needs no root and no cpio.
"""

import gzip
import re
import stat
from pathlib import Path, PurePosixPath

from clients.steps import NO_PACKAGE, Stopped, run

WANTED = ("linux-perf", "gdb-minimal", "busybox-static")
# A library of Debian's by its name; they depend on interpreters, too, which are not needed here.
LIBRARY = re.compile(r"lib[a-z0-9.+-]+|zlib1g")
NEXT = "apt-get update, as root, renews apt's lists; only Debian has all of these packages"
TRAILER = "TRAILER!!!"


def apt(*words, cwd=None):
    """What a command of apt's says; Stopped, with what to do next, where it fails."""
    try:
        return run(*words, cwd=cwd, status=NO_PACKAGE)
    except Stopped as stopped:
        raise Stopped(NO_PACKAGE, f"{str(stopped).strip()}\n{NEXT}") from stopped


def depends(package):
    """The packages that one depends on, first alternatives."""
    said = apt("apt-cache", "depends", package)
    return re.findall(r"^ +(?:Pre)?Depends: ([a-z0-9.+-]+)$", said, re.M)


def kernel():
    """The package of the newest kernel of this release."""
    for name in depends("linux-image-amd64"):
        if name.startswith("linux-image-"):
            return name
    raise Stopped(NO_PACKAGE, f"linux-image-amd64 leads to no kernel; {NEXT}")


def fetch(names, folder):
    """Downloads packages into `folder` and unpacks each there; the folder of each by its name."""
    files = folder / "files"
    files.mkdir(parents=True, exist_ok=True)
    apt("apt-get", "download", *names, cwd=files)
    found = {}
    for name in names:
        file = newest(files, name)
        found[name] = folder / file.stem
        if not found[name].is_dir():
            run("dpkg-deb", "--extract", file, found[name], status=NO_PACKAGE)
    return found


def newest(files, name):
    """The file of a package that was written last."""
    return max(files.glob(f"{name}_*.deb"), key=lambda file: file.stat().st_mtime)


def needs(file):
    """The shared objects that a program or library names."""
    said = run("objdump", "--private-headers", file, status=NO_PACKAGE)
    return re.findall(r"^ +NEEDED +(\S+)$", said, re.M)


def find(folders, soname):
    """Where the packages have a shared object; None where none of them has it."""
    for folder in folders:
        for file in sorted(folder.glob(f"**/{soname}")):
            return file
    return None


def closure(program, folders):
    """All shared objects that `program` needs, by name, and the names that no package has."""
    found, missing, waiting = {}, {}, [program]
    while waiting:
        user = waiting.pop()
        for soname in needs(user):
            if soname in found or soname in missing:
                continue
            file = find(folders.values(), soname)
            if file:
                found[soname] = file
                waiting.append(file)
            else:
                missing[soname] = user
    return found, missing


def owner(file, folders):
    """The package that a file came from."""
    return next(name for name, folder in folders.items() if Path(file).is_relative_to(folder))


def libraries(program, folders, folder):
    """The shared objects of `program`; fetches what its packages depend on until all are there."""
    while True:
        found, missing = closure(program, folders)
        if not missing:
            return found
        users = {owner(user, folders) for user in missing.values()}
        names = {name for user in users for name in depends(user) if LIBRARY.fullmatch(name)}
        new = sorted(names - set(folders))
        if not new:
            raise Stopped(NO_PACKAGE, f"no package has {', '.join(missing)}, for {program.name}")
        folders |= fetch(new, folder)


def padded(raw):
    """Filled with zeros to a multiple of four bytes."""
    return raw + bytes(-len(raw) % 4)


def entry(number, name, mode, content=b"", device=(0, 0)):
    """One file or folder: a header of thirteen numbers in hexadecimal, the name, the content."""
    raw = name.encode() + b"\0"
    fields = [number, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(raw), 0]
    head = b"070701" + b"".join(b"%08X" % field for field in fields)
    return padded(head + raw) + padded(content)


def folders_of(names):
    """Every folder that the names stand in, outer ones first."""
    return sorted({str(folder) for name in names for folder in PurePosixPath(name).parents} - {"."})


def pack(files, folders):
    """The archive of files (name: bytes; all executable) and of empty folders."""
    every = [(name, stat.S_IFDIR | 0o755, b"") for name in [*folders_of(files), *folders]]
    every += [(name, stat.S_IFREG | 0o755, content) for name, content in files.items()]
    raw = [entry(number, *fields) for number, fields in enumerate(every, 1)]
    # The console is opened before anything can make it.
    raw.append(entry(len(raw) + 1, "dev/console", stat.S_IFCHR | 0o600, device=(5, 1)))
    raw.append(entry(0, TRAILER, 0))
    return gzip.compress(b"".join(raw), compresslevel=1)
