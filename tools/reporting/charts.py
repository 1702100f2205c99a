# SPDX-License-Identifier: GPL-2.0-or-later
"""Charts as SVG: Vega-Lite describes them, node draws them when the page is made.

`make charts` installs Vega below build/. Without it, or without node, a page has its tables alone
and says so.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent / "charts"
INSTALLED = Path(__file__).resolve().parents[2] / "build/reporting"
TIME = 120  # seconds, for all charts of a page
MISSING = "charts are left out: `make charts` installs what draws them (it needs node and npm)"

# Colours are those of the page's style sheet, so that a chart is readable in the dark as well.
INK, QUIET, LINE = "var(--ink)", "var(--quiet)", "var(--line)"
CONFIG = {
    "background": None,
    "font": "system-ui, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK,
        "titleColor": QUIET,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "gridColor": LINE,
        "domainColor": LINE,
        "tickColor": LINE,
        "labelLimit": 260,
    },
    "legend": {"labelColor": INK, "titleColor": QUIET, "labelFontSize": 12, "symbolType": "square"},
    "header": {"labelColor": INK, "titleColor": QUIET, "labelFontSize": 13},
}


def draw(specifications):
    """(SVG texts, None), or (None, why there are none)."""
    node = shutil.which("node")
    if not specifications:
        return [], None
    if node is None or not (INSTALLED / "node_modules").is_dir():
        return None, MISSING
    given = json.dumps([{**each, "config": CONFIG} for each in specifications])
    command = [node, str(HERE / "render.mjs"), str(INSTALLED)]
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, text=True, timeout=TIME, check=True
        )
        drawn = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return None, f"charts are left out: they were not drawn in {TIME} s"
    except (subprocess.CalledProcessError, OSError, ValueError) as error:
        words = (getattr(error, "stderr", None) or str(error)).strip().split("\n")
        return None, f"charts are left out: {words[-1][:200]}"
    return [as_part_of_page(svg, number) for number, svg in enumerate(drawn)], None


def as_part_of_page(svg, number):
    """Names are of this chart alone; the figure around it says in words what it shows."""
    svg = re.sub(r'(id="|url\(#)', rf"\g<1>chart{number}-", svg)
    svg = re.sub(r' (?:role|aria-[a-z]+)="[^"]*"', "", svg)
    return svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)


def channel(field, kind="nominal", **more):
    """How a field of the rows is shown: along an axis, or as a colour."""
    return {"field": field, "type": kind, **more}


def bars(rows, label, value, title, colour="var(--accent)"):
    """One bar for each row, the longest above."""
    grid = {"grid": True, "tickCount": 6}
    return {
        "data": {"values": rows},
        "width": 560,
        "height": {"step": 19},
        "encoding": {
            "y": channel(label, sort="-x", axis={"title": None}),
            "x": channel(value, "quantitative", title=title, axis=grid),
        },
        "layer": [
            {"mark": {"type": "bar", "color": colour, "height": 12}},
            {
                "mark": {"type": "text", "align": "left", "dx": 4, "color": INK, "fontSize": 11},
                "encoding": {"text": {"field": "words"}},
            },
        ],
    }


def stacked(rows, label, title, states):
    """How many boards ended how, a bar for each label. states: [(name, colour)] in order."""
    whole = {"tickMinStep": 1, "format": "d"}
    scale = {"domain": [name for name, _ in states], "range": [colour for _, colour in states]}
    return {
        "data": {"values": rows},
        "width": 560,
        "height": {"step": 24},
        "mark": {"type": "bar", "stroke": "var(--page)", "strokeWidth": 1},
        "encoding": {
            "y": channel(label, sort=None, axis={"title": None}),
            "x": channel("boards", "quantitative", title=title, stack="zero", axis=whole),
            "color": channel("state", legend={"title": None}, scale=scale),
            "order": channel("order", "quantitative"),
        },
    }
