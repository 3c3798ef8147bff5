"""Signals to rank 0 of two while rank 1 hangs, so that the training cannot save:
stuck_rank.py FOLDER COMMAND..     COMMAND trains in FOLDER, with --save-every, over nccl or hccl

In time it ends with the code that asks for another start; a second signal ends it at once."""
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time

BUSY = 60  # Seconds that a machine busy with other tests may add.


def hang(folder, command):
    """The two ranks, of which one is stopped."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    job = {"DS_WORLD_SIZE": "2", "DS_MASTER_ADDR": "127.0.0.1", "DS_MASTER_PORT": str(port),
           "DS_SECRET": secrets.token_hex(16)}
    ranks = [subprocess.Popen(command, cwd=folder, env={**os.environ, **job, "DS_RANK": str(rank)},
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) for rank in range(2)]
    deadline = time.monotonic() + 60
    while not list(folder.glob("w-*")) and time.monotonic() < deadline and ranks[0].poll() is None:
        time.sleep(0.01)
    ranks[1].send_signal(signal.SIGSTOP)
    time.sleep(0.2)  # rank 0 waits in a collective now
    return ranks


def end(name, ranks, sent, least, most):
    """Says how rank 0 ended, and whether that was within `least` to `most` seconds of the signal sent last at
    `sent`."""
    told = ranks[0].communicate(timeout=180)[1]
    took = time.monotonic() - sent
    ranks[1].kill()
    ranks[1].communicate()
    when = "in time" if least < took < most else f"after {took:.1f} s"
    print(f"{name}: exit code {ranks[0].returncode} {when}, {told.strip() or 'no words'}", flush=True)


def main():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    folder, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    for name in ("SIGTERM", "SIGUSR1", "SIGHUP"):
        ranks, sent = hang(folder, [*command, "--save-within=1"]), time.monotonic()
        ranks[0].send_signal(getattr(signal, name))
        end(name, ranks, sent, 0.9, BUSY)
    for first, second in (("SIGUSR1", "SIGTERM"), ("SIGINT", "SIGINT")):
        ranks = hang(folder, [*command, "--save-within=600"])
        ranks[0].send_signal(getattr(signal, first))
        time.sleep(0.3)
        alive, sent = ranks[0].poll() is None, time.monotonic()
        ranks[0].send_signal(getattr(signal, second))
        end(f"{first} and {second}, {'alive' if alive else 'ended'} between them", ranks, sent, 0, BUSY)


if __name__ == "__main__":
    main()
