"""srun.py RANKS [NAME=VALUE..] COMMAND..: starts COMMAND as srun --mpi=none does, with the variables of a step of so
many tasks on this machine; further ones go over them. The exit code is the largest of the tasks'."""
import os
import socket
import subprocess
import sys

ranks, words = int(sys.argv[1]), sys.argv[2:]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
step = {"SLURM_JOB_ID": "7", "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": str(ranks), "SLURM_STEP_NUM_NODES": "2",
        "SLURM_STEP_NODELIST": "localhost", "DS_MASTER_PORT": str(port)}
while "=" in words[0]:
    name, _, value = words.pop(0).partition("=")
    step[name] = value
tasks = [subprocess.Popen(words, env=os.environ | step | {"SLURM_PROCID": str(rank), "SLURM_LOCALID": str(rank)})
         for rank in range(ranks)]
sys.exit(max(task.wait() for task in tasks))
