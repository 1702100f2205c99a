# SPDX-License-Identifier: GPL-2.0-or-later
"""Images whose GRUB does something to the machine before it starts the kernel."""

import shutil
import subprocess

from conftest import ROOT

ENVIRONMENT = {"SOURCE_DATE_EPOCH": "1", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
GRUB_CFG = 'cp "$here/grub.cfg" "$tree/boot/grub/grub.cfg"\n'


def replace(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1, f"{path} has not one '{old}'"
    path.write_text(text.replace(old, new))


def build_image(kernel, folder, modules=(), commands=(), files=None):
    """
    The path of one whose GRUB has these modules too and executes the commands first. files: name ->
    bytes, which lie in /boot.
    """
    copy, files = folder / "iso", files or {}
    shutil.copytree(ROOT / "iso", copy)
    replace(copy / "loader", "modules=(", "modules=(" + "".join(f"{name} " for name in modules))
    replace(copy / "grub.cfg", "set default=0\n", "\n".join([*commands, "set default=0\n"]))
    for name, content in files.items():
        (copy / name).write_bytes(content)
        replace(copy / "build", GRUB_CFG, GRUB_CFG + f'cp "$here/{name}" "$tree/boot/{name}"\n')
    subprocess.run([copy / "build", kernel, folder / "image.iso"], env=ENVIRONMENT, check=True)
    return folder / "image.iso"
