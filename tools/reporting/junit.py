# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs as JUnit XML, in the form that Jenkins' schema has and GitLab's and GitHub's readers take.

A testcase is a test, not a subtest: a compact log then has the same cases as a full one. Each run
has one more case, its verdict, which succeeds only for a PASS, so that no reader takes a truncated
log for a good one.
"""

from collections import Counter
from xml.etree import ElementTree

from words import BROKEN, all_claims, broken_parts, clean, first_finding, has_passed, one_line
from words import retest_words, skipped_parts, suite_and_test, verdict_line, why_it_failed

VERDICT = "verdict"
LINES = 400  # of one failure; the log has the rest
COUNTS = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def junit_xml(runs):
    """The document as bytes, UTF-8."""
    root = ElementTree.Element("testsuites", name="btscheck")
    taken = Counter()  # readers take what has one name for one thing
    for run in runs:
        suites = list(suites_of(run, new_name(package_of(run), taken)))
        root.extend(suites)
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key)) for suite in root)))
    for element in root.iter():
        element.text = element.text and clean(element.text)
        element.attrib.update({key: one_line(value) for key, value in element.attrib.items()})
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def package_of(run):
    """Dots divide packages: a board's name has none."""
    board = one_line(run["board"] or "").replace(".", "_")
    return f"btscheck.{board}" if board else "btscheck"


def new_name(name, taken):
    """ "name", and where that is taken "name (2)"."""
    taken[name] += 1
    return name if taken[name] == 1 else new_name(f"{name} ({taken[name]})", taken)


def suites_of(run, package):
    """The verdict, then the suites of the kernel."""
    by_suite = {}
    for test in run["tests"]:
        by_suite.setdefault(suite_and_test(test["name"])[0], []).append(test)
    yield finished(verdict_suite(run, f"{package}.{VERDICT}"), run, run["seconds"])
    for name, tests in by_suite.items():
        suite, taken = ElementTree.Element("testsuite", name=f"{package}.{name}"), Counter()
        said = (run.get("diagnosis") or {}).get("tests", {})
        suite.extend(case_of(test, suite.get("name"), taken, said) for test in tests)
        yield finished(suite, run, run["times"]["suites"].get(name))


def finished(suite, run, seconds):
    """Its attributes, counted."""
    found = Counter(child.tag for case in suite.iter("testcase") for child in case)
    suite.set("tests", str(len(suite.findall("testcase"))))
    for key, tag in COUNTS.items():
        suite.set(key, str(found[tag]))
    if seconds is not None:
        suite.set("time", f"{seconds:.3f}")
    if run["when"]:
        suite.set("timestamp", run["when"].rstrip("Z"))
    if run["board"]:
        suite.set("hostname", run["board"])
    return suite


def verdict_suite(run, name):
    suite = ElementTree.Element("testsuite", name=name)
    properties = ElementTree.SubElement(suite, "properties")
    for key, value in properties_of(run):
        ElementTree.SubElement(properties, "property", name=key, value=value)
    case = ElementTree.SubElement(suite, "testcase", classname=name, name=VERDICT)
    if not has_passed(run):
        tag = "failure" if run["status"]["name"] == "FAIL" else "error"
        text = [verdict_line(run), *run["reasons"], *run["remarks"], *run["problems"]]
        message = first_cause(run) or verdict_line(run)
        add(case, tag, text, type=run["status"]["name"], message=message)
    add(case, "system-out", verdict_words(run))
    return suite


def first_cause(run):
    """What is broken, in one sentence; "" where nothing failed, or the run is too old to tell."""
    return next(iter((run.get("diagnosis") or {}).get("causes", [])), "")


def properties_of(run):
    processor = run["processor"]
    yield "status", run["status"]["name"]
    for key in ("brand", "signature", "microcode", "hypervisor"):
        if processor[key]:
            yield key, processor[key]
    yield from ((f"machine.{key}", text) for key, text in run.get("machine", {}).items() if text)
    for key in ("image", "seed", "log"):
        if run[key]:
            yield key, run[key]
    yield "options", " ".join(run["options"])
    yield from ((f"erratum.{name}", str(times)) for name, times in run["errata"].items())
    for place, traits in run["traits"].items():
        suffix = f"@{place}" if place else ""
        yield from ((f"trait{suffix}.{name}", value) for name, value in traits.items())


def verdict_words(run):
    yield verdict_line(run)
    yield from run["remarks"]
    for place, each in run["coverage"].items():
        on = f" on {place}" if place else ""
        yield f"{each['checked']} of {each['claims']} claims checked{on}"
        for group in each["not_checked"]:
            yield f"not checked{on}: {group['claims']} ({group['reason']})"
    if run["soak"]:
        yield "soak: " + ", ".join(f"{key} {value}" for key, value in run["soak"].items())


def case_of(test, suite, taken, said):
    """said: test -> the sentence that says what is broken."""
    name = new_name(one_line(suite_and_test(test["name"])[1]), taken)
    case = ElementTree.Element("testcase", classname=suite, name=name)
    if test["outcome"] != "skip":
        case.set("time", f"{test.get('seconds') or 0:.2f}")
    if test["outcome"] == "skip":
        add(case, "skipped", [reason_of(test)])
    elif test["outcome"] in BROKEN:
        add_failure(case, test, said.get(test["name"]))
    if words := beside_the_outcome(test):
        add(case, "system-out", words)
    return case


def reason_of(test):
    return test["reason"] or "no reason given"


def add_failure(case, test, sentence):
    """A test that did not end says nothing of the processor: an error, and no failure."""
    part = broken_parts(test)[0][1]
    kind = part["findings"][0]["kind"] if part["findings"] else test["outcome"]
    about = f" [{' '.join(all_claims(test))}]" if all_claims(test) else ""
    tag = "failure" if test["outcome"] == "fail" else "error"
    again = f" (failed again: {retest_words(test)})" if retest_words(test) else ""
    message = (sentence or first_finding(part)) + about + again
    add(case, tag, why_it_failed(test), type=kind, message=message)


def beside_the_outcome(test):
    """What a pass leaves open: the errata that excuse it, its parts that were skipped. Of a skip
    the reason once more: Jenkins shows no text of `skipped`, and its schema has no attribute."""
    if test["outcome"] == "skip":
        return [f"skipped: {reason_of(test)}"]
    words = [f"excused by {test['reason']}"] if test["outcome"] == "xfail" else []
    words += [
        f"{name}: excused by {part['reason']}"
        for name, part in ((f"{test['name']}.{each['name']}", each) for each in test["subtests"])
        if part["outcome"] == "xfail"
    ]
    return words + [f"{name}: skipped ({part['reason']})" for name, part in skipped_parts(test)]


def add(case, tag, lines, **attributes):
    lines = list(lines)
    if len(lines) > LINES:
        lines[LINES:] = [f"… and {len(lines) - LINES} lines more, in the log"]
    child = ElementTree.SubElement(case, tag, attributes)
    child.text = "\n".join(lines)
