"""Questions of the debugger that take long stop soon after Ctrl-C, or DAP's `cancel`, and leave the session where it was.
What that means of the whole state is engine_walk's to see; here it is seen as a person sees it.

Each question would take long. How soon it stops is measured by the clock; beside other work it is given three tries. One
that was answered before it could be stopped is asked again and stopped sooner.
"""

import sys
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(Path(__file__).parent / "dap")]
from client import Process
from terminal_session import Session

LOCKSTEP = sys.argv.pop(1) if len(sys.argv) > 1 else "build/lockstep"
KERNEL = "tests/debugger/kernels.py::patient"
WORDS = [KERNEL, "--grid=4", "x=randn:f32[4096]", "out=zeros:f32[4,4096]", "count=zeros:i32[1]", "turns=400000", "BLOCK=4096"]
LAST = (ROOT / KERNEL.split("::")[0]).read_text().splitlines().index("    tl.atomic_add(count, 1)") + 1
WAIT, LEAST, SOON, TRIES = 0.5, 0.01, 0.2, 3
PROMPT = "(lockstep) "
STOPPED = "stopped: nothing has changed"


class Terminal(unittest.TestCase):
    """Ctrl-C."""

    @classmethod
    def setUpClass(cls):
        cls.session = Session([LOCKSTEP, "debug", *WORDS], timeout=60)
        cls.session.wait_for(PROMPT)
        cls.say(f"break {LAST} if pid[0] == 3")
        cls.say("continue")

    @classmethod
    def tearDownClass(cls):
        cls.session.close()

    @classmethod
    def say(cls, command):
        cls.session.let_it_edit()
        cls.session.type(command + "\n")
        return cls.session.wait_for(PROMPT)

    def catch_up(self):
        """Ctrl-C at the prompt gives one more prompt."""
        self.session.let_it_edit()
        self.session.type("print 70 + 7\n")
        self.session.wait_for("77")
        self.session.wait_for(PROMPT)

    def seen(self):
        return [self.say(command) for command in ("where", "programs", "print count", "print acc", "info break", "catch")]

    def ask_and_stop(self, command, wait):
        """What was said, and how long it took from Ctrl-C on."""
        self.session.let_it_edit()
        self.session.type(command + "\n")
        time.sleep(wait)
        begun = time.monotonic()
        self.session.interrupt()
        said = self.session.wait_for(PROMPT)
        return said, time.monotonic() - begun

    def stops(self, command):
        before = self.seen()
        wait, took = WAIT, []
        while wait > LEAST and len(took) < TRIES and (not took or took[-1] >= SOON):
            said, seconds = self.ask_and_stop(command, wait)
            if STOPPED in said:
                took.append(seconds)
            else:
                wait /= 2
                self.catch_up()
        self.assertTrue(took, f"{command}: {said}")
        self.assertLess(took[-1], SOON, command)
        self.assertEqual(self.seen(), before)

    def test_at_the_prompt_nothing_happens(self):
        before = self.seen()
        for _ in range(3):
            self.session.let_it_edit()
            self.session.type("quit")  # not sent, and given up with Ctrl-C
            self.session.wait_for("quit")
            self.session.interrupt()
            self.session.wait_for(PROMPT)
        self.catch_up()
        self.assertEqual(self.seen(), before)

    def test_questions(self):
        for command in ("who out[0,3]", "why out[0,3]", "origin out[0,3]", "hb 0 3", "lint", "cost", "bisect out[0,3]", "catch nan"):
            with self.subTest(command):
                self.stops(command)

    def test_programs_at_full_speed(self):
        """`continue` stops between two of them."""
        words = [word.replace("--grid=4", "--grid=4000").replace("[4,", "[4000,") for word in WORDS]
        with Session([LOCKSTEP, "debug", *words], timeout=60) as session:
            session.wait_for(PROMPT)
            session.type("continue\n")
            time.sleep(WAIT)
            session.interrupt()
            self.assertIn("paused", session.wait_for(PROMPT))


class Editor(unittest.TestCase):
    """`cancel`, by the request's number."""

    @classmethod
    def setUpClass(cls):
        cls.client = Process(LOCKSTEP)
        cls.client.ask("initialize", adapterID="x")
        cls.client.ask("launch", args=WORDS)
        cls.client.event("initialized")
        cls.client.ask("setBreakpoints", source={"path": KERNEL.split("::")[0]}, breakpoints=[{"line": LAST, "condition": "pid[0] == 3"}])
        cls.client.ask("configurationDone")
        cls.client.event("stopped")

    @classmethod
    def tearDownClass(cls):
        cls.client.ask("disconnect")
        cls.client.end()

    def seen(self):
        frames = [{**frame, "id": 0} for frame in self.client.frames(4)]
        return frames, self.client.ask("lockstep/grid"), self.client.evaluate("count[0]")

    def ask_and_stop(self, command, arguments, wait):
        asked = self.client.send(command, arguments)
        time.sleep(wait)
        begun = time.monotonic()
        self.client.send("cancel", {"requestId": asked})
        answer = self.client.response(asked)
        return (answer["success"], answer.get("message")), time.monotonic() - begun

    def stops(self, command, arguments):
        before = self.seen()
        wait, took = WAIT, []
        while wait > LEAST and len(took) < TRIES and (not took or took[-1] >= SOON):
            answer, seconds = self.ask_and_stop(command, arguments, wait)
            if answer == (False, "cancelled"):
                took.append(seconds)
            else:
                self.assertEqual(answer, (True, None))
                wait /= 2
        self.assertTrue(took, command)
        self.assertLess(took[-1], SOON, command)
        self.assertEqual(self.seen(), before)

    def test_questions(self):
        for command in ("lockstep/who", "lockstep/why"):
            with self.subTest(command):
                self.stops(command, {"expression": "out[0,3]"})

    def test_commands_of_the_console(self):
        for command in ("origin out[0,3]", "lint"):
            with self.subTest(command):
                self.stops("evaluate", {"expression": command, "context": "repl"})

    def test_the_launch_under_checkers(self):
        self.stops("setExceptionBreakpoints", {"filters": ["nan"]})


if __name__ == "__main__":
    unittest.main()
