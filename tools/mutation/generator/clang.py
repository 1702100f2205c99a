# SPDX-License-Identifier: GPL-2.0-or-later
"""C parsed by libclang: units, and the questions that the operators ask of a cursor."""

import ctypes

from clang.cindex import Config, Cursor, CursorKind, Index, LibclangError, TranslationUnit

from . import MutationError

TRANSPARENT = (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR)
ERROR = 3  # the severity
INTEGER_RESULT = 1  # CXEval_Int
GCC_ALONE = ("-fzero-call-used-regs", "-ftrivial-auto-var-init", "-Wimplicit-fallthrough", "-W")


def _library():
    """libclang with the functions that the Python module does not declare."""
    library = Config().lib
    library.clang_Cursor_Evaluate.argtypes = [Cursor]
    library.clang_Cursor_Evaluate.restype = ctypes.c_void_p
    library.clang_EvalResult_getKind.argtypes = [ctypes.c_void_p]
    library.clang_EvalResult_getAsUnsigned.argtypes = [ctypes.c_void_p]
    library.clang_EvalResult_getAsUnsigned.restype = ctypes.c_ulonglong
    library.clang_EvalResult_dispose.argtypes = [ctypes.c_void_p]
    return library


def evaluate(cursor):
    """The value of a constant integer expression, or None."""
    library = _library()
    result = library.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        if library.clang_EvalResult_getKind(result) != INTEGER_RESULT:
            return None
        return library.clang_EvalResult_getAsUnsigned(result)
    finally:
        library.clang_EvalResult_dispose(result)


def parse(path, arguments, contents=None):
    """One translation unit, with the macros' uses in it. contents: text instead of the file's."""
    arguments = [word for word in arguments if not word.startswith(GCC_ALONE)]
    unsaved = [(str(path), contents)] if contents is not None else None
    options = TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    try:
        unit = Index.create().parse(str(path), ["-w", *arguments], unsaved, options)
    except LibclangError as error:
        raise MutationError(f"no libclang: {error}; tools/setup installs it") from None
    problems = [str(one) for one in unit.diagnostics if one.severity >= ERROR]
    if problems:
        raise MutationError(f"{path}: clang cannot read it: " + "; ".join(problems[:3]))
    return unit


def bounds(cursor):
    """(start, end) as offsets in the file of what is written there."""
    return cursor.extent.start.offset, cursor.extent.end.offset


def file_of(cursor):
    where = cursor.extent.start.file
    return where.name if where else None


def core(cursor):
    """The expression inside implicit conversions and parentheses."""
    while cursor.kind in TRANSPARENT:
        inside = list(cursor.get_children())
        if len(inside) != 1:
            return cursor
        cursor = inside[0]
    return cursor
