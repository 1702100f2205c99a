# SPDX-License-Identifier: GPL-2.0-or-later
"""The lists of mutants that are no fault, held against the sources: no mutant is built for it."""

import pytest
from conftest import ROOT
from equivalent import load_equivalent

pytest.importorskip("clang.cindex", reason="python3-clang is not installed")

from generator import MutationError, compiler, project  # noqa: E402

LISTS = ROOT / "tools/mutation/equivalent"


@pytest.fixture(scope="module")
def changes(emulator, tmp_path_factory):
    """What every mutant of today's sources changes, by name."""
    with project.EMULATOR_BUILD.kept.alone(project.EMULATOR_BUILD.PLACE):
        try:
            tree, objects = project.emulators_objects()
        except MutationError as error:
            pytest.skip(str(error))
        units = compiler.units(objects, tree)
        silicon = project.read_silicon(units, tmp_path_factory.mktemp("healthy"))
    return project.changes_by_name(silicon)


def test_every_row_is_about_a_mutant_of_the_sources_as_they_are(changes):
    """A statement or a field more in the model may give its neighbours other names."""
    assert len(load_equivalent(LISTS, changes)) > 1000
