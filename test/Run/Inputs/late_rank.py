"""Stops one of N ranks while they train, and prints what the others say: late_rank.py FOLDER N RANK COMMAND..

COMMAND trains in FOLDER over nccl or hccl with --save w.safetensors --save-every."""
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time

folder, size, late, command = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir()
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
job = {"DS_WORLD_SIZE": str(size), "DS_MASTER_ADDR": "127.0.0.1", "DS_MASTER_PORT": str(port),
       "DS_SECRET": secrets.token_hex(16)}
ranks = [subprocess.Popen(command, cwd=folder, env={**os.environ, **job, "DS_RANK": str(rank)},
                          stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) for rank in range(size)]
deadline = time.monotonic() + 60
while not list(folder.glob("w-*")) and time.monotonic() < deadline and all(rank.poll() is None for rank in ranks):
    time.sleep(0.01)
ranks[late].send_signal(signal.SIGSTOP)
for number, rank in enumerate(ranks):
    if number != late:
        told = rank.communicate(timeout=120)[1]
        print(f"rank {number}: exit code {rank.returncode}, "
              f"{told.strip().splitlines()[-1] if told.strip() else 'no words'}")
ranks[late].kill()
ranks[late].communicate()
