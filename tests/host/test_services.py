# SPDX-License-Identifier: GPL-2.0-or-later
"""What a kernel asks of the lab: the line in the log, QEMU's monitor, and what goes wrong there."""

import json
import re
import socket
import threading
import time

import pytest
import services
from conftest import ROOT, hollow_image
from judge import Status
from machine import LabError, Machine
from qmp import Monitor, MonitorGone
from log_lines import LINE_LIMIT
from services import Requests, with_services

GREETING = {"QMP": {"version": {}, "capabilities": []}}
EVENT = {"event": "RESUME", "timestamp": {"seconds": 1, "microseconds": 2}}
ASK = b"    # lab: machine-check?\n"
ALL = "lab=machine-check,machine-check-other"


class FakeMonitor:
    """Says the greeting, then one list of messages for each command; keeps the commands."""

    def __init__(self, path, replies, greeting=GREETING):
        self.commands, self.replies, self.greeting = [], replies, greeting
        self.server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.server.bind(str(path))
        self.server.listen(1)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        connection, _ = self.server.accept()
        with connection, connection.makefile("rwb", buffering=0) as stream:
            self.say(stream, self.greeting)
            for messages in self.replies:
                line = stream.readline()
                if not line:
                    return
                self.commands.append(json.loads(line))
                for message in messages:
                    self.say(stream, message)
            if not self.replies or self.replies[-1] == []:
                stream.readline()  # silent, but there

    def say(self, stream, message):
        raw = message if isinstance(message, bytes) else json.dumps(message).encode()
        for cut in (raw[:5], raw[5:] + b"\r\n"):
            stream.write(cut)

    def close(self):
        self.server.close()


@pytest.fixture
def fake(tmp_path):
    """fake(replies after the one to qmp_capabilities, …) -> (server, the socket's path)."""
    servers = []

    def start(*replies, greeting=GREETING):
        path = tmp_path / "monitor"
        servers.append(FakeMonitor(path, [[{"return": {}}], *replies], greeting))
        return servers[-1], path

    yield start
    for server in servers:
        server.close()


def test_monitor_speaks_qmp_and_overhears_events(fake):
    server, path = fake([EVENT, {"return": {"status": "running"}}, EVENT], [{"return": ""}])
    monitor = Monitor(path)
    assert monitor.execute("query-status") == {"status": "running"}
    monitor.human("mce 0")
    assert [command["execute"] for command in server.commands] == [
        "qmp_capabilities",
        "query-status",
        "human-monitor-command",
    ]
    assert server.commands[2]["arguments"] == {"command-line": "mce 0"}
    monitor.close()


@pytest.mark.parametrize(
    "reply, complaint",
    [
        ({"error": {"class": "GenericError", "desc": "no such thing"}}, "no such thing"),
        ({"return": "MCE capability is not enabled\r\n"}, "MCE capability is not enabled"),
        (b"nonsense", "no JSON"),
        (b"[1]", "no message"),
    ],
    ids=["error", "words", "nonsense", "list"],
)
def test_refusals_are_errors_of_the_lab(fake, reply, complaint):
    _, path = fake([reply])
    with pytest.raises(LabError, match=complaint):
        Monitor(path).human("mce 0")


def test_silent_monitor_is_an_error_in_time(fake):
    _, path = fake([])
    monitor = Monitor(path, answer_time=0.3)
    start = time.monotonic()
    with pytest.raises(LabError, match="did not answer"):
        monitor.execute("query-status")
    assert time.monotonic() - start < 5


def test_chattering_monitor_is_an_error_in_time(tmp_path):
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(str(tmp_path / "monitor"))
    server.listen(1)

    def chatter():
        connection, _ = server.accept()
        try:
            while True:
                connection.sendall(b"x")
                time.sleep(0.05)
        except OSError:
            pass

    threading.Thread(target=chatter, daemon=True).start()
    with pytest.raises(LabError, match="did not answer"):
        Monitor(tmp_path / "monitor", answer_time=0.4)
    server.close()


def test_monitor_that_is_not_one(fake):
    _, path = fake(greeting={"hello": 1})
    with pytest.raises(LabError, match="greet"):
        Monitor(path)


def test_monitor_that_tells_what_happens_before_it_greets(fake):
    both = b"\r\n".join(json.dumps(each).encode() for each in (EVENT, GREETING))
    _, path = fake([{"return": 1}], greeting=both)
    assert Monitor(path).execute("query-status") == 1


def test_monitor_that_closes_is_gone(fake, tmp_path):
    _, path = fake()
    monitor = Monitor(path)
    with pytest.raises(MonitorGone):
        monitor.execute("query-status")
    with pytest.raises(MonitorGone):
        Monitor(tmp_path / "never-there")


class Processor:
    """A monitor whose processor is in SMM the first times that it is looked at."""

    def __init__(self, looks_in_smm):
        self.left, self.said = looks_in_smm, []

    def execute(self, command):
        self.said.append(command)

    def ask(self, line):
        self.left -= 1
        self.said.append(line)
        return f"EIP=00008000 CPL=0 II=0 A20=1 SMM={int(self.left >= 0)} HLT=0\r\nSMM=x"

    def human(self, line):
        self.said.append(line)


LOOK = ["stop", "info registers", "cont"]


@pytest.mark.parametrize("looks", [0, 1, 5])
def test_machine_check_waits_for_the_end_of_smm_and_comes_once(looks):
    processor = Processor(looks)
    services.inject_machine_check(processor)
    last = ["stop", "info registers", services.MACHINE_CHECK, "cont"]
    assert processor.said == LOOK * looks + last


def test_machine_check_of_the_other_looks_at_every_processor():
    processor = Processor(0)
    services.inject_other_machine_check(processor)
    assert processor.said == ["stop", "info registers -a", services.MACHINE_CHECK_OTHER, "cont"]


def test_processor_that_stays_in_smm_is_an_error_in_time(monkeypatch):
    monkeypatch.setattr(services, "SMM_TIME", 0.2)
    processor = Processor(10**9)
    start = time.monotonic()
    with pytest.raises(LabError, match="stays in SMM"):
        services.inject_machine_check(processor)
    assert time.monotonic() - start < 5
    assert services.MACHINE_CHECK not in processor.said and processor.said[-1] == "cont"


def test_machine_goes_on_when_the_injection_is_refused():
    class Refuses(Processor):
        def human(self, line):
            raise LabError("no")

    processor = Refuses(0)
    with pytest.raises(LabError, match="no"):
        services.inject_machine_check(processor)
    assert processor.said == LOOK


class Recorder:
    """Takes the place of Monitor: keeps what was said to it."""

    said = []

    def __init__(self, path):
        self.path = path

    def execute(self, command):
        pass

    def ask(self, line):
        return "SMM=0"

    def human(self, line):
        Recorder.said.append(line)

    def close(self):
        pass


@pytest.fixture
def requests(monkeypatch):
    Recorder.said = []
    monkeypatch.setattr(services, "Monitor", Recorder)
    with Requests() as requests:
        yield requests


def test_each_request_is_answered_once_wherever_the_log_is_cut(requests):
    log = b"KTAP version 1\r\n# lab: machine-check?\r\n" + ASK + b"ok 1 a\n"
    for i in range(len(log)):
        requests.heard(log[i : i + 1])
    assert requests.answered == ["machine-check"] * 2
    assert Recorder.said == [services.MACHINE_CHECK] * 2


def test_request_made_again_is_answered_later_until_a_result_comes(requests, monkeypatch):
    pauses = []
    monkeypatch.setattr(services.time, "sleep", pauses.append)
    requests.heard(ASK * 10 + b"    ok 1 a\n" + ASK + b"  # ok 2 b\n" + ASK)
    assert pauses[:3] == [services.PAUSE, 2 * services.PAUSE, 4 * services.PAUSE]
    assert pauses[9] == services.PAUSE_MOST
    assert pauses[10:] == [services.PAUSE, 2 * services.PAUSE]


@pytest.mark.parametrize(
    "line",
    [
        b"# lab: machine-check?",  # not whole yet
        b"# lab: machine-check\n",
        b"# note: # lab: machine-check?\n",
        b"x# lab: machine-check?\n",
        b"# lab: machine-check? or not\n",
        b"# lab: coffee?\n",  # nobody promised that
        b"x" * 100000,
    ],
)
def test_what_is_no_request(requests, line):
    requests.heard(line)
    assert requests.answered == []
    assert len(requests.follower.rest) <= LINE_LIMIT


def test_socket_lives_in_a_private_folder_and_goes_with_it():
    with Requests() as requests:
        folder = requests.socket.parent
        assert folder.stat().st_mode & 0o077 == 0
        assert len(str(requests.socket)) < 100  # a unix socket's name is short
    assert not folder.exists()


@pytest.mark.parametrize(
    "given, passed",
    [
        ("", ALL),
        ("test=a repeat=2", f"test=a repeat=2 {ALL}"),
        ("lab=none", "lab=none"),
        ("test=a lab=none", "test=a lab=none"),
        ("test=lab=x", f"test=lab=x {ALL}"),
    ],
)
def test_kernel_is_told_what_the_lab_can_do(given, passed):
    assert with_services(given) == passed


def test_words_are_those_of_the_kernel():
    text = (ROOT / "kernel/console/lab.c").read_text(encoding="utf-8")
    words = re.search(r"lab_words\[[^]]*\] = \{([^}]*)\}", text)[1]
    assert re.findall(r'"([^"]*)"', words) == list(services.SERVICES)


def test_monitor_is_a_unix_socket_and_only_where_one_is_wanted(tmp_path):
    iso = tmp_path / "image.iso"
    hollow_image(iso)
    assert "-qmp" not in Machine(cpu="any", iso=iso).arguments("stdio")
    words = Machine(cpu="any", iso=iso, monitor=tmp_path / "a,b").arguments("stdio")
    assert words[words.index("-qmp") + 1] == f"unix:{tmp_path}/a,,b,server=on,wait=off"


@pytest.mark.parametrize("firmware", ["bios", "uefi"])
def test_machine_checks_reach_the_kernel(boot_machine, firmware):
    boot = boot_machine(firmware=firmware, command_line="test=selftest.lab_injects*")
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert "lab=machine-check" in boot.text


def test_without_a_lab_the_tests_skip_and_say_so(boot_machine):
    boot = boot_machine(command_line="test=selftest.lab_injects* lab=none")
    assert boot.judgement.status == Status.SKIP, boot.explain()
    (result,) = [result for _, result in boot.judgement.log.leaves()]
    assert "no lab=machine-check" in result.reason


def test_lab_that_promises_and_does_not_inject_fails_the_test(boot_machine, monkeypatch):
    monkeypatch.setattr(services, "SERVICES", {"machine-check": lambda monitor: None})
    boot = boot_machine(command_line="test=selftest.lab_injects*")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert "no machine check came in 5 seconds" in boot.text


def test_injection_that_qemu_refuses_could_not_run(boot_machine, monkeypatch):
    monkeypatch.setattr(services, "MACHINE_CHECK", "mce 0 99 0 0 0 0")
    with pytest.raises(LabError, match="refuses 'mce 0 99"):
        boot_machine(command_line="test=selftest.lab_injects*")
