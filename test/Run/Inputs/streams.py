"""streams.py WHAT CODE COMMAND...: runs the command with a standard output on which something is wrong; it must end
with that exit code, and what it says on standard error is printed.

stuck      a pipe that is full and that nobody reads; SIGINT after it has filled
resumed    the same, but somebody reads again before SIGINT; what was read is printed, without ends of epochs
head       a pipe whose reader leaves after the first line
late       a pipe that is full, whose reader comes when the training has written its checkpoint (the last word)
"""
import os
import signal
import subprocess
import sys
import time


def is_full(pipe):
    """Whether a write to the pipe would wait, for so long that it is no accident."""
    os.set_blocking(pipe, False)
    import select
    for _ in range(10):
        if select.select([], [pipe], [], 0)[1]:
            return False
        time.sleep(0.02)
    return True


def wait_for(condition, what):
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.02)
    sys.exit(f"{what} did not happen within 60 s")


what, code, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
reader, writer = os.pipe()
process = subprocess.Popen(command, stdout=writer, stderr=subprocess.PIPE, text=True)
checkpoint = command[command.index("--save") + 1]
lines = open(reader)
try:
    if what == "head":
        os.close(writer)
        print(lines.readline(), end="")
        lines.close()
    elif what == "late":
        wait_for(lambda: os.path.exists(checkpoint), "the checkpoint")
        os.close(writer)
        print("".join(line for line in lines if '"event":"progress"' not in line), end="")
    else:
        # Another description of the same pipe, so that the command's is left as it is.
        probe = os.open(f"/proc/self/fd/{writer}", os.O_WRONLY)
        wait_for(lambda: is_full(probe), "a full pipe")
        os.close(probe)
        os.close(writer)
        if what == "resumed":
            for line in lines:
                if '"event":"progress"' not in line:
                    print(line, end="")
                    break
        process.send_signal(signal.SIGINT)
        if what == "resumed":
            print("".join(line for line in lines if '"event":"progress"' not in line), end="")
    errors = process.communicate(timeout=60)[1]
except subprocess.TimeoutExpired:
    process.kill()
    sys.exit("the command does not end")
print(errors, end="")
if process.returncode != code:
    sys.exit(f"exit code is {process.returncode}, expected {code}")
