# SPDX-License-Identifier: GPL-2.0-or-later
"""Switches a board on and off: by a command, labgrid, pdudaemon. These two have the drivers of PDUs
and management controllers. Prepares its boot of the image before it is switched on, and undoes that
afterwards: by the lab's own commands.
"""

import asyncio
import shlex

from commands import CommandFailed, run_command
from trouble import Kind, Trouble

GRACE = 1.0  # seconds; a command that takes too long is to be named by its own limit


class Switch:
    """A board's switch; limit: seconds for each act, pause: seconds that it stays off."""

    def __init__(self, bay):
        self.power = bay.power
        self.limit, self.pause = bay.seconds.power, bay.seconds.pause

    def exists(self):
        """A board without a switch is started by hand."""
        return bool(self.power)

    async def on(self):
        await self.turn(True)

    async def off(self):
        await self.turn(False)

    async def off_for_a_while(self):
        """Whatever it was doing, it begins anew: also one that a killed rack left on."""
        if self.exists():
            await self.off()
            await asyncio.sleep(self.pause)

    def has_cycle(self):
        """Has it an act of its own for a board that is on and hangs?"""
        return "cycle" in self.power

    async def cycle(self):
        await self.tried("cycle", self.shell(self.power["cycle"]))

    async def turn(self, on):
        if self.exists():
            act = getattr(self, f"by_{self.power['kind']}")
            await self.tried("on" if on else "off", act(on))

    async def tried(self, word, act):
        try:
            async with asyncio.timeout(self.limit + GRACE):
                await act
        except CommandFailed as error:
            raise Trouble(Kind.POWER, f"power {word}: {error}") from error
        except TimeoutError as error:
            text = f"power {word}: it was not so after {self.limit:g} s"
            raise Trouble(Kind.POWER, text) from error

    async def shell(self, text):
        await run_command(text, self.limit, shell=True)

    async def by_command(self, on):
        await self.shell(self.power["on" if on else "off"])

    async def by_labgrid(self, on):
        client = shlex.split(self.power.get("client", "labgrid-client"))
        words = [*client, "-p", self.power["place"], "power", "on" if on else "off"]
        await run_command(words, self.limit)

    async def by_pdudaemon(self, on):
        """Its HTTP interface answers when the switch has done it, or says what went wrong."""
        await asyncio.to_thread(ask_pdudaemon, self.power, on, self.limit)


def ask_pdudaemon(power, on, limit):
    import requests

    url = f"{power['daemon'].rstrip('/')}/power/control/{'on' if on else 'off'}"
    asked = {"hostname": power["hostname"], "port": power["port"]}
    try:
        answer = requests.get(url, asked, timeout=limit)
    except requests.RequestException as error:
        raise CommandFailed(f"pdudaemon: {str(error)[:200]}") from error
    if not answer.ok:
        raise CommandFailed(f"pdudaemon said {answer.status_code}: {answer.text.strip()[:200]}")


async def prepare(bay):
    """The lab's own preparation of a boot. Raises Trouble."""
    await run_for_boot(bay, "prepare")


async def undo(bay):
    """What the preparation left, a virtual drive perhaps, is gone. Raises Trouble."""
    await run_for_boot(bay, "undo")


async def run_for_boot(bay, what):
    """Which bay it is stands in the command's environment."""
    environment = {
        "BTSCHECK_BAY": bay.name,
        "BTSCHECK_BOARD": bay.board,
        "BTSCHECK_IMAGE": bay.image,
        "BTSCHECK_OPTIONS": bay.options,
    }
    if what not in bay.boot:
        return
    try:
        await run_command(bay.boot[what], bay.seconds.power, shell=True, environment=environment)
    except CommandFailed as error:
        raise Trouble(Kind.BOOT, f"boot: {error}") from error
