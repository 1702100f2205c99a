# SPDX-License-Identifier: GPL-2.0-or-later
"""The page for people, in a real Chromium without a window: its text, what an accessibility checker
finds, and that it needs no network."""

import html
import json
import re
import shutil
import subprocess
import time

import pytest
from judge import judge
from junit import junit_xml
from lxml import etree
from page import html_page
from report_logs import FAILING, HEAD, LOGS, PASSING, log_of
from run_data import run_data
from traces import Box, caption_of

TIME = 200  # seconds; Chromium on a busy machine
AXE = """
<script>%s</script><script>
axe.run(document, {resultTypes: ["violations"]}).then((found) => {
  const told = found.violations.map((each) => each.id + ": " +
    each.nodes.slice(0, 3).map((node) => node.target + " " + node.failureSummary).join("; "));
  document.body.innerHTML = "<pre id=found></pre>";
  document.getElementById("found").textContent = JSON.stringify(told);
});</script></body>"""


def run_of(log, **more):
    return run_data(judge(log), **more)


def page_of(*logs):
    return html_page([run_of(log, board=f"bay{n}") for n, log in enumerate(logs, 1)]).decode()


def test_what_is_broken_stands_first_then_the_table_then_what_failed():
    page = page_of(FAILING)
    places = [page.index(f'<h2 id="{name}">') for name in ("broken", "table", "failures")]
    assert places == sorted(places)
    first = text_of(page[: places[1]])
    assert "branch records with a wrong FROM: 8" in first, "the most frequent kind"
    assert "with BTS_OFF_OS: only branches above CPL 0 stored" not in first
    assert "TR and BTS: every branch stored, circular buffer" in first, "the claim has its text"
    assert 'id="broken"' not in page_of(PASSING)


def test_a_run_of_an_older_store_has_a_page():
    run = run_of(FAILING)
    del run["diagnosis"]
    page = html_page([run]).decode()
    assert 'id="broken"' not in page and 'id="failures"' in page
    assert b"record.missing" in junit_xml([run])


def test_slots_that_are_alike_share_a_caption():
    marks = ["extra"] * 8 + ["", "from", "untold"]
    boxes = [Box(n, mark, 0) for n, mark in enumerate(marks)]
    assert caption_of(boxes) == ["slots 0 to 7: one too many each", "slot 9: wrong FROM"]
    lacking = [Box(n, "", lacks) for n, lacks in enumerate([0, 1, 1, 0, 2])]
    assert caption_of([*lacking, Box(5, "end", 3), Box(6, "to", 0)]) == [
        *("before slots 1 to 2: 1 missing each", "before slot 4: 2 missing"),
        *("at the end: 3 missing", "slot 6: wrong TO"),
    ]


@pytest.fixture
def chromium(tmp_path):
    """chromium(page, more options) -> the document as it is after the scripts ran."""
    if shutil.which("chromium") is None:
        pytest.skip("chromium is missing")

    def show(page, *options):
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-sync"]
        command += ["--disable-background-networking", "--disable-component-update"]
        command += ["--no-first-run", f"--user-data-dir={tmp_path / 'profile'}", *options]
        command += ["--virtual-time-budget=8000", "--dump-dom", f"file://{tmp_path}/page.html"]
        answer = subprocess.run(command, capture_output=True, timeout=TIME, check=True)
        return answer.stdout.decode()

    return show


def text_of(document):
    """What a person reads."""
    body = re.sub(r"<(style|script)\b.*?</\1>", "", document, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())


def test_one_board_in_chromium(chromium):
    text = text_of(chromium(page_of(FAILING)))
    for words in (
        *("FAIL Status 1: a test failed; 1 of 5 tests failed", "Intel Core Processor (Skylake)"),
        *("06_5EH stepping 3", "0x000000d6", "70 of 77 claims checked, 2 in part"),
        *(
            "table17_6.encodings ✗ failed breaks T17-6.3, BTS-1",
            "found record.from ×8, record.missing ×2",
        ),
        *("12 records expected, 11 got", "✗ missing two -> three INT n nothing"),
        *("before slot 2: 1 missing; slot 7: wrong FROM.", "11 records, not 12"),
        *("CPL > 0, circular", "all, interrupt", "Again: make run TEST=table17_6.encodings"),
        *("ALBR-* no architectural LBRs", "HSD53 3 a record repeats the FROM"),
        *("crossing old [off-os,int-n] [off-os,iret] new [off-usr,int-n]", "1:01:01 hours"),
        *("1,234,567 records checked", "table17_6 0 1 1 0 0 0 1.50"),
    ):
        assert words in text, words


def test_many_boards_in_chromium(chromium):
    old, new = (HEAD.replace("0x000000d6", f"0x000000{code}") for code in ("d6", "f0"))
    logs = [log_of(head=new), log_of((24,), head=old), log_of((24,), head=old), LOGS["CUT_OFF"]]
    text = text_of(chromium(page_of(*logs)))
    for words in (
        *("1 of 4 passed", "2 failed, 1 without a verdict", "✗ FAIL bay2, bay3 (2 boards)"),
        *(
            "! CUT OFF bay4",
            "4 of 4 shown",
            "Trends over microcode",
            "0x000000d6 3 2 1 T17-6.3 (2)",
        ),
        *("T17-6.3 TR and BTS: every branch stored, circular buffer 2 bay2, bay3",),
    ):
        assert words in text, words


def test_a_cut_log_says_how_much_is_missing():
    cut = FAILING[: FAILING.index(b"    1..32")]
    for page in (page_of(cut), page_of(cut, PASSING)):
        text = text_of(page)
        assert "the log stops at line" in text and "! CUT OFF" in text
        assert "! no result its result is not in the log" in text
        assert "1 of 2 tests are planned and not in the log" in text
        assert "✗ failed" not in text
    assert "1 of 4 tests without a result" in text_of(page_of(cut))
    assert "1 test did not end: table17_6.encodings" in text_of(page_of(cut, PASSING))


def test_what_failed_is_named_before_anybody_opens_it():
    text = text_of(page_of(FAILING, PASSING))
    assert "1 test failed: table17_6.encodings" in text


def test_no_log_can_write_into_the_page(chromium):
    bad = "<img src=x onerror=alert(1)><script>document.title='bad'</script>\x00\x1b]&"
    logs = log_of(head=f"# cpu: {bad}\n# btscheck: {bad}\n", skip_reason=bad), PASSING
    for page in (page_of(logs[0]), page_of(*logs)):
        assert "<img" not in page and "\x00" not in page
        assert page.count("<script") == 1 and "<title>bad" not in chromium(page)


@pytest.mark.parametrize("status", LOGS)
def test_page_needs_nothing_from_elsewhere(status):
    page = page_of(LOGS[status])
    assert not re.search(r"""(?:src|href|url)\s*[=(]\s*["']?(?!#|data:,)[\w./]""", page)
    assert "://" not in page
    assert "default-src 'none'" in page


def violations(chromium, page, folder, *options):
    """What axe-core finds, in words. The page itself admits no other script than its own."""
    checker = (folder / "axe-core/axe.min.js").read_text(encoding="utf-8")
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    document = chromium(page.replace("</body>", AXE.replace("%s", checker)), *options)
    found = re.search(r'<pre id="found">(.*)</pre>', document, re.S)
    assert found, "axe-core did not end"
    return json.loads(html.unescape(found[1]))


@pytest.mark.parametrize("scheme", [0, 1], ids=["dark", "light"])
@pytest.mark.parametrize("boards", [1, 4])
def test_page_is_accessible(chromium, report_readers, boards, scheme):
    """In both colour schemes: contrast, headings, names, table headers."""
    page = page_of(*[FAILING, PASSING, LOGS["CUT_OFF"], LOGS["TIMEOUT"]][:boards])
    scheme = f"--blink-settings=preferredColorScheme={scheme}"
    assert (
        violations(chromium, page.replace("<details", "<details open"), report_readers, scheme)
        == []
    )


def test_checker_finds_what_is_wrong(chromium, report_readers):
    page = page_of(PASSING).replace('<html lang="en">', "<html>")
    assert any(
        each.startswith("html-has-lang") for each in violations(chromium, page, report_readers)
    )


def bars_in(page):
    """[(label, [(x, width) of each part], words)] of the first drawing, as lxml reads it."""
    (drawing, *_) = etree.HTML(page).findall(".//figure//svg[@class='bars']")
    texts = [each.text for each in drawing.findall("text")]
    rows = {}
    for part in drawing.findall("rect"):
        x, width = float(part.get("x")), float(part.get("width"))
        rows.setdefault(part.get("y"), []).append((x, width))
    return list(zip(texts[::2], rows.values(), texts[1::2]))


def test_bars_are_as_long_as_their_numbers():
    run = run_of(PASSING)
    run["times"]["suites"] = {name: 4.0 / 2**n for n, name in enumerate(run["times"]["suites"])}
    bars = bars_in(html_page([run]).decode())
    assert [label for label, *_ in bars] == list(run["times"]["suites"])
    assert [words for *_, words in bars][0] == "4.00 s" and len(bars) > 1
    widths = [parts[0][1] for _, parts, _ in bars]
    assert widths == [widths[0] / 2**n for n in range(len(widths))]


def test_bars_of_boards_stand_one_behind_the_other():
    """Two that passed and one that failed."""
    page = page_of(PASSING, PASSING, FAILING)
    (_, parts, words), *_ = bars_in(page)
    assert words == "3" and len(parts) == 2
    (first, width), (second, other) = parts
    assert abs(first + width - second) < 0.2 and abs(width - 2 * other) < 0.2
    names = re.findall(r'\bid="([^"]+)"', page)
    assert len(names) == len(set(names)) and "://" not in page


def fleet(size):
    """Runs of so many boards: of several processors and microcodes, some of them failing."""
    kinds = [run_of(log) for log in (PASSING, PASSING, FAILING, LOGS["CUT_OFF"], LOGS["TIMEOUT"])]
    for number in range(size):
        run = kinds[number % 50 if number % 50 < len(kinds) else 0]
        processor = {**run["processor"], "microcode": f"0x{number % 7:08x}"}
        if run["processor"]["signature"]:
            processor["signature"] = f"06_{number % 9:02X}H stepping 3"
        yield {**run, "board": f"rack{number // 48}-bay{number % 48}", "processor": processor}


def test_a_thousand_boards_in_three_seconds(chromium):
    runs, start = list(fleet(1000)), time.process_time()
    page = html_page(runs).decode()
    assert time.process_time() - start < 3
    assert len(page) < 3_000_000
    assert "rack20-bay39" in page and "1000 of 1000 shown" in text_of(chromium(page))
