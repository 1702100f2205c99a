# SPDX-License-Identifier: GPL-2.0-or-later
"""A board's management controller: ipmitool's command line, and Redfish by OpenStack's sushy."""

import contextlib
from pathlib import Path

from machine import LabError, told

SLOW_BMC = 5  # seconds for an answer, then ipmitool asks again


def ipmitool(bmc, *words):
    """The command that says `words` to a board's controller; the password is read from its file."""
    options = ["-I", "lanplus", "-H", bmc["host"], "-U", bmc["user"], "-f", bmc["password_file"]]
    if "port" in bmc:
        options += ["-p", str(bmc["port"])]
    if words[0] != "sol":
        options += ["-N", str(SLOW_BMC)]
    if "cipher" in bmc:
        options += ["-C", str(bmc["cipher"])]
    return ["ipmitool", *options, *words]


class RedfishFailed(Exception):
    """The controller could not be reached or said no."""


@contextlib.contextmanager
def redfish_errors():
    """sushy's exceptions, and those of requests below it, as RedfishFailed."""
    import requests
    import sushy.exceptions

    try:
        yield
    except (sushy.exceptions.SushyError, requests.RequestException, OSError) as error:
        raise RedfishFailed(f"Redfish: {str(error)[:300] or type(error).__name__}") from error


def connect(bmc):
    """(the session, the board's system); blocks. Raises RedfishFailed, LabError."""
    try:
        import sushy
    except ImportError as error:
        raise LabError("Python's sushy is missing; install Debian's python3-sushy") from error
    try:
        password = Path(bmc["password_file"]).read_text(encoding="utf-8").split("\n")[0]
    except OSError as error:
        raise LabError(f"the BMC's password cannot be read: {told(error)}") from error
    verify = False if bmc.get("any_certificate") else bmc.get("certificate", True)
    with redfish_errors():
        root = sushy.Sushy(bmc["redfish"], bmc["user"], password, verify=verify)
        return root, find_system(root, bmc)


def find_system(root, bmc):
    if "system" in bmc:
        return root.get_system(bmc["system"])
    systems = root.get_system_collection().get_members()
    if len(systems) != 1:
        names = ", ".join(system.path for system in systems)
        raise LabError(f"the BMC {bmc['redfish']} has several systems, name one: {names}")
    return systems[0]


def find_drive(system):
    """The virtual drive for CDs."""
    import sushy

    wanted = {sushy.VIRTUAL_MEDIA_CD, sushy.VIRTUAL_MEDIA_DVD}
    for manager in system.managers:
        for drive in manager.virtual_media.get_members():
            if wanted & set(drive.media_types or ()):
                return drive
    raise RedfishFailed("Redfish: the controller has no virtual drive for a CD")


def insert(bmc, url):
    """The image is in the virtual drive, and the next boot is from it; blocks."""
    import sushy

    with redfish_errors():
        _, system = connect(bmc)
        drive = find_drive(system)
        if drive.inserted:
            drive.eject_media()
        drive.insert_media(url)
        boot_next(system, sushy.BOOT_SOURCE_TARGET_CD)


def eject(bmc):
    with redfish_errors():
        _, system = connect(bmc)
        drive = find_drive(system)
        if drive.inserted:
            drive.eject_media()


def boot_from_network(bmc, kind):
    """kind: pxe or http, whose address the DHCP server tells; blocks."""
    import sushy

    with redfish_errors():
        _, system = connect(bmc)
        pxe, http = sushy.BOOT_SOURCE_TARGET_PXE, sushy.BOOT_SOURCE_TARGET_UEFI_HTTP
        boot_next(system, pxe if kind == "pxe" else http)


def boot_next(system, target):
    import sushy

    system.set_system_boot_options(target, enabled=sushy.BOOT_SOURCE_ENABLED_ONCE)


def switch_by_redfish(bmc, on):
    """Asks for it; is_on_by_redfish() says when it is so. Blocks."""
    import sushy

    with redfish_errors():
        _, system = connect(bmc)
        if is_on(system) != on:
            system.reset_system(sushy.RESET_TYPE_ON if on else sushy.RESET_TYPE_FORCE_OFF)


def is_on_by_redfish(bmc):
    with redfish_errors():
        return is_on(connect(bmc)[1])


def is_on(system):
    import sushy

    return system.power_state in (sushy.POWER_STATE_ON, sushy.POWER_STATE_POWERING_ON)
