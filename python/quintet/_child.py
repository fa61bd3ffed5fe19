"""The process that plays, and the memory that it shares."""
import json
import mmap
import os
import subprocess
import tempfile

from ._program import Error, flags, program

try:
    import numpy
except ImportError:
    numpy = None


def folder():
    """Returns a folder in memory if there is one, so that nothing is written to a disk."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class Child:
    """A process ``quintet env``. It ends with this process, and does not get its Ctrl-C."""

    def __init__(self, game, options):
        self._owed, self._pid = 0, os.getpid()
        self._errors = tempfile.TemporaryFile()
        shared, path = tempfile.mkstemp(prefix="quintet-", dir=folder())
        try:
            self._process = subprocess.Popen(
                [program(), "env", game, "--file", path, *flags(options)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, start_new_session=True,
            )
            os.register_at_fork(after_in_child=self._forked)
            self.header = json.loads(self._line())
            if self.header["version"] != 1:
                raise Error(f"quintet speaks version {self.header['version']} of the protocol: expected 1; use the package that came with it")
            self._memory = mmap.mmap(shared, self.header["layout"]["size"])
        finally:
            os.close(shared)
            os.unlink(path)  # both processes have mapped it

    def _forked(self):
        """Closes the pipes in a child of this process, so that the program ends with this process."""
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout):
                try:
                    os.close(pipe.fileno())
                except (OSError, ValueError):
                    pass

    def _line(self):
        line = self._process.stdout.readline()
        if not line:
            status = self._process.wait()
            self._errors.seek(0)
            said = self._errors.read()[-2000:].decode(errors="replace").strip().removeprefix("quintet: ")
            raise Error(said or f"quintet ended with status {status}")
        return line.decode().rstrip("\n")

    def ask(self, command):
        """Sends a command and returns the answer."""
        if self._process is None:
            raise Error("the environment is closed: make a new one")
        if os.getpid() != self._pid:
            raise Error(f"the environment belongs to process {self._pid}: make one after a fork, in each process")
        while self._owed:  # to commands that Ctrl-C has interrupted
            self._line()
            self._owed -= 1
        try:
            self._owed += 1
            self._process.stdin.write(command.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # _line says why
        answer = self._line()
        self._owed -= 1
        kind, _, rest = answer.partition(" ")
        if kind != "ok":
            raise Error(rest)
        return rest

    def array(self, name, kind, *shape):
        """Returns a view of an array in the shared memory. kind is a format of the module struct."""
        at, items = self.header["layout"][name], 1
        for n in shape:
            items *= n
        if numpy is not None:
            return numpy.frombuffer(self._memory, dtype={"i": "<i4", "f": "<f4", "B": "u1"}[kind], count=items, offset=at).reshape(shape)
        view = memoryview(self._memory)[at:at + items * (1 if kind == "B" else 4)]
        return view.cast("B", shape) if kind == "B" else view.cast(kind)

    def close(self):
        """Ends the process."""
        if self._process is None:
            return
        process, self._process = self._process, None
        if os.getpid() != self._pid:
            return
        for pipe in (process.stdin, process.stdout):
            try:
                pipe.close()
            except OSError:
                pass
        process.wait()
        self._errors.close()
