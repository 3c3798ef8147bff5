"""start_twice.py FOLDER DS_RUN: starts steps with a folder for compiled ones, and says how many are kept there and how
many a start has compiled: entries that were written while it ran."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

WORK, DS_RUN = pathlib.Path(sys.argv[1]), sys.argv[2]
CACHE = WORK / "cache"
DATA = f"x={WORK}/x.npy,y={WORK}/y.npy"


def start(cache=CACHE, ranks=2, config=None, step=WORK / "step.mlir", more=(), wait=True):
    command = [DS_RUN, str(step), "--ranks", str(ranks), "--data", DATA, "--arg", "lr=0.05", "--steps", "5", "--save",
               f"{os.getpid()}.safetensors", *more]
    if config:
        command += ["--config", config]
    folder = WORK / "out"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    done = subprocess.run(command, cwd=folder, env=dict(os.environ, DS_CACHE_DIR=str(cache)), capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    saved = next(folder.glob("*.safetensors")).read_bytes()
    lines = [line for line in done.stdout.splitlines() if "samples/s" not in line and " s" not in line.split(",")[-1]]
    return saved, lines, done.stderr


def entries():
    return {path.name: path.stat().st_ino for path in CACHE.glob("*.step")} if CACHE.exists() else {}


def tell(name, same_as=None, **how):
    before = entries()
    said = start(**how)
    after = entries()
    compiled = sum(before.get(each) != inode for each, inode in after.items())
    text = f"{name}: kept {len(after)}, compiled {compiled}"
    if how.get("cache", CACHE) != CACHE:  # nothing is kept, so it has compiled
        text = f"{name}: kept {len(after)}, compiled 1"
    if same_as:
        text += ", the same lines and bits" if said[:2] == same_as[:2] else f", other ones: {said[1]} {same_as[1]}"
    print(text, flush=True)
    return said


first = tell("first")
mine = next(CACHE.glob("*.step"))
tell("again", first)
tell("three ranks", ranks=3)
tell("another key", config="gradients_mean=true")
tell("another CPU", more=["--target-cpu", "x86-64-v2" if os.uname().machine == "x86_64" else "aarch64"])
text = (WORK / "step.mlir").read_text()
(WORK / "step.mlir").write_text(text + "// a remark\n")
tell("another text")
(WORK / "step.mlir").write_text(text)
shutil.copy(WORK / "step.mlir", WORK / "elsewhere.mlir")
tell("another place", step=WORK / "elsewhere.mlir")

good = mine.read_bytes()
others = [path for path in CACHE.glob("*.step") if path != mine]


def replace(data):
    mine.unlink()
    mine.write_bytes(data)


replace(good[:-40] + bytes([good[-40] ^ 1]) + good[-39:])
tell("damaged, a byte", first)
replace(good[:len(good) // 2])
tell("damaged, half", first)
replace(b"")
tell("damaged, empty", first)
replace(re.sub(rb"^ds executable \d+", b"ds executable 0", good))
tell("another program's", first)
tell("mended", first)
tell("off", first, cache="off")
tell("read-only", first, cache="/proc/no-such-folder")

together = WORK / "together"
command = [DS_RUN, str(WORK / "step.mlir"), "--ranks", "2", "--data", DATA, "--arg", "lr=0.05", "--steps", "5",
           "--save"]
running = [subprocess.Popen([*command, f"{WORK}/w{i}.safetensors"], env=dict(os.environ, DS_CACHE_DIR=str(together)),
                            stdout=subprocess.DEVNULL)
           for i in range(8)]
if any(each.wait() for each in running):
    sys.exit("one of eight starts failed")
bits = {(WORK / f"w{i}.safetensors").read_bytes() for i in range(8)}
print(f"eight at once: kept {len(list(together.glob('*.step')))}, "
      f"{'the same lines and bits' if bits == {first[0]} else 'other bits'}", flush=True)

(WORK / "open").mkdir()
os.chmod(WORK / "open", 0o777)
print("warned:", start(cache=WORK / "open")[2].strip(), flush=True)

warned = [start(config="batch=global,gradients_mean=true")[2].count("does not apply to batch = global")
          for _ in range(2)]
print("a warning of the compiler:", " and ".join(map(str, warned)), flush=True)
