"""A program in a terminal of its own (a pty), typed to by a script, and the screen that it leaves: for tests of what people
see and for pictures of it. Standard library only.

    with Session(["lockstep", "debug", ...], columns=100) as session:
        session.wait_for("(lockstep) ")
        session.type("continue\\n")
    print(session.screen.text())

Invariant: nothing waits longer than its timeout; the program is gone when the block ends."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time


class TooLate(Exception):
    """The program did not write what was waited for. The text is what it wrote."""


class Screen:
    """The lines that a terminal would show, with colours: as much of a terminal as line editors and colours need."""

    PLAIN = ()

    def __init__(self, columns):
        self.columns = columns
        self.lines = [[]]  # of (character, style); style: a sorted tuple of SGR numbers
        self.row = self.column = 0
        self.style = self.PLAIN
        self.rest = ""  # of a sequence that is not complete yet

    def feed(self, text):
        text = self.rest + text
        self.rest = ""
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                self._put(text[at])
                at += 1
                continue
            sequence = re.compile(r"\x1b(?:\[([?>]?[0-9;]*)([A-Za-z])|\][^\x07]*\x07|[()].|[=>78M])").match(text, at)
            if sequence is None:
                self.rest = text[at:]
                return
            if sequence[2]:
                self._control(sequence[1], sequence[2])
            at = sequence.end()

    def _put(self, character):
        if character == "\n":
            self.row += 1
            if self.row == len(self.lines):
                self.lines.append([])
        elif character == "\r":
            self.column = 0
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif character == "\t":
            self.column = (self.column // 8 + 1) * 8
        elif character >= " ":
            if self.column == self.columns:
                self._put("\r")
                self._put("\n")
            self._write(character)

    def _write(self, character):
        line = self.lines[self.row]
        while len(line) <= self.column:
            line.append((" ", self.PLAIN))
        line[self.column] = (character, self.style)
        self.column += 1

    def _control(self, words, letter):
        numbers = [int(word) for word in words.split(";") if word.isdecimal()]
        count = max(1, numbers[0] if numbers else 1)
        line = self.lines[self.row]
        if letter == "m":
            self._set_style(numbers or [0])
        elif letter == "K" and not numbers:
            del line[self.column :]
        elif letter == "J":
            del line[self.column :]
            del self.lines[self.row + 1 :]
        elif letter == "C":
            self.column = min(self.columns, self.column + count)
        elif letter == "D":
            self.column = max(0, self.column - count)
        elif letter == "P":
            del line[self.column : self.column + count]
        elif letter == "@":
            line[self.column : self.column] = [(" ", self.PLAIN)] * count
        elif letter == "A":
            self.row = max(0, self.row - count)

    def _set_style(self, numbers):
        style = set(self.style)
        for number in numbers:
            if number == 0:
                style.clear()
            elif 30 <= number <= 37:
                style = {one for one in style if not 30 <= one <= 37} | {number}
            else:
                style.add(number)
        self.style = tuple(sorted(style))

    def runs(self):
        """Lines of (text, style) without trailing blanks."""
        for line in self.lines:
            made = []
            for character, style in line:
                if made and made[-1][1] == style:
                    made[-1][0] += character
                else:
                    made.append([character, style])
            while made and not made[-1][0].strip():
                made.pop()
            if made:
                made[-1][0] = made[-1][0].rstrip()
            yield [tuple(one) for one in made]

    def text(self):
        lines = ["".join(text for text, _ in line) for line in self.runs()]
        return "\n".join(lines).rstrip("\n") + "\n"


class Session:
    """`words` started with a terminal as its standard streams and controlling terminal, so that Ctrl-C reaches it."""

    def __init__(self, words, *, columns=100, rows=60, cwd=None, environment=None, timeout=60):
        self.timeout = timeout
        self.screen = Screen(columns)
        self.written = ""  # all of it, as it came
        self._seen = 0
        self.exit_code = None
        environment = {**(os.environ if environment is None else environment), "TERM": "xterm-256color"}
        environment.pop("NO_COLOR", None)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            try:
                os.chdir(cwd or ".")
                os.execvpe(words[0], words, environment)
            finally:
                os._exit(127)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _read(self, seconds):
        """False: nothing came, or nothing will."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        try:
            text = os.read(self.terminal, 65536).decode("utf-8", "replace")
        except OSError:  # the program has closed its end
            text = ""
        self.written += text
        self.screen.feed(text)
        return bool(text)

    def wait_for(self, text):
        """Until `text` is written, after what was waited for before. Returns what came up to it."""
        end = time.monotonic() + self.timeout
        while (found := self.written.find(text, self._seen)) < 0:
            left = end - time.monotonic()
            if left <= 0 or not self._read(min(left, 1.0)) and self._has_ended():
                raise TooLate(f"no {text!r} in: {self.written[self._seen :]!r}")
        before, self._seen = self.written[self._seen : found], found + len(text)
        return before

    def let_it_edit(self, seconds=5):
        """A line editor writes its prompt before it takes the terminal over; what is typed in between shows twice. Waits
        until the terminal echoes no more, or so long, where there is no editor."""
        end = time.monotonic() + seconds
        while termios.tcgetattr(self.terminal)[3] & termios.ECHO and time.monotonic() < end:
            self._read(0.01)

    def type(self, text):
        os.write(self.terminal, text.encode())

    def interrupt(self):
        self.type("\x03")

    def _has_ended(self):
        if self.exit_code is None:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                self.exit_code = os.waitstatus_to_exitcode(status)
        return self.exit_code is not None

    def wait(self):
        """Until the program ends; its exit code."""
        end = time.monotonic() + self.timeout
        while not self._has_ended():
            self._read(0.1)
            if time.monotonic() > end:
                raise TooLate(f"still running: {self.written[self._seen :]!r}")
        while self._read(0):
            pass
        return self.exit_code

    def close(self):
        if not self._has_ended():
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self.terminal)
