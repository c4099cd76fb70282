"""What no client should send, and what can happen to a connection: an answer or a clean end each time, never a crash."""

import random
import re
import signal
import socket
import subprocess
import sys
import time
import unittest

from client import LIMIT, ROOT, Connection, Process, Waiting

LOCKSTEP = sys.argv.pop(1) if len(sys.argv) > 1 else "build/lockstep"
KERNELS = "tests/debugger/dap/kernels"
ROWS = [f"{KERNELS}/rows.py::rows", "--grid=3", "x=arange:f32[3,20]", "out=zeros:f32[3,8]", "columns=20", "factor=2.0", "BLOCK=8"]
ENDLESS = [f"{KERNELS}/endless.py::endless", "--grid=4", "out=zeros:i64[4]", "turns=2000000000"]


def frame(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Hostile(unittest.TestCase):
    def ends(self, data: bytes) -> str:
        """Sends bytes that are no frame: the server says so and ends with exit code 2. What it said."""
        client = Process(LOCKSTEP)
        client.send_bytes(data)
        said = client.event("output")["output"]
        self.assertEqual(client.end(), (2, ""))
        return said

    def test_lost_framing(self):
        self.assertIn("is not a number", self.ends(b"Content-Length: many\r\n\r\n{}"))
        self.assertIn("more than", self.ends(b"Content-Length: 99999999999\r\n\r\n{}"))
        self.assertIn("no Content-Length", self.ends(b"X: 1\r\n\r\n{}"))
        self.assertIn("is not a header", self.ends(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"))
        self.assertIn("no end", self.ends(b"A: " + b"x" * 5000))

    def test_stream_that_ends_within_a_message(self):
        client = Process(LOCKSTEP)
        client.send_bytes(b"Content-Length: 100\r\n\r\n{}")
        client.process.stdin.close()
        self.assertIn("ends within", client.event("output")["output"])
        self.assertEqual(client.end()[0], 2)

    def test_messages_that_are_none(self):
        client = Process(LOCKSTEP)
        wrong = [b"", b"{", b"[]", b"5", b"\xff\xfe", b'{"type": "request"}', b'{"seq": "1", "type": "request", "command": "threads"}']
        wrong += [b'{"seq": 1, "type": "request", "command": 7}', b'{"seq": 1, "type": "event", "event": "x"}']
        wrong += [b'{"seq": 1, "type": "request", "command": "threads", "arguments": []}', b"[" * 1_000_000, b'{"a":' * 1_000_000]
        wrong += [b'{"seq": 1, "seq": 1, "type": "request", "command": "threads"}', b'"' + b"x" * 4_000_000 + b'"']
        wrong += [b'{"seq": 1e999, "type": "request", "command": "threads"}', b'{"seq": 1, "type": "request", "command": "' + b"x" * 300 + b'"}']
        for body in wrong:
            client.send_bytes(frame(body))
            answer = client.receive()  # an error response where it is known to what, else a line for the person
            self.assertIn((answer["type"], answer.get("success", "none")), [("response", False), ("event", "none")], body[:60])
        client.ask("initialize", adapterID="x")
        self.assertEqual(client.problems, [])
        self.assertEqual(client.end(), (0, ""))

    def test_wrong_types_everywhere(self):
        """Every request with every member of its arguments replaced by things that it cannot be."""
        client = Process(LOCKSTEP)
        client.ask("initialize", adapterID="x")
        client.ask("launch", args=ROWS, stopOnEntry=True)
        client.event("initialized")
        client.go()
        protocol = client.protocol
        odd = [None, True, -1, 2**62, 1.5, "", "x" * 5000, "\ud83d\ude00", [], [[]], {}, {"line": {}}, [1, "a", None], "%", "[" * 300]
        spared = {"disconnect", "continue", "reverseContinue", "terminate", "restart", "next", "stepIn", "stepOut", "stepBack"}
        source = (ROOT / "debugger" / "dap" / "dispatch.cpp").read_text()
        handled = re.findall(r'\{"([\w/]+)", Need::', source)
        chooser = random.Random(3)
        sent = 0
        for command in handled:
            if command in spared:
                continue
            name = protocol.requests.get(command, "")
            rule = protocol.schema["definitions"].get(name.removesuffix("Request") + "Arguments", {})
            for key in protocol.members(rule) or {"count": {}, "expression": {}}:
                for value in odd:
                    arguments = {other: chooser.choice(odd) for other in protocol.members(rule) or {} if chooser.random() < 0.5}
                    client.request(command, arguments | {key: value})
                    sent += 1
        self.assertGreater(sent, 1000)
        self.assertEqual(client.evaluate("pid[0]"), "0")
        self.assertEqual(client.problems, [])
        self.assertEqual(client.end(), (0, ""))

    def test_client_that_is_gone(self):
        client = Process(LOCKSTEP)
        client.ask("initialize", adapterID="x")
        client.ask("launch", args=ENDLESS)
        client.event("initialized")
        client.ask("configurationDone")
        self.assertEqual(client.end()[0], 0)  # while it runs


class Running(unittest.TestCase):
    def endless(self) -> Process:
        client = Process(LOCKSTEP)
        client.ask("initialize", adapterID="x")
        client.ask("launch", args=ENDLESS)
        client.event("initialized")
        client.ask("configurationDone")
        return client

    def finish(self, client: Process) -> None:
        client.ask("disconnect")
        self.assertEqual(client.problems, [])
        self.assertEqual(client.end(), (0, ""))

    def test_pause_and_go_on(self):
        client = self.endless()
        for _ in range(3):
            client.ask("pause", threadId=1)
            self.assertEqual(client.event("stopped")["reason"], "pause")
            self.assertIn("iteration", client.frames()[1]["name"])
            client.ask("continue", threadId=1)
        self.finish(client)

    def test_breakpoints_while_it_runs(self):
        client = self.endless()
        for command in ("stackTrace", "variables", "evaluate", "next"):
            answer = client.request(command, {"threadId": 1, "expression": "1", "variablesReference": 1})
            self.assertEqual((answer["success"], answer["message"]), (False, "notStopped"))
        self.assertNotEqual(client.ask("threads")["threads"], [])
        path = f"{KERNELS}/endless.py"
        found = client.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": 11, "condition": "i % 1000 == 7"}])
        self.assertTrue(found["breakpoints"][0]["verified"])
        stopped = client.event("stopped")
        self.assertEqual((stopped["reason"], client.evaluate("i % 1000")), ("breakpoint", "7"))
        self.finish(client)

    def test_restart_and_terminate_while_it_runs(self):
        client = self.endless()
        client.ask("restart")
        client.ask("terminate")
        client.event("terminated")
        self.finish(client)

    def test_cancel_of_what_waits(self):
        client = self.endless()
        client.ask("pause", threadId=1)
        client.event("stopped")
        client.send("stepOut", {"threadId": 1})  # does not end by itself
        waiting = client.send("threads")
        client.ask("cancel", requestId=waiting)
        withdrawn = next(m for way, m in client.log if way == "<-" and m.get("request_seq") == waiting)
        self.assertEqual((withdrawn["success"], withdrawn["message"]), (False, "cancelled"))
        client.ask("pause", threadId=1)
        client.event("stopped")
        self.finish(client)


    def test_progress_and_its_end(self):
        """What takes long is told of, can be cancelled, and is over then."""
        client = Process(LOCKSTEP)
        client.ask("initialize", adapterID="x", supportsProgressReporting=True)
        client.ask("launch", args=ENDLESS)
        client.event("initialized")
        client.ask("configurationDone")
        started = client.event("progressStart")
        self.assertEqual((started["title"], started["cancellable"]), ("running the launch", True))
        update = client.event("progressUpdate")
        self.assertRegex(update["message"], r"^program \(0,0,0\), step \d{4,}$")
        self.assertEqual((update["percentage"], update["progressId"]), (25, started["progressId"]))
        client.ask("cancel", progressId="lockstep-1")  # of the launch: is over
        client.send("cancel", {"progressId": started["progressId"]})
        self.assertEqual(client.event("progressEnd")["progressId"], started["progressId"])
        self.assertEqual(client.event("stopped")["reason"], "pause")
        client.ask("stepOut", threadId=1)
        out = client.event("progressStart")
        self.assertEqual(out["title"], "stepping out")
        client.send("cancel", {"progressId": out["progressId"]})
        self.assertEqual(client.event("stopped")["reason"], "pause")
        self.finish(client)

    def test_pause_of_a_command(self):
        client = self.endless()
        client.ask("pause", threadId=1)
        client.event("stopped")
        command = client.send("evaluate", {"expression": "continue", "context": "repl"})
        client.ask("pause", threadId=1)
        self.assertIn("paused", client.response(command)["body"]["result"])
        self.assertEqual(client.event("stopped")["reason"], "pause")
        client.send("evaluate", {"expression": "finish", "context": "repl"})
        self.finish(client)


class Console(unittest.TestCase):
    def test_what_people_may_type(self):
        """Commands without their words, with wrong ones, very long: an answer each time."""
        client = Process(LOCKSTEP)
        client.start(ROWS[0], *ROWS[1:], stopOnEntry=True)
        client.go()
        families = (ROOT / "debugger" / "terminal" / "commands").glob("*.cpp")
        source = "".join(family.read_text() for family in sorted(families))
        names = re.findall(r'^      \{"(\w+)", "', source, re.MULTILINE)
        self.assertGreater(len(names), 55)
        wrong = ["", " [", " 99999999999999999999", " -1", " out[", " (", " \u0000", " " + "x" * 5000, " \n c", " %", " 1 2 3 4", "/"]
        for name in names:
            if name in ("record", "source"):
                continue  # touch files
            for words in wrong:
                client.request("evaluate", {"expression": "`" + name + words, "context": "repl"})
        for text in ("`", "``", "", " ", "\n", "#", "`# nothing"):
            client.request("evaluate", {"expression": text, "context": "repl"})
        answer = client.request("evaluate", {"expression": "source /absent", "context": "repl"})
        self.assertFalse(answer["success"])
        client.ask("restart")
        client.event("stopped")
        self.assertEqual(client.evaluate("pid[0]"), "0")
        self.assertEqual(client.problems, [])
        self.assertEqual(client.end(), (0, ""))


class Attaching(unittest.TestCase):
    def launch(self, *words: str) -> Waiting:
        return Waiting(LOCKSTEP, *(words or ROWS))

    def test_clients_that_do_not_attach(self):
        """Whoever goes without having attached leaves the launch to the next one."""
        client = self.launch()
        client.send("initialize", {"adapterID": "x"})
        client.close()
        rude = Connection("127.0.0.1", client.port)
        rude.send_bytes(b"GET / HTTP/1.1\r\n\r\n")
        self.assertIn("is not a header", rude.event("output")["output"])
        rude.close()
        last = Connection("127.0.0.1", client.port)
        last.ask("initialize", adapterID="x")
        last.ask("attach")
        last.event("initialized")
        self.assertEqual(last.go()["reason"], "entry")
        last.close()  # a connection that breaks lets the launch run on
        self.assertEqual(client.end(), (0, ""))

    def test_the_launch_has_its_effect(self):
        """Prints of all programs come, and the finding makes the exit code."""
        client = self.launch(f"{KERNELS}/faulty.py::faulty", "--grid=3", "x=arange:f32[20]", "out=zeros:f32[20]", "n=20", "BLOCK=8")
        client.ask("initialize", adapterID="x")
        client.ask("attach")
        client.event("initialized")
        client.go()
        client.ask("disconnect", terminateDebuggee=False)
        self.assertEqual(client.end(), (1, ""))
        self.assertEqual([int(n) for n in re.findall(r"pid \((\d)", client.written) or re.findall(r"pid\D*(\d)", client.written)], [0, 1, 2])

    def test_disconnect_that_terminates(self):
        client = self.launch()
        client.ask("initialize", adapterID="x")
        client.ask("attach")
        client.event("initialized")
        client.ask("disconnect", terminateDebuggee=True)
        self.assertEqual(client.end(), (130, ""))

    def test_interrupt(self):
        for is_attached in (False, True):
            client = self.launch(*ENDLESS)
            if is_attached:
                client.ask("initialize", adapterID="x")
                client.ask("attach", stopOnEntry=False)
                client.event("initialized")
                client.ask("configurationDone")
            client.process.send_signal(signal.SIGINT)
            self.assertEqual(client.process.wait(LIMIT), 130)
            client.end()

    def test_interrupt_of_the_rest(self):
        client = self.launch(*ENDLESS)
        client.ask("initialize", adapterID="x")
        client.ask("attach")
        client.event("initialized")
        client.ask("disconnect")
        time.sleep(0.2)
        client.process.send_signal(signal.SIGINT)
        self.assertEqual(client.process.wait(LIMIT), 130)
        client.end()


class Listening(unittest.TestCase):
    def server(self, *words: str) -> tuple[subprocess.Popen, int]:
        process = subprocess.Popen([LOCKSTEP, "dap", "--listen", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        line = process.stdout.readline()
        return process, int(re.fullmatch(r"lockstep dap: listening on 127\.0\.0\.1:(\d+)\n", line).group(1))

    def session(self, port: int) -> None:
        client = Connection("127.0.0.1", port)
        client.start(ROWS[0], *ROWS[1:], stopOnEntry=True)
        self.assertEqual(client.go()["reason"], "entry")
        self.assertEqual(client.evaluate("grid[0]"), "3")
        client.ask("disconnect")
        self.assertEqual(client.problems, [])
        client.close()

    def test_one_client_after_the_other(self):
        process, port = self.server("0")
        self.session(port)
        rude = Connection("127.0.0.1", port)
        rude.send("initialize", {"adapterID": "x"})
        rude.close()
        lost = Connection("127.0.0.1", port)
        lost.send_bytes(b"GET / HTTP/1.1\r\n\r\n")
        self.assertIn("is not a header", lost.event("output")["output"])
        lost.close()
        self.session(port)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(LIMIT), 130)
        process.stdout.close()

    def test_once(self):
        process, port = self.server("0", "--once")
        self.session(port)
        self.assertEqual(process.wait(LIMIT), 0)
        process.stdout.close()

    def test_port_that_is_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            done = subprocess.run(check=False, args=[LOCKSTEP, "dap", "--listen", str(port)], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, 3)
        self.assertIn("LS3011", done.stderr)

    def test_words_that_are_no_port(self):
        done = subprocess.run(check=False, args=[LOCKSTEP, "dap", "--listen", "here"], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual((done.returncode, "LS2202" in done.stderr), (2, True))


if __name__ == "__main__":
    unittest.main()
