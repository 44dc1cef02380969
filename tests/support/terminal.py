"""A program on a real terminal: what a person types, and what the screen shows.

with closing(Terminal("bash", env=…)) as terminal:
"""

import os
import pty
import select
import signal

WAIT_SECONDS = 60.0  # for what must appear; on any machine it is there much earlier


class Terminal:
    def __init__(self, *command: str, env: dict[str, str]) -> None:
        self.screen = ""  # all that was shown
        self._read_until = 0
        self._has_ended = False
        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            try:
                signal.signal(signal.SIGINT, signal.SIG_DFL)  # a run in the background ignores it
                os.execvpe(command[0], command, env)
            finally:
                os._exit(127)  # else a second run of the tests would go on from here

    def write(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def expect(self, text: str) -> str:
        """Wait until it is shown, after what was expected before; the screen up to there."""
        while (found := self.screen.find(text, self._read_until)) < 0:
            if not self._read():
                raise AssertionError(f"{text!r} was not shown: {self.screen!r}")
        start, self._read_until = self._read_until, found + len(text)
        return self.screen[start : self._read_until]

    def end(self) -> int:
        """Wait for the end of the program; its exit code."""
        while self._read():
            pass
        assert self._has_ended, f"it goes on: {self.screen!r}"
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        return os.waitstatus_to_exitcode(status)

    def _read(self) -> bool:
        """False at the end, and where nothing comes."""
        ready, _, _ = select.select([self._fd], [], [], WAIT_SECONDS)
        try:
            data = os.read(self._fd, 65536) if ready else b""
            self._has_ended = bool(ready) and not data
        except OSError:  # so says Linux that the program has ended
            data, self._has_ended = b"", True
        self.screen += data.decode(errors="replace")
        return bool(data)

    def close(self) -> None:
        os.close(self._fd)
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
