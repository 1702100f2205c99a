# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs as one HTML page: of one board, or of many side by side. It needs no other file, no network
and no script."""

import base64
import hashlib
from collections import defaultdict
from pathlib import Path

import jinja2
from claim_table import load_claims
from diagnosis.dictionary import NEAR
from markupsafe import Markup

import claim_states
import many_boards
import one_board
import traces
from words import board_of, clean

TEMPLATES = Path(__file__).resolve().parent / "templates"


def html_page(runs):
    """The page as bytes, UTF-8."""
    kind = one_board if len(runs) == 1 else many_boards
    model = kind.model_of(runs[0] if len(runs) == 1 else runs)
    return environment().get_template(f"{kind.__name__}.html").render(model).encode()


def environment():
    """Every text is escaped, and holds no character that no page may hold."""
    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=lambda value: clean(value) if isinstance(value, str) and needs(value) else value,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = (TEMPLATES / "page.js").read_text(encoding="utf-8")
    found.globals |= {
        "style": (TEMPLATES / "page.css").read_text(encoding="utf-8"),
        "script": script,
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        "STATES": claim_states.STATES,
        "board_of": board_of,
        "named": many_boards.named,
        "read": traces.read,
        "caption_of": traces.caption_of,
        "claim_texts": claim_texts(),
        "NEAR": NEAR,
        "claims_by_section": claim_states.sections(),
        "CLASSES": {state: state.replace(" ", "-") for state in claim_states.STATES},
        "SIGNS": {state: spoken(sign, state) for state, (sign, _) in claim_states.STATES.items()},
        "headline": one_board.headline,
        "bars_of_times": one_board.bars_of_times,
        "bars_of_signatures": many_boards.bars_of_signatures,
        "bars_of_revisions": many_boards.bars_of_revisions,
        "OUTCOMES": one_board.OUTCOMES,
        "figure_of_claims": one_board.figure_of_claims,
    }
    return found


def claim_texts():
    """Claim -> text; an older log may name one that the table does not have any more."""
    return defaultdict(str, {name: claim.text for name, claim in load_claims().items()})


def spoken(sign, word):
    """A sign for the eye and a word for who listens."""
    words = '<span aria-hidden="true">{}</span><span class="vh">{}</span>'
    return Markup(words).format(sign, word)


def needs(text):
    return not isinstance(text, Markup) and not text.isprintable()
