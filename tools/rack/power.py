# SPDX-License-Identifier: GPL-2.0-or-later
"""Switches a board on and off: by a command, a PDU, its management controller, another lab's tool.
Prepares its boot of the image before it is switched on, and undoes that afterwards.

Everything goes through tools that others keep: snmpset, ipmitool, sushy, labgrid-client, pdudaemon.
"""

import asyncio
import re
import shlex

import bmc
from bmc import RedfishFailed, ipmitool, is_on_by_redfish, switch_by_redfish
from commands import CommandFailed, run_command
from trouble import Kind, Trouble

LOOK_AGAIN = 0.5  # seconds between two looks whether a board is off
GRACE = 1.0  # seconds; a command that takes too long is to be named by its own limit
IS_ON = re.compile(r"power is on\b", re.IGNORECASE)


class Switch:
    """A board's switch; limit: seconds for each act, pause: seconds that it stays off."""

    def __init__(self, bay):
        self.power, self.bmc = bay.power, bay.bmc
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
        except (CommandFailed, RedfishFailed) as error:
            raise Trouble(Kind.POWER, f"power {word}: {error}") from error
        except TimeoutError as error:
            text = f"power {word}: it was not so after {self.limit:g} s"
            raise Trouble(Kind.POWER, text) from error

    async def shell(self, text):
        await run_command(text, self.limit, shell=True)

    async def by_command(self, on):
        await self.shell(self.power["on" if on else "off"])

    async def by_snmp(self, on):
        """Without a community net-snmp takes what its own snmp.conf says."""
        power = self.power
        named = ["-c", power["community"]] if "community" in power else []
        value = str(power["on" if on else "off"])
        version = f"-v{power.get('version', '2c')}"
        patience = ["-t", f"{self.limit / 4:g}", "-r", "2"]  # seconds for an answer, times more
        words = ["snmpset", version, *patience, *named, power["host"], power["oid"], "i", value]
        await run_command(words, self.limit)

    async def by_ipmi(self, on):
        words = ipmitool(self.bmc, "chassis", "power", "on" if on else "off")
        await run_command(words, self.limit)
        while await self.is_on_by_ipmi() != on:
            await asyncio.sleep(LOOK_AGAIN)

    async def is_on_by_ipmi(self):
        words = ipmitool(self.bmc, "chassis", "power", "status")
        return bool(IS_ON.search(await run_command(words, self.limit)))

    async def by_redfish(self, on):
        await asyncio.to_thread(switch_by_redfish, self.bmc, on)
        while await asyncio.to_thread(is_on_by_redfish, self.bmc) != on:
            await asyncio.sleep(LOOK_AGAIN)

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
    """The lab's own preparation, then the board's next boot device."""
    try:
        if "prepare" in bay.boot:
            await run_command(
                bay.boot["prepare"], bay.seconds.power, shell=True, environment=environment_of(bay)
            )
        async with asyncio.timeout(bay.seconds.power + GRACE):
            await choose_device(bay)
    except TimeoutError as error:
        text = f"boot: the BMC did not answer in {bay.seconds.power:g} s"
        raise Trouble(Kind.BOOT, text) from error
    except (CommandFailed, bmc.RedfishFailed) as error:
        raise Trouble(Kind.BOOT, f"boot: {error}") from error


def environment_of(bay):
    """What `prepare` finds in its environment."""
    return {
        "BTSCHECK_BAY": bay.name,
        "BTSCHECK_BOARD": bay.board,
        "BTSCHECK_IMAGE": bay.image,
        "BTSCHECK_OPTIONS": bay.options,
    }


async def choose_device(bay):
    """firmware (the usual) and usb: the board's own order is right."""
    kind, by = bay.boot["kind"], bay.boot.get("by", "firmware")
    if kind == "media":
        await asyncio.to_thread(bmc.insert, bay.bmc, bay.boot["url"])
    elif by == "redfish":
        await asyncio.to_thread(bmc.boot_from_network, bay.bmc, kind)
    elif by == "ipmi":
        await run_command(bmc.ipmitool(bay.bmc, "chassis", "bootdev", "pxe"), bay.seconds.power)


async def undo(bay):
    """The virtual drive is empty again. Raises Trouble."""
    if bay.boot["kind"] == "media":
        try:
            await asyncio.to_thread(bmc.eject, bay.bmc)
        except bmc.RedfishFailed as error:
            raise Trouble(Kind.BOOT, f"boot: {error}") from error
