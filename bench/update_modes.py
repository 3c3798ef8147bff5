#!/usr/bin/env python3
"""What each update mode sends and how it trains, beside an exchange of gradients in every step, on Fashion-MNIST.

    bench/update_modes.py [--ranks 2,4] [--epochs 1] [--only PART] [--link 1ms:1Gbit] [--out FILE.json] [--picture
    FILE.svg]

For each mode, after the same samples: bytes that a rank gives to collectives per step, by the runtime's own statistics,
and as a part of those of `gradient`; the loss of training, the accuracy on the test images, and what of a step's
exchange is exposed (with --link, over a link that is modelled). Images have a mean of 0 and a deviation of 1; the
learning rate rises over a fifth of the steps and falls along a cosine. A mode stands beside an exchange of gradients
with the same momentum and learning rate. The files are those of the package dataset-fashion-mnist. Needs Python alone.
"""
import argparse
import gzip
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path("/usr/share/datasets/fashion-mnist")
EXAMPLE = ROOT / "examples/fashion_mnist"
MOMENTUM = "dense<0.899999976>"  # as the step has it
POINTS = 60  # of a curve
# Keys, the momentum, the highest learning rate, and calls of the step for the samples of one.
MODES = {
    "gradient": ("", 0.9, 0.05, 1),
    "accumulate=4": ("update=accumulate=4", 0.8, 0.2, 4),
    "average_parameters=16": ("update=average_parameters=16", 0.9, 0.05, 1),
    "average_parameters=16, outer": ("update=[average_parameters=16,outer=nesterov(0.7,0.5)]", 0.9, 0.05, 1),
    "bf16, error_feedback": ("gradient_compression=[bf16,error_feedback]", 0.9, 0.05, 1),
    "power_sgd(4), error_feedback": ("gradient_compression=[power_sgd(4),error_feedback]", 0.9, 0.05, 1),
    "top_k(0.05), error_feedback": ("gradient_compression=[top_k(0.05),error_feedback]", 0.9, 0.05, 1),
    "gradient, momentum 0": ("", 0, 0.1, 1),
    "delayed=1": ("update=delayed=1", 0, 0.1, 1),
    "asynchronous=4": ("update=asynchronous=4", 0, 0.1, 1),
    "gradient, momentum 0, slower": ("", 0, 0.05, 1),
    "delayed=4": ("update=delayed=4", 0, 0.05, 1),
}
COLOURS = ["#30363d", "#8250df", "#0969da", "#54aeff", "#bf3989", "#9a6700", "#e16f24", "#6e7781", "#cf222e", "#116329",
           "#afb8c1", "#ff8182"]


def normalise(name, folder):
    """The images as a .npy of 16 bits, from their mean on: 90 are one deviation."""
    raw = gzip.decompress((DATA / name).read_bytes())[16:]
    header = repr({"descr": "<i2", "fortran_order": False, "shape": (len(raw) // 784, 28, 28)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    values = [struct.pack("<h", pixel - 73) for pixel in range(256)]
    with (folder / f"{name}.npy").open("wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for begin in range(0, len(raw), 784000):
            file.write(b"".join(map(values.__getitem__, raw[begin:begin + 784000])))
    return f"x={file.name}:scale=1/90"


def with_momentum(momentum, folder):
    """The step of the example, which holds its momentum as a constant."""
    text = (EXAMPLE / "step.mlir").read_text()
    if text.count(MOMENTUM) != 1:
        sys.exit(f"{EXAMPLE / 'step.mlir'}: expected one '{MOMENTUM}'")
    file = folder / f"step-{momentum}.mlir"
    file.write_text(text.replace(MOMENTUM, f"dense<{float(momentum):e}>"))
    return file


def curve(log, per_step):
    """Samples and the mean loss up to then."""
    losses = [event["metrics"]["loss"] for event in map(json.loads, (log / "events.jsonl").read_text().splitlines())
              if event["event"] == "step"]
    ends = sorted({len(losses) * point // POINTS for point in range(1, POINTS + 1)} - {0})
    return [[end * per_step, sum(losses[:end]) / end] for end in ends]


def train(options, ranks, mode, steps, data, folder):
    """What a training has sent and learnt."""
    keys, momentum, rate, calls = MODES[mode]
    steps = steps // 16 * 16 // calls  # whole windows
    free = "asynchronous" in keys  # each rank's gradients update by themselves
    config = ",".join(filter(None, [keys] if free else ["gradients_mean=true", "overlap=on", keys]))
    log = folder / f"{mode}-{ranks}"
    command = [options.build / "bin/ds-run", with_momentum(momentum, folder), "--ranks", ranks, "--config", config,
               "--steps", steps, "--json", "--log-dir", log,
               "--arg", f"lr=cosine({rate / ranks if free else rate},warmup={steps // 5})", "--data",
               f"{data[0]},y={DATA}/train-labels-idx1-ubyte.gz",
               "--eval", EXAMPLE / "forward.mlir", "--eval-data", f"{data[1]},y={DATA}/t10k-labels-idx1-ubyte.gz",
               *(["--link", options.link] if options.link else [])]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{mode}: {done.stderr.strip() or done.stdout.strip()}")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    of = lambda name: [event for event in events if event["event"] == name]
    exchange, per_step = of("exchange")[-1], of("start")[0]["samples_per_step"]
    return {"mode": mode, "ranks": ranks, "keys": keys, "momentum": momentum, "lr": rate, "samples": steps * per_step,
            "accuracy": of("evaluation")[-1]["accuracy"],
            "bytes": exchange["bytes"], "step_ms": exchange["step_ns"] * 1e-6,
            "exposed_ms": exchange["exposed_ns"] * 1e-6, "loss": curve(log, per_step)}


def picture(results):
    """Losses by samples, a panel for each number of ranks."""
    width, height, left, top = 420, 300, 46, 30
    counts = sorted({result["ranks"] for result in results})
    high = 1.2
    parts = []
    for panel, ranks in enumerate(counts):
        x0 = panel * (width + 20)
        most = max(result["samples"] for result in results if result["ranks"] == ranks)
        at = lambda samples, loss: (x0 + left + samples / most * (width - left - 12),
                                    top + (1 - min(loss, high) / high) * (height - top - 34))
        parts.append(f'<text x="{x0 + left}" y="18" font-size="13" fill="#57606a">{ranks} ranks: mean loss so far, by '
                     'samples</text>')
        for tick in range(5):
            loss = high * tick / 4
            (x, y), (end, _) = at(0, loss), at(most, loss)
            parts.append(f'<path d="M{x:.1f} {y:.1f}H{end:.1f}" stroke="#d0d7de"/><text x="{x - 6:.1f}" '
                         f'y="{y + 4:.1f}" font-size="11" text-anchor="end" fill="#57606a">{loss:.1f}</text>')
        parts.append(f'<text x="{at(most, 0)[0]:.1f}" y="{height - 14}" font-size="11" text-anchor="end" '
                     f'fill="#57606a">{most}</text>')
        for result in results:
            if result["ranks"] == ranks and result["loss"]:
                line = " ".join(f"{x:.1f},{y:.1f}"
                                for x, y in (at(*point) for point in result["loss"] if point[1] <= high))
                colour = COLOURS[list(MODES).index(result["mode"])]
                parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" '
                             f'stroke-width="{2.5 if result["mode"].startswith("gradient") else 1.5}"/>')
    whole = len(counts) * (width + 20)
    shown = [mode for mode in MODES if any(result["mode"] == mode for result in results)]
    for i, mode in enumerate(shown):
        x, y = left + i % 3 * 270, height + 16 + i // 3 * 18
        parts.append(f'<path d="M{x} {y - 4}h18" stroke="{COLOURS[list(MODES).index(mode)]}" stroke-width="2.5"/>'
                     f'<text x="{x + 24}" y="{y}" font-size="12" fill="#24292f">{mode}</text>')
    tall = height + 30 + (len(shown) + 2) // 3 * 18
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {tall}" width="{whole}" font-family="DejaVu '
            'Sans, Arial, sans-serif" role="img">\n<title>Mean loss so far of Fashion-MNIST, by update '
            f'mode</title>\n<rect width="{whole}" height="{tall}" rx="8" fill="#ffffff" stroke="#d0d5da"/>\n'
            + "\n".join(parts) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", default="2,4")
    parser.add_argument("--epochs", type=float, default=1)
    parser.add_argument("--only", help="modes that hold these words")
    parser.add_argument("--link", help="as ds-run has it")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    options = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"{DATA}: no such folder; install the package dataset-fashion-mnist")
    results = []
    with tempfile.TemporaryDirectory(prefix="update-modes") as name:
        folder = pathlib.Path(name)
        data = [normalise(f"{part}-images-idx3-ubyte.gz", folder) for part in ("train", "t10k")]
        for ranks in map(int, options.ranks.split(",")):
            steps = int(options.epochs * (60000 // (128 * ranks)))
            base = None
            print(f"{ranks} ranks, {steps // 16 * 16 * 128 * ranks} samples\n{'mode':30} {'momentum':>8} {'lr':>5} "
                  f"{'bytes':>7} {'accuracy':>9} {'step':>8} {'exposed':>8}", flush=True)
            for mode in MODES:
                if "asynchronous" in mode and options.link:
                    continue  # they exchange nothing over a link
                if options.only and options.only not in mode and mode != "gradient":
                    continue
                result = train(options, ranks, mode, steps, data, folder)
                base = base or result
                result["bytes_part"] = result["bytes"] / result["samples"] / (base["bytes"] / base["samples"])
                results.append(result)
                print(f"{mode:30} {result['momentum']:8} {result['lr']:5} {result['bytes_part']:7.4f} "
                      f"{result['accuracy']:8.2%} {result['step_ms']:6.1f}ms {result['exposed_ms']:6.1f}ms", flush=True)
    if options.out:
        options.out.write_text(json.dumps(results, indent=1) + "\n")
    if options.picture:
        options.picture.write_text(picture(results))


main()
