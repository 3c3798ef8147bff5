#!/usr/bin/env python3
"""What ranks send each other in a step: ds beside XLA with the same shardings. Counted in what both compile, not
measured.

    build/venv/bin/python bench/traffic.py --plan megatron [--layers 2,8]     # the environment of the tests (ctest -R
                                                                              python.install)
    build/venv/bin/python bench/traffic.py --plan marked [--only NAME..] [--devices 4 8]

megatron   a transformer of batch 8, 16 positions, width 32 on a mesh of 2 x 2, its heads and hidden units divided over
           tp: calls and bytes for each axis, and
           how many all-reduces of activations there are over tp for each layer, forward and backward. Megatron's count
           is 2 and 2. Ends with 1 if there are more, or if they move more than that.
marked     the programs of python/tests/sharded_programs.py: bytes of a rank and step. Ends with 1 if ds moves more than
           XLA.

An all-reduce of b bytes among n counts 2 (n-1)/n b, what gathers, scatters or exchanges b bytes (n-1)/n b, a
permutation b for each rank that sends; in a loop as often as it runs. `message` counts the bytes of the values
themselves.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # XLA tells what it gathers
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python/tests")]

import jax
import jax.numpy as jnp

import collectives
import dstep as ds
import sharded_programs as programs

BATCH, POSITIONS, WIDTH, HEADS, WORDS = 8, 16, 32, 4, 256


def megatron(layers, trains=True):
    """Embedded words, layers with columns and rows over tp, and a squared loss. There are more words than a rank has
    positions, so that the gradient of the first layer's input is cheaper to combine than that of the table. Without
    training it returns what it was given."""
    draw = programs.Draw(programs.mesh_of(dp=2, tp=2))
    shapes = {"q": (WIDTH, WIDTH), "k": (WIDTH, WIDTH), "v": (WIDTH, WIDTH), "o": (WIDTH, WIDTH),
              "up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH)}
    weights = [{name: draw.normal(shape, *(("tp",) if name in ("o", "down") else (None, "tp")))
                for name, shape in shapes.items()} for _ in range(layers)]
    params = {"table": draw.normal((WORDS, WIDTH)), "layers": weights}

    def loss_of(p, batch):
        tokens, wanted = batch
        x = p["table"][tokens]
        for w in p["layers"]:
            heads = lambda kind: (programs.norm(x) @ w[kind]).reshape(*x.shape[:2], HEADS, WIDTH // HEADS).swapaxes(1,
                                                                                                                    2)
            scores = heads("q") @ heads("k").swapaxes(2, 3) / (WIDTH // HEADS) ** 0.5
            scores = jnp.where(jnp.tri(POSITIONS, dtype=bool), scores, -1e9)
            x = x + (jax.nn.softmax(scores) @ heads("v")).swapaxes(1, 2).reshape(x.shape) @ w["o"]
            x = x + jax.nn.gelu(programs.norm(x) @ w["up"]) @ w["down"]
        return jnp.mean((x - wanted) ** 2)

    def forward(p, state, batch):
        return p, state, loss_of(p, batch)

    step, params, state, _ = programs.of_momentum(params, loss_of, None)
    batch = draw.below(WORDS, (BATCH, POSITIONS), "dp"), draw.normal((BATCH, POSITIONS, WIDTH), "dp")
    return step if trains else forward, (params, state, batch)


def by_ds(options, step, args, **roles):
    text = ds.jax.export(step, args, **roles).mlir
    done = subprocess.run([options.build / "bin/ds-opt", "-", "--ds-data-parallel"], input=text, capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(f"error: {next((line for line in done.stderr.splitlines() if 'error:' in line), 'ds-opt failed')}")
    return collectives.ds_traffic(done.stdout)


def by_xla(step, args):
    compiled = (step if hasattr(step, "lower") else jax.jit(step)).lower(*args).compile()
    mesh = next(s.mesh for s in jax.tree.leaves(compiled.input_shardings) if isinstance(s, jax.sharding.NamedSharding))
    return collectives.xla_traffic(compiled.as_text(), dict(mesh.shape))


def activations(traffic):
    """All-reduces over tp of a rank's activations."""
    size = BATCH // 2 * POSITIONS * WIDTH * 4
    return [c for c in collectives.over(traffic, "tp") if c.kind == "all_reduce" and c.message == size]


def compare_megatron(options):
    rows, bad = [], []
    print(
        f"{'layers':>6}{'axis':>6}{'ds calls':>10}{'ds message B':>14}{'ds sent B':>11}{'xla calls':>11}{'xla message B':>15}{'xla sent B':>12}{'ratio':>7}")  # noqa: E501
    for layers in options.layers:
        step, args = megatron(layers)
        ours, theirs = by_ds(options, step, args, **programs.ROLES), by_xla(step, args)
        row = {"layers": layers}
        for axis in ("tp", "dp"):
            mine, other = collectives.over(ours, axis), collectives.over(theirs, axis)
            row[axis] = {name: {"calls": collectives.calls(t), "message_bytes": collectives.total(t, "message"),
                                "sent_bytes": collectives.total(t)}
                         for name, t in (("ds", mine), ("xla", other))}
            d, x = row[axis]["ds"], row[axis]["xla"]
            print(
                f"{layers:>6}{axis:>6}{d['calls']:>10}{d['message_bytes']:>14,}{d['sent_bytes']:>11,.0f}{x['calls']:>11}{x['message_bytes']:>15,}"
                  f"{x['sent_bytes']:>12,.0f}{d['sent_bytes'] / x['sent_bytes']:>7.2f}")
            if d["sent_bytes"] > x["sent_bytes"]:
                bad.append(f"{layers} layers: {d['sent_bytes']:,.0f} B over {axis}, {x['sent_bytes']:,.0f} in XLA")
        forward = collectives.calls(activations(by_ds(options, megatron(layers, trains=False)[0], args,
                                                      **programs.ROLES)))
        all_ = activations(ours)
        row |= {"forward": forward, "backward": collectives.calls(all_) - forward,
                "activation_bytes": collectives.total(all_, "message"),
                "xla_activation_bytes": collectives.total(activations(theirs), "message")}
        print(f"{layers} layers: all-reduces of activations over tp for each layer: {forward / layers:g} forward, "
              f"{row['backward'] / layers:g} backward; {row['activation_bytes']:,} B, {row['xla_activation_bytes']:,} "
              "in XLA")
        least = 4 * layers * BATCH // 2 * POSITIONS * WIDTH * 4
        if row["tp"]["ds"]["message_bytes"] > least or forward > 2 * layers or row["backward"] > 2 * layers:
            bad.append(f"{layers} layers: more over tp than 2 all-reduces forward and 2 backward of each layer, "
                       f"{least:,} B")
        rows.append(row)
    return rows, bad


def compare_marked(options):
    rows, bad = [], []
    print(f"{'program':<22}{'devices':>8}{'ds calls':>10}{'ds B':>10}{'xla calls':>11}{'xla B':>10}{'ratio':>7}")
    for program in programs.PROGRAMS:
        if options.only and program.__name__ not in options.only:
            continue
        for devices in options.devices:
            step, params, state, batch = program(devices)
            args = (params, state, batch())
            ours, theirs = by_ds(options, step, args, **programs.ROLES), by_xla(step, args)
            row = {"program": program.__name__, "devices": devices}
            for name, traffic in (("ds", ours), ("xla", theirs)):
                row[name] = {"calls": collectives.calls(traffic), "sent_bytes": collectives.total(traffic),
                             "by_kind": {kind: collectives.total([c for c in traffic if c.kind == kind])
                                         for kind in sorted({c.kind for c in traffic})}}
            d, x = row["ds"], row["xla"]
            print(
                f"{row['program']:<22}{devices:>8}{d['calls']:>10}{d['sent_bytes']:>10,.0f}{x['calls']:>11}{x['sent_bytes']:>10,.0f}"
                  f"{d['sent_bytes'] / x['sent_bytes']:>7.2f}", flush=True)
            if options.explain:
                for name, traffic in (("ds", ours), ("xla", theirs)):
                    for c in sorted(traffic, key=lambda c: -c.sent * c.times):
                        print(f"    {name:<4}{c.kind:<16}{'x'.join(c.axes):<10}{c.times:>3} x {c.message:>8,} B: "
                              f"{c.sent * c.times:>10,.0f} sent")
            if d["sent_bytes"] > x["sent_bytes"]:
                bad.append(f"{row['program']} on {devices}: {d['sent_bytes']:,.0f} B, {x['sent_bytes']:,.0f} in XLA")
            rows.append(row)
    return rows, bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plan", choices=["megatron", "marked"], required=True)
    parser.add_argument("--layers", type=lambda text: [int(n) for n in text.split(",")], default=[2, 8])
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--devices", nargs="+", type=int, default=[4, 8])
    parser.add_argument("--explain", action="store_true", help="every collective of the marked programs")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    options = parser.parse_args()
    if unknown := set(options.only or ()) - {p.__name__ for p in programs.PROGRAMS}:
        parser.error(f"no program '{min(unknown)}'; there are {', '.join(p.__name__ for p in programs.PROGRAMS)}")
    rows, bad = compare_megatron(options) if options.plan == "megatron" else compare_marked(options)
    for text in bad:
        print(f"more: {text}", file=sys.stderr)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
