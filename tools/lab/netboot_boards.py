# SPDX-License-Identifier: GPL-2.0-or-later
"""The options of boards that start over the network: one block a board, in the server's folder.

boards/52-54-00-12-34-56.env is for the board that starts from the network card with that address,
boards/default.env for boards without a file.
"""

import re

from errors import LabError
from image_options import write_whole
from kernel_options import check_options
from options_block import block, read_block

DEFAULT = "default"
ADDRESS = re.compile(r"([0-9a-f]{2})[:.-]?" * 5 + r"([0-9a-f]{2})")


def board_name(address):
    """The name of a board's file, from 52:54:00:12:34:56 in any of the usual forms."""
    match = ADDRESS.fullmatch(address.lower())
    if not match:
        raise LabError(f"'{address[:40]}' is no network address such as 52:54:00:12:34:56")
    return "-".join(match.groups())


def set_board(folder, board, options):
    """A board that starts meanwhile gets the old options or the new ones, as a whole."""
    check_options(options)
    write_whole(path_of(folder, board), block(options))


def clear_board(folder, board):
    """It gets those of all again; these are none then."""
    if board == DEFAULT:
        set_board(folder, DEFAULT, "")
    else:
        path_of(folder, board).unlink(missing_ok=True)


def boards(folder):
    """The names of those that have options of their own, behind that of all the others."""
    names = {path.stem for path in path_of(folder, DEFAULT).parent.glob("*.env")}
    return [DEFAULT, *sorted(names - {DEFAULT})]


def options_of(folder, board):
    path = path_of(folder, board)
    try:
        return read_block(path.read_bytes())
    except LabError as error:
        raise LabError(f"{path}: {error}") from error


def path_of(folder, board):
    if not (folder / "boards").is_dir():
        raise LabError(f"{folder} is no folder that boards start from; `make netboot` builds one")
    return folder / "boards" / f"{board}.env"
