"""damage.py FOLDER COMMAND..: COMMAND trains with --save w.safetensors --save-every 5 --resume, to which --steps is
added. The newest checkpoint is damaged in each of five ways; going on from there must end with the bits of an
undisturbed training, after a warning that names it. Then all of them are."""
import pathlib
import shutil
import struct
import subprocess
import sys

folder, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
shutil.rmtree(folder, ignore_errors=True)


def run(place, steps):
    return subprocess.run([*command, "--steps", str(steps)], cwd=place, capture_output=True, text=True)


(folder / "base").mkdir(parents=True)
run(folder / "base", 20)
(folder / "base" / "w.safetensors").unlink()
shutil.copytree(folder / "base", folder / "alone")
run(folder / "alone", 40)
right = (folder / "alone" / "w.safetensors").read_bytes()
newest = "w-000000000020.safetensors"
data = (folder / "base" / newest).read_bytes()
header = 8 + struct.unpack("<Q", data[:8])[0]
flipped = lambda at: data[:at] + bytes([data[at] ^ 16]) + data[at + 1:]
for name, bytes_ in {"empty": b"", "zeros": bytes(len(data)), "half": data[:len(data) // 2],
                     "zeroed tensors": data[:header] + bytes(len(data) - header), "a flipped bit": flipped(header),
                     "another step": data.replace(b'"ds.step":"20"', b'"ds.step":"90"')}.items():
    place = folder / name
    shutil.copytree(folder / "base", place)
    (place / newest).write_bytes(bytes_)
    done = run(place, 40)
    same = done.returncode == 0 and (place / "w.safetensors").read_bytes() == right
    print(f"{name}: {'the same bits' if same else f'exit code {done.returncode}, other bits'}; {done.stderr.strip()}")
for path in place.glob("w*"):
    path.write_bytes(b"damaged")
print(f"all: {run(place, 40).stderr.strip().splitlines()[-1]}")
