#!/usr/bin/env python3
"""What buckets expose of the exchange of gradients over a modelled link: planned ones beside the rules of other
systems.

    bench/overlap.py                                # mlp, gpt2, resnet18 on three links, 2 and 4 ranks
    bench/overlap.py --only mlp --ranks 2 --links 50us:2.5Gbit --rounds 9
    bench/overlap.py --virtual                      # the same exchanges on the same runtime, but work is slept through

Steps are those that bench/models.py exports (--steps is their folder). First gradients are exchanged one by one over
the link, which tells when each is ready; from that file the planner makes its buckets, and this script those of
MG-WFBP. Then all take turns, a block of steps each. Printed are milliseconds of a step that its exchanges expose (the
median of the blocks of a system, which are medians of their steps), what the planner had foretold of its own, and how
much of the time of its messages on the link it hides.

On a machine that others use, two blocks of one system differ by more than two systems do. --virtual therefore measures
when gradients are ready and what updates take once, and lets build/bin/bucket_replay sleep that long in place of
computing: starts, waits and the link remain the runtime's.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import peer

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRESETS = {"one": "comm_fusion=all", "each": "comm_fusion=none", "ddp": "comm_fusion=ddp",
           "size:30": "comm_fusion=size:30",
           "size:64": "comm_fusion=size:64"}
LINKS = ("20us:10Gbit", "50us:2.5Gbit", "200us:1Gbit")
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "kbit": 125, "Mbit": 125e3, "Gbit": 125e6, "kB": 1e3, "MB": 1e6,
         "GB": 1e9}


def measure(text):
    unit = next(name for name in sorted(UNITS, key=len, reverse=True) if text.endswith(name))
    return float(text[:-len(unit)]) * UNITS[unit]


def greedy(gradients, link, ranks):
    """MG-WFBP: a bucket takes the next gradient, too, if that is ready before the bucket would have arrived, and before
    it leaves or within a latency."""
    latency, rate = (measure(part) for part in link.split(":"))
    ends, leaves, size = [], 0.0, 0
    for i, gradient in enumerate(gradients):
        leaves, size = max(leaves, gradient["ready_ns"] * 1e-9), size + gradient["bytes"]
        arrives = leaves + latency + size * 2 * (ranks - 1) / ranks / rate
        if i + 1 < len(gradients):
            following = gradients[i + 1]["ready_ns"] * 1e-9
            if following < arrives and following - leaves < latency:
                continue
            ends.append(i + 1)
        leaves, size = arrives, 0
    return ends


def start(options, name, ranks, link, settings, profile=None):
    step = options.steps / f"{name}.mlir"
    command = [options.build / "bin/step_bench", step, step.with_suffix(".npz"), ranks, settings, link]
    return peer.Peer(command + ([profile] if profile else []), {"OMP_NUM_THREADS": "1"})


def compare(options, name, ranks, link):
    profile = measure_profile(options, name, ranks, link)
    gradients = json.loads(profile.read_text())["gradients"]
    settings = {"planned": f"comm_fusion=planned,plan_profile={profile}", **PRESETS}
    ends = greedy(gradients, link, ranks)
    settings["mg-wfbp"] = f"all_reduce_fusion_config=[{','.join(map(str, ends))}]" if ends else PRESETS["one"]
    peers, exposed, links, steps = {}, {}, {}, {}
    try:
        for system, given in settings.items():
            peers[system] = start(options, name, ranks, link, given)
        for p in peers.values():
            p.calibrate(options.block_ms)
        for _ in range(options.rounds):
            for system, p in peers.items():
                p.block()
                exposed.setdefault(system, []).append(p.last["exposed_ms"])
                links.setdefault(system, []).append(p.last["link_ms"])
                steps.setdefault(system, []).append(p.last["step_ms"])
    finally:
        for p in peers.values():
            p.close()
    median = {system: statistics.median(times) for system, times in exposed.items()}
    if len({p.first["loss"] for p in peers.values()}) != 1:
        sys.exit(f"error: {name}: first losses differ: {({s: p.first['loss'] for s, p in peers.items()})}")
    best = min((time, system) for system, time in median.items() if system != "planned")
    planned, plan = median["planned"], peers["planned"].first
    return {"model": name, "ranks": ranks, "link": link, "exposed_ms": median, "best_preset": best[1],
            "of_best": planned / best[0],
            "planned_ms": plan["planned_exposed_ms"], "bound_ms": plan["bound_exposed_ms"], "buckets": plan["buckets"],
            "step_ms": statistics.median(steps["planned"]),
            "foretold_step_ms": plan["planned_exposed_ms"] + plan["planned_compute_ms"],
            "hidden": 1 - planned / statistics.median(links["planned"])}


def measure_profile(options, name, ranks, link):
    """When the step's gradients are ready, in a file."""
    profile = options.steps / f"{name}.{ranks}.profile.json"
    peer_of_profile = start(options, name, ranks, link, "", profile)
    peer_of_profile.calibrate(options.block_ms)
    peer_of_profile.steps = max(peer_of_profile.steps, 15)  # for medians
    peer_of_profile.block()
    peer_of_profile.close()
    return profile


def replay(options, name, ranks, link):
    """Systems by name, with what bucket_replay says of each."""
    profile = options.steps / f"{name}.{ranks}.profile.json"
    if not (options.reuse and profile.exists()):
        measure_profile(options, name, ranks, link)
    command = [options.build / "bin/bucket_replay", profile, link, options.rounds]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"error: '{' '.join(map(str, command))}' ended with status {done.returncode}")
    return {"model": name, "ranks": ranks, "link": link,
            "systems": {row["system"]: row for row in map(json.loads, done.stdout.splitlines())}}


def print_replays(options):
    rows, head = [], False
    for name in options.only:
        for ranks in options.ranks:
            for link in options.links:
                row = replay(options, name, ranks, link)
                rows.append(row)
                systems = row["systems"]
                planned, others = systems["planned"], {system: found
                                                       for system, found in systems.items() if system != "planned"}
                if not head:
                    print("| model, ranks, link | planned | foretold | off | bound | " + " | ".join(others)
                          + " | of best |")
                    print("|---" * (len(others) + 6) + "|")
                    head = True
                best = min(others, key=lambda system: others[system]["exposed_ms"])
                print(f"| {name}, {ranks}, {link} | {planned['exposed_ms']:.2f} ({planned['buckets']}) | "
                      f"{planned['foretold_ms']:.2f} | {planned['exposed_ms'] / planned['foretold_ms'] - 1:+.0%} | "
                      f"{planned['bound_ms']:.2f} | "
                      + " | ".join(f"{found['exposed_ms']:.2f}" for found in others.values())
                      + f" | {planned['exposed_ms'] / others[best]['exposed_ms']:.3f} ({best}) |", flush=True)
                if options.json:
                    options.json.write_text(json.dumps(rows, indent=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=["mlp", "gpt2", "resnet18"], metavar="NAME")
    parser.add_argument("--ranks", nargs="+", type=int, default=[2, 4], metavar="N")
    parser.add_argument("--links", nargs="+", default=LINKS, metavar="LATENCY:RATE")
    parser.add_argument("--rounds", type=int, default=5, help="blocks of each")
    parser.add_argument("--block-ms", type=float, default=peer.BLOCK_MS)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder of the build")
    parser.add_argument("--steps", type=pathlib.Path, help="folder of the exported steps; default: build/bench/models")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="gets the rows")
    parser.add_argument("--virtual", action="store_true", help="replay the exchanges of a profile in place of running "
                        "steps")
    parser.add_argument("--reuse", action="store_true", help="with --virtual, take profiles that an earlier run has "
                        "measured")
    options = parser.parse_args()
    options.steps = (options.steps or options.build / "bench/models").resolve()
    if options.virtual:
        return print_replays(options)
    rows, systems = [], ["planned", *PRESETS, "mg-wfbp"]
    print("| model, ranks, link | " + " | ".join(systems) + " | of best | foretold | bound | step, foretold | hidden |")
    print("|---" * (len(systems) + 6) + "|")
    for name in options.only:
        for ranks in options.ranks:
            for link in options.links:
                row = compare(options, name, ranks, link)
                rows.append(row)
                print(f"| {name}, {ranks}, {link} | " + " | ".join(f"{row['exposed_ms'][s]:.2f}" for s in systems)
                      + f" | {row['of_best']:.2f} ({row['best_preset']}) | {row['planned_ms']:.2f} ({row['buckets']}) "
                      f"| {row['bound_ms']:.2f} | {row['step_ms']:.2f}, {row['foretold_step_ms']:.2f} | "
                      f"{row['hidden']:.0%} |", flush=True)
                if options.json:
                    options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
