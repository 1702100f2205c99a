# SPDX-License-Identifier: GPL-2.0-or-later
"""The steps of the emulator's build: source, hooks, compile."""

import subprocess


class BuildError(Exception):
    """The build cannot go on; the text says why."""


class NoSource(BuildError):
    """There is no QEMU source to be had; whoever called may do without the emulator."""


def run(command, *, cwd=None, env=None):
    """Runs a command quietly; on failure its last lines go into the error."""
    try:
        done = subprocess.run(
            command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    except FileNotFoundError:
        raise BuildError(f"{command[0]} is missing: tools/setup installs it, or says how") from None
    if done.returncode != 0:
        tail = "\n".join(done.stdout.splitlines()[-15:])
        raise BuildError(f"{command[0]} failed with status {done.returncode}:\n{tail}")
    return done.stdout
