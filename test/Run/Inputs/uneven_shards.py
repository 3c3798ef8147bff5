"""uneven_shards.py FOLDER DS_RUN STEP LAUNCHER..: three ranks, as threads and as processes, whose shares of the data or
whose files are of different lengths, with each --last-batch. Shares are trained on; files are refused by one sentence;
nothing waits for anybody, which would be the sentence of a timeout."""
import concurrent.futures
import pathlib
import subprocess
import sys
import time

import numpy as np

folder, ds_run, step, launchers = pathlib.Path(sys.argv[1]), *sys.argv[2:4], [launcher.split()
                                                                              for launcher in sys.argv[4:]]
LENGTHS = (12, 7, 4)


def write(name, rows):
    x = np.linspace(-1, 1, 3 * rows, dtype=np.float32).reshape(rows, 3)
    for argument, value in {"x": x, "y": x.sum(1), "id": np.arange(rows, dtype=np.int32)}.items():
        np.save(folder / f"{argument}-{name}.npy", value)


write("all", sum(LENGTHS))
for rank, length in enumerate(LENGTHS):
    write(rank, length)


def run(how, last, name):
    command, ranks = how
    began = time.monotonic()
    data = ",".join(f"{argument}={argument}-{name}.npy" for argument in ("x", "y", "id"))
    done = subprocess.run([*command, ds_run, step, *ranks, "--data", data, "--config", "timeout=60", "--epochs", "2",
                           *([f"--last-batch={last}"] if last else [])],
                          cwd=folder, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stderr + done.stdout, time.monotonic() - began


ways = [([], ["--ranks", "3"]), ([], ["--launch", "3", "--backend", "tcp"]),
        *((launcher, []) for launcher in launchers)]
cases = [(how, last, name) for how in ways for last in (None, "drop", "wrap", "pad") for name in ("all", "{rank}")]
wrong = 0
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for (how, last, name), (code, said, seconds) in zip(cases, pool.map(lambda case: run(*case), cases)):
        sentence = "but rank 1 has files with 7 and rank 0 with 12" if how[1] == ["--ranks",
                                                                                  "3"] else "the number of samples is 7 on rank 1, but 12 on rank 0"  # noqa: E501
        good = (code == 0 and ", 2 steps per epoch" in said if name == "all" else code != 0 and sentence in said
                and "timed out" not in said)
        if not good:
            wrong += 1
            print(f"{how} --last-batch={last} {name}: exit code {code} after {seconds:.1f} s\n{said}")
print(f"{len(cases)} runs, {wrong} wrong")
sys.exit(wrong > 0)
