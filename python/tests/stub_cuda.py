"""stub_cuda.py SITE-PACKAGES: makes PyTorch importable without the vendor's libraries of its CUDA wheels, several GB that no test uses.

The wheels for Linux link against them, so the loader must find them. Each library that is needed is made from assembly: its name, and
its functions, which return 100, the vendor's code for `no device`. They lie beside PyTorch's own, where they are found first."""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

VENDOR = re.compile(r"lib(cu|nv|nccl)")
NAMES = re.compile(r"cu|nv|nccl")  # of functions without a version


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def demand(files):
    """Libraries that are needed, the one that each symbol version is from, and the functions of each version."""
    needed, versions, functions = set(), {}, collections.defaultdict(set)
    for file in files:
        needed |= {line.split("[")[1].rstrip("]") for line in lines("readelf", "-dW", file) if "(NEEDED)" in line}
        source = ""
        for line in lines("readelf", "-VW", file):
            if found := re.search(r"File: (\S+)", line):
                source = found[1]
            elif (found := re.search(r"Name: (\S+)", line)) and VENDOR.match(source):
                versions[found[1]] = source
        for line in lines("nm", "-D", "--undefined-only", file):
            symbol, _, version = line.split()[-1].partition("@")
            if version in versions or (not version and NAMES.match(symbol)):
                functions[version].add(symbol)
    return {name for name in needed if VENDOR.match(name)}, versions, functions


def build(path, own, functions):
    symbols = sorted(functions[""].union(*(functions[version] for version in own)))
    labels = "".join(f".globl {symbol}\n.type {symbol},@function\n{symbol}:\n" for symbol in symbols)
    with tempfile.TemporaryDirectory() as folder:
        source, script = pathlib.Path(folder, "stub.s"), pathlib.Path(folder, "versions")
        source.write_text(f'{labels}mov $100, %eax\nret\n.section .note.GNU-stack,"",@progbits\n')
        script.write_text("".join(f"{v} {{ {' '.join(s + ';' for s in sorted(functions[v]))} }};\n" for v in own))
        versioned = [f"-Wl,--version-script={script}"] if own else []
        subprocess.run(["cc", "-shared", "-nostdlib", source, "-o", path, f"-Wl,-soname,{path.name}", *versioned], check=True)


def main():
    folder = pathlib.Path(sys.argv[1], "torch", "lib")
    needed, versions, functions = demand(sorted(folder.glob("lib*.so*")))
    for name in sorted(needed):
        if not (folder / name).exists():
            build(folder / name, sorted(v for v, source in versions.items() if source == name), functions)


main()
