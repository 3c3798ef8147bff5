"""data_mistakes.py TABLE FOLDER DS_RUN STEP [--write]: runs ds-run for each line of a table and compares what it says.

A line of the table is `options | sentence`: options of ds-run in FOLDER, after which `--arg lr=0.1` is given unless
they have one, and the error without its `ds-run: error: `. `..` in a sentence stands for what depends on the machine.
--write prints the table with the sentences of now.
"""
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys

table, folder, ds_run, step = pathlib.Path(sys.argv[1]), *sys.argv[2:5]
lines = [line for line in table.read_text().splitlines() if line and not line.startswith("#")]


def said(line):
    options = shlex.split(line.partition(" | ")[0])
    options += [] if "--arg" in options else ["--arg", "lr=0.1"]
    done = subprocess.run([ds_run, step, *options], cwd=folder, capture_output=True, text=True, timeout=120)
    sentences = [text for text in done.stderr.splitlines() if not text.startswith("ds-run: warning: ")]
    if done.returncode != 1 or len(sentences) != 1:
        return f"exit code {done.returncode}, {len(sentences)} lines: {done.stderr or done.stdout}"
    return re.sub(r"^(ds-run: )?error: ", "", sentences[0])


wrong = 0
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for line, sentence in zip(lines, pool.map(said, lines)):
        options, _, expected = line.partition(" | ")
        if "--write" in sys.argv:
            print(f"{options} | {sentence}")
        elif not re.fullmatch(".*".join(map(re.escape, expected.split(".."))), sentence):
            print(f"{options}\n  got      {sentence}\n  expected {expected}")
            wrong += 1
print(f"{len(lines)} mistakes, {wrong} with another sentence")
sys.exit(wrong > 0)
