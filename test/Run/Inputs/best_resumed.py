"""best_resumed.py FOLDER COMMAND..: what is left of a training of 12 epochs when it is killed after STEP steps, with a
checkpoint every two, goes on to the same best file and the same last one."""
import pathlib
import shutil
import subprocess
import sys

folder, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
shutil.rmtree(folder, ignore_errors=True)
FILES = "w.safetensors", "w-best.safetensors"


def run(place, *more):
    place.mkdir(parents=True, exist_ok=True)
    subprocess.run([*command, *more], cwd=place, check=True, stdout=subprocess.DEVNULL)
    return [(place / name).read_bytes() for name in FILES]


saves = "--save-every", "2", "--resume"
alone = run(folder / "alone", "--epochs", "12", *saves)
for step in 5, 11, 16, 35:  # an epoch has three
    place = folder / str(step)
    run(place, "--steps", str(step), *saves)
    for name in FILES:
        (place / name).unlink()
    if epochs := step // 2 * 2 // 3:
        run(folder / f"best-{step}", "--epochs", str(epochs), *saves)
        shutil.copy(folder / f"best-{step}" / FILES[1], place)
    same = run(place, "--epochs", "12", *saves) == alone
    print(f"killed after step {step}: {'the undisturbed best' if same else 'ANOTHER best, or another end'}")
