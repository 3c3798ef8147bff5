"""restarted.py FOLDER RANKS KILLS COMMAND..: COMMAND is ds-run --launch RANKS --max-restarts KILLS ..; whenever it has
written a further checkpoint a rank is killed, KILLS times: the first time while ds-run is stopped, which then finds all
ranks ended at once; later when it has been stopped until the others have missed it and ended, which ds-run then finds
first. It must end with the bits of an undisturbed training, and leave no process."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time


def ranks(mark):
    """The processes of the ranks, in their order: those of the mark that know their rank."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            variables = (dict(v.split(b"=", 1) for v in (entry / "environ").read_bytes().split(b"\0") if b"=" in v)
                         if entry.name.isdigit() else {})
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0] if variables else "Z"
        except OSError:
            continue  # it has ended
        rank = variables.get(b"DS_RANK", variables.get(b"OMPI_COMM_WORLD_RANK"))
        if variables.get(b"DS_TEST_MARK") == mark.encode() and rank is not None and state != "Z":
            found[int(rank)] = int(entry.name)
    return found


def has_ended(process):
    """With all of its threads: before, nobody is told."""
    try:
        return (len(os.listdir(f"/proc/{process}/task")) == 1
                and pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z")
    except OSError:
        return True


def wait_for_end(processes):
    while not all(map(has_ended, processes)):
        time.sleep(0.005)


def main():
    folder, size, kills, command = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    shutil.rmtree(folder, ignore_errors=True)
    alone, killed = folder / "alone", folder / "killed"
    alone.mkdir(parents=True)
    killed.mkdir()
    subprocess.run(command, cwd=alone, check=True, stdout=subprocess.DEVNULL)
    mark = f"{os.getpid()}"
    process = subprocess.Popen(command, cwd=killed, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "DS_TEST_MARK": mark})
    seen = set()
    for number in range(kills):
        deadline = time.monotonic() + 60
        while not ((now := {p.name for p in killed.glob("w-*")}) - seen
                   and len(found := ranks(mark)) == size) and time.monotonic() < deadline:
            time.sleep(0.005)
        seen |= now
        victim = found[(number + 1) % size]
        if number == 0:
            process.send_signal(signal.SIGSTOP)
            os.kill(victim, signal.SIGKILL)
            wait_for_end(found.values())
        else:
            os.kill(victim, signal.SIGSTOP)
            wait_for_end(set(found.values()) - {victim})
            os.kill(victim, signal.SIGKILL)
        process.send_signal(signal.SIGCONT)
    told = process.communicate(timeout=900)[1]
    print("\n".join(line for line in told.splitlines() if line.startswith("ds-run: ")))
    print(f"exit code {process.returncode}, {len(ranks(mark))} processes left")
    same = process.returncode == 0 and (alone / "w.safetensors").read_bytes() == (killed / "w.safetensors").read_bytes()
    print("the same bits" if same else "OTHER bits or none")


main()
