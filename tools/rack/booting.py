# SPDX-License-Identifier: GPL-2.0-or-later
"""Prepares a board's boot of the image before it is switched on, and undoes that afterwards."""

import asyncio

import bmc
from commands import CommandFailed, run_command
from power import GRACE
from trouble import Kind, Trouble


async def prepare(bay):
    """The lab's own preparation, then the board's next boot device."""
    try:
        if "prepare" in bay.boot:
            await run_command(
                bay.boot["prepare"], bay.seconds.power, shell=True, environment=told(bay)
            )
        async with asyncio.timeout(bay.seconds.power + GRACE):
            await choose_device(bay)
    except TimeoutError as error:
        text = f"boot: the BMC did not answer in {bay.seconds.power:g} s"
        raise Trouble(Kind.BOOT, text) from error
    except (CommandFailed, bmc.RedfishFailed) as error:
        raise Trouble(Kind.BOOT, f"boot: {error}") from error


def told(bay):
    """What `prepare` finds in its environment."""
    return {
        **{"BTSCHECK_BAY": bay.name, "BTSCHECK_BOARD": bay.board},
        **{"BTSCHECK_IMAGE": bay.image, "BTSCHECK_OPTIONS": bay.options},
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
