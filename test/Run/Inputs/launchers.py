"""The ranks of a job that some launcher has started, and whether the launcher passes signals on to them."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time


def ranks(mark, program="ds-run"):
    """The processes with DS_TEST_MARK=mark in their environment that run the program, and not a launcher of that
    name."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or b"DS_TEST_MARK=" + mark.encode() not in (entry
                                                                                    / "environ").read_bytes().split(
                                                                                        b"\0"):
                continue
            if (os.path.basename(os.readlink(entry / "exe")) == program
                and (entry / "stat").read_text().rpartition(")")[2].split()[0] != "Z"):
                found.append(int(entry.name))
        except OSError:
            continue  # it has ended
    return found


PROBE = """
import os, pathlib, signal, sys, time
place = pathlib.Path(sys.argv[1])
name = lambda what: place / f"{what}-{os.getpid()}"
signal.signal(getattr(signal, sys.argv[2]), lambda *_: name("got").touch())
name("ready").touch()
while not (place / "end").exists():
    time.sleep(0.02)
"""


def passes_on(launcher, name, patience=15):
    """Whether all ranks of `launcher COMMAND..`, which ends with their number, get a signal that is sent to it: mpirun
    of Open MPI 4.1.4 was seen to catch SIGUSR1 and to pass it to nobody."""
    count = int(launcher[-1])
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        process = subprocess.Popen([*launcher, sys.executable, "-c", PROBE, folder, name], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            wait_for(lambda: len(list(place.glob("ready-*"))) == count, process, 60)
            process.send_signal(getattr(signal, name))
            return wait_for(lambda: len(list(place.glob("got-*"))) == count, process, patience)
        finally:
            (place / "end").touch()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def wait_for(what, process, seconds):
    deadline = time.monotonic() + seconds
    while not (done := what()) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(done or what())
