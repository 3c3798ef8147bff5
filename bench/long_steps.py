#!/usr/bin/env python3
"""Compile time of long steps of one kind each: a chain of n additions, of n products of matrices, n parameters, one
value that n others read.

    bench/long_steps.py [--build build] [--ranks 1] [--sizes 1000 2000 4000] [--limit 120] [--at-most RISE] [KIND..]
    bench/long_steps.py --print KIND N        the step

Seconds of processor time of `ds-opt --emit=obj` behind ds-data-parallel for each size, and by how much they rise from
size to size. --at-most makes a larger rise from the first size to the last an error, unless it took less than a second.
Kinds: `--help`.
"""
import argparse
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def step(lines, last, arguments="", results="", returned=""):
    """One parameter %w of 3 floats, set to `last`; 4 samples %x."""
    types = "".join(f", {t}" for t in (results and [r.split(" ")[0] for r in results.split(", ")]))
    return (f'func.func @step(%w: tensor<3xf32> {{ds.param = "w", ds.init = "zeros"}}, %x: tensor<4x3xf32> {{ds.batch '
            f'= 0 : i64, ds.name = "x"}}{arguments}) -> (tensor<3xf32> {{ds.updates = '
            f'"w"}}{", " + results if results else ""}) {{\n  %c = arith.constant dense<0.5> : tensor<3xf32>\n  %v0 = '
            'arith.mulf %w, %c : tensor<3xf32>\n'
            + "\n".join(lines) + f"\n  return {last}{returned} : tensor<3xf32>{types}\n}}\n")


def chain(line):
    """Each line makes %v{i} of %v{i-1}."""
    return lambda n: step([line(i, f"%v{i - 1}", f"%v{i}") for i in range(1, n)], f"%v{n - 1}")


def matmuls(n):
    lines = ["  %z = arith.constant dense<0.0> : tensor<1x3xf32>",
             "  %k = arith.constant dense<0.25> : tensor<3x3xf32>",
             "  %m0 = tensor.expand_shape %w [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>"]
    lines += [f"  %m{i} = linalg.matmul ins(%m{i - 1}, %k : tensor<1x3xf32>, tensor<3x3xf32>) outs(%z : "
              "tensor<1x3xf32>) -> tensor<1x3xf32>" for i in range(1, n)]
    return step(lines + [f"  %e = tensor.collapse_shape %m{n - 1} [[0, 1]] : tensor<1x3xf32> into tensor<3xf32>"], "%e")


def slices(i, before, value):
    return (f"  %s{i} = tensor.extract_slice {before}[{i % 2}] [2] [1] : tensor<3xf32> to tensor<2xf32>\n"
            f"  {value} = tensor.insert_slice %s{i} into {before}[{(i + 1) % 2}] [2] [1] : tensor<2xf32> into "
            "tensor<3xf32>")


def concatenations(i, before, value):
    return (f"  %a{i} = tensor.extract_slice {before}[0] [1] [1] : tensor<3xf32> to tensor<1xf32>\n  %b{i} = "
            f"tensor.extract_slice {before}[1] [2] [1] : tensor<3xf32> to tensor<2xf32>\n  {value} = tensor.concat "
            f"dim(0) %b{i}, %a{i} : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>")


def conditionals(i, before, value):
    return (f"  %z{i} = arith.constant {i % 3} : index\n  %e{i} = tensor.extract {before}[%z{i}] : tensor<3xf32>\n  "
            f"%h{i} = arith.constant 0.5 : f32\n  %p{i} = arith.cmpf ogt, %e{i}, %h{i} : f32\n  {value} = scf.if %p{i} "
            f"-> (tensor<3xf32>) {{\n    %t{i} = arith.addf {before}, %c : tensor<3xf32>\n    scf.yield %t{i} : "
            f"tensor<3xf32>\n  }} else {{\n    %u{i} = arith.mulf {before}, %c : tensor<3xf32>\n    scf.yield %u{i} : "
            f"tensor<3xf32>\n  }}")


def loops(i, before, value):
    return (f"  %lo{i} = arith.constant 0 : index\n  %hi{i} = arith.constant 4 : index\n  %one{i} = arith.constant 1 : "
            f"index\n  {value} = scf.for %i{i} = %lo{i} to %hi{i} step %one{i} iter_args(%in{i} = {before}) -> "
            f"(tensor<3xf32>) {{\n    %t{i} = arith.addf %in{i}, %c : tensor<3xf32>\n    scf.yield %t{i} : "
            f"tensor<3xf32>\n  }}")


def reductions(i, before, value):
    return (f"  %f{i} = tensor.empty() : tensor<3x3xf32>\n  %g{i} = linalg.broadcast ins({before} : tensor<3xf32>) "
            f"outs(%f{i} : tensor<3x3xf32>) dimensions = [{i % 2}]\n  {value} = linalg.reduce {{ arith.addf }} "
            f"ins(%g{i} : tensor<3x3xf32>) outs(%c : tensor<3xf32>) dimensions = [0]")


def transposes(n):
    lines = ["  %o = tensor.empty() : tensor<3x4xf32>", "  %q = tensor.empty() : tensor<4x3xf32>",
             "  %z = arith.constant dense<0.0> : tensor<3xf32>", "  %t0 = arith.mulf %x, %x : tensor<4x3xf32>"]
    for i in range(1, n):
        source, target = ("4x3", "3x4") if i % 2 else ("3x4", "4x3")
        lines.append(f"  %y{i} = math.exp %t{i - 1} : tensor<{source}xf32>\n"
                     f"  %t{i} = linalg.transpose ins(%y{i} : tensor<{source}xf32>) outs({'%o' if i % 2 else '%q'} : "
                     f"tensor<{target}xf32>) permutation = [1, 0]")
    dim = 1 if (n - 1) % 2 else 0
    shape = "3x4" if dim else "4x3"
    return step(lines + [f"  %s = linalg.reduce {{ arith.addf }} ins(%t{n - 1} : tensor<{shape}xf32>) outs(%z : "
                         f"tensor<3xf32>) dimensions = [{dim}]"], "%s")


def tree(n):
    lines, values = [f"  %b{i} = arith.addf %v0, %k{i} : tensor<3xf32>"
                     for i in range(n // 2)], [f"%b{i}" for i in range(n // 2)]
    lines = [f"  %k{i} = arith.constant dense<{i}.0> : tensor<3xf32>" for i in range(n // 2)] + lines
    level = 0
    while len(values) > 1:
        made = []
        for i in range(0, len(values) - 1, 2):
            made.append(f"%s{level}_{i}")
            lines.append(f"  {made[-1]} = arith.addf {values[i]}, {values[i + 1]} : tensor<3xf32>")
        values, level = made + values[len(values) & ~1:], level + 1
    return step(lines, values[0])


def readers(n):
    """One value that n others read, which all leave the step."""
    lines = [f"  %k{i} = arith.constant dense<{i}.0> : tensor<3xf32>\n  %r{i} = arith.addf %v0, %k{i} : tensor<3xf32>"
             for i in range(n)]
    return step(lines, "%v0", results=", ".join(f'tensor<3xf32> {{ds.metric = "m{i}"}}' for i in range(n)),
                returned="".join(f", %r{i}" for i in range(n)))


def twice(i, before, value):
    """Each value is read twice."""
    return f"  %d{i} = arith.mulf {before}, %c : tensor<3xf32>\n  {value} = arith.addf {before}, %d{i} : tensor<3xf32>"


def parameters(n, update=False):
    arguments = ", ".join(f'%w{i}: tensor<2xf32> {{ds.param = "w{i}", ds.init = "zeros"}}' for i in range(n))
    results = ", ".join(f'tensor<2xf32> {{ds.updates = "w{i}"}}' for i in range(n))
    lines, values = [], [f"%w{i}" for i in range(n)]
    if update:
        lines = ["  %z = arith.constant dense<0.0> : tensor<2xf32>", "  %s = linalg.reduce { arith.addf } ins(%x : "
                 "tensor<4x2xf32>) outs(%z : tensor<2xf32>) dimensions = [0]"]
        lines += [f"  %g{i} = arith.mulf %s, %w{i} : tensor<2xf32>\n  %n{i} = arith.subf %w{i}, %g{i} : tensor<2xf32>"
                  for i in range(n)]
        values = [f"%n{i}" for i in range(n)]
    return (f'func.func @step({arguments}, %x: tensor<4x2xf32> {{ds.batch = 0 : i64, ds.name = "x"}}) -> ({results}) '
            f'{{\n' + "\n".join(lines) +
            f"\n  return {', '.join(values)} : {', '.join(['tensor<2xf32>'] * n)}\n}}\n")


def constants(n):
    """n constants that are no splats, all added up."""
    return chain(lambda i, before, value: f"  %k{i} = arith.constant dense<[{i}.0, {i}.5, {i}.25]> : tensor<3xf32>\n  "
                 f"{value} = arith.addf {before}, %k{i} : tensor<3xf32>")(n)


def scalars(n):
    """Scalar code between tensors."""
    lines = ["  %i = arith.constant 0 : index", "  %e0 = tensor.extract %v0[%i] : tensor<3xf32>",
             "  %h = arith.constant 0.5 : f32"]
    lines += [f"  %e{i} = arith.addf %e{i - 1}, %h : f32" for i in range(1, n)]
    return step(lines + [f"  %f = tensor.from_elements %e{n - 1}, %e{n - 1}, %e{n - 1} : tensor<3xf32>"], "%f")


def batch(n):
    """A chain of additions on samples, summed."""
    lines = ["  %z = arith.constant dense<0.0> : tensor<3xf32>",
             "  %t0 = arith.mulf %x, %x : tensor<4x3xf32>"] + [f"  %t{i} = arith.addf %t{i - 1}, %x : tensor<4x3xf32>"
                                                               for i in range(1, n)]
    return step(lines + [f"  %s = linalg.reduce {{ arith.addf }} ins(%t{n - 1} : tensor<4x3xf32>) outs(%z : "
                         "tensor<3xf32>) dimensions = [0]"], "%s")


def reshapes(i, before, value):
    return (f"  %o{i} = tensor.expand_shape {before} [[0, 1]] output_shape [1, 3] : tensor<3xf32> into "
            f"tensor<1x3xf32>\n  %y{i} = math.exp %o{i} : tensor<1x3xf32>\n  {value} = tensor.collapse_shape %y{i} "
            "[[0, 1]] : tensor<1x3xf32> into tensor<3xf32>")


def operands(n):
    """One operation that joins n slices of one value."""
    lines = [f"  %s{i} = tensor.extract_slice %v0[{i % 3}] [1] [1] : tensor<3xf32> to tensor<1xf32>" for i in range(n)]
    lines += [f"  %j = tensor.concat dim(0) {', '.join(f'%s{i}' for i in range(n))} : "
              f"({', '.join(['tensor<1xf32>'] * n)}) -> tensor<{n}xf32>",
              f"  %l = tensor.extract_slice %j[{n - 3}] [3] [1] : tensor<{n}xf32> to tensor<3xf32>"]
    return step(lines, "%l")


def nests(n):
    """Loops inside each other, of one round each: n / 20 of them, since a program of 1,000 is refused."""
    depth = max(1, n // 20)
    lines = ["  %lo = arith.constant 0 : index", "  %one = arith.constant 1 : index"]
    lines += [f"  %w{i} = scf.for %i{i} = %lo to %one step %one iter_args(%a{i} = {f'%a{i - 1}' if i else '%v0'}) -> "
              f"(tensor<3xf32>) {{" for i in range(depth)]
    lines += [f"  %t = arith.addf %a{depth - 1}, %c : tensor<3xf32>", "  scf.yield %t : tensor<3xf32>", "  }"]
    lines += [f"  scf.yield %w{i} : tensor<3xf32>\n  }}" for i in range(depth - 1, 0, -1)]
    return step(lines, "%w0")


def functions(n):
    """Each function is called once."""
    calls = chain(lambda i, before, value: f"  {value} = func.call @f{i}({before}) : (tensor<3xf32>) -> "
                  "tensor<3xf32>")(n)
    return calls + "\n".join(f"func.func private @f{i}(%a: tensor<3xf32>) -> tensor<3xf32> {{\n  %b = arith.addf %a, "
                             f"%a : tensor<3xf32>\n  return %b : tensor<3xf32>\n}}" for i in range(1, n))


KINDS = {
    "additions": chain(lambda i, before, value: f"  {value} = arith.addf {before}, %c : tensor<3xf32>"),
    "multiplications": chain(lambda i, before, value: f"  {value} = arith.mulf {before}, %c : tensor<3xf32>"),
    "tanh": chain(lambda i, before, value: f"  {value} = math.tanh {before} : tensor<3xf32>"),
    "twice": chain(twice), "matmuls": matmuls, "slices": chain(slices), "concatenations": chain(concatenations),
    "conditionals": chain(conditionals), "loops": chain(loops),
    "reductions": chain(reductions), "transposes": transposes, "tree": tree, "readers": readers, "constants": constants,
    "scalars": scalars, "batch": batch,
    "reshapes": chain(reshapes), "operands": operands, "nests": nests, "functions": functions,
    "parameters": parameters, "updates": lambda n: parameters(n, update=True),
}


def seconds(options, kind, n):
    """Processor time; None where it takes longer than the limit."""
    text = KINDS[kind](n)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    config = "parallel_mode=stand_alone" if options.ranks == 1 else f"batch=global,device_num={options.ranks}"
    command = [options.build / "bin/ds-opt", f"--ds-data-parallel=config={config}", "--verify-each=0", "--emit=obj",
               "-o", "/dev/null"]
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU,
                                                                    (options.limit, options.limit)))
    except BrokenPipeError:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode < 0 and taken >= options.limit * 0.9:
        return None
    if done.returncode:
        sys.exit(f"error: {kind} {n}: {(done.stderr.strip().splitlines() or [f'status {done.returncode}'])[-1]}")
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__ + "\n" + ", ".join(KINDS),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder of the build")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 2000, 4000])
    parser.add_argument("--limit", type=int, default=120, help="seconds of processor time")
    parser.add_argument("--at-most", type=float, metavar="RISE")
    parser.add_argument("--print", action="store_true", help="print the step KIND of the size N")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    options = parser.parse_args()
    if options.print:
        kind, n = options.kinds
        sys.stdout.write(KINDS[kind](int(n)))
        return
    unknown = set(options.kinds) - set(KINDS)
    if unknown:
        parser.error(f"unknown kind '{unknown.pop()}', expected some of {', '.join(KINDS)}")
    print(f"{'seconds of processor time':26}" + "".join(f"{n:>9}" for n in options.sizes) + "   rise")
    failed = False
    for kind in options.kinds or KINDS:
        times = []
        for n in options.sizes:
            times.append(seconds(options, kind, n))
            if times[-1] is None:
                break
        rises = [b / a for a, b in zip(times, times[1:]) if b]
        print(f"{kind:26}" + "".join(f"{t:9.2f}" if t else f"{'> ' + str(options.limit):>9}" for t in times) + "   "
              + " ".join(f"{r:.1f}" for r in rises), flush=True)
        if options.at_most and (times[-1] is None or times[-1] > max(1, options.at_most * times[0])):
            print(f"error: {kind} takes more than {options.at_most} times as long for {options.sizes[-1]} as for "
                  f"{options.sizes[0]}", file=sys.stderr)
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
