"""stub_cuda.py SITE-PACKAGES: makes PyTorch importable without the vendor's libraries of its CUDA wheels, several GB
that no test uses.

The wheels for Linux link against them, so the loader must find them. Each library that is needed is made from assembly:
its name, and its functions, which return 100, the vendor's code for `no device`, or a text where they explain a code.
They lie beside PyTorch's own, where they are found first."""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

VENDOR = re.compile(r"lib(cu|nv|nccl)")
NAMES = re.compile(r"cu|nv|nccl")  # of functions without a version
EXPLAINS = re.compile(r"(cuda|cudnn|nccl|nvrtc)GetError(String|Name)$|cublasGetStatus(String|Name)$")


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
    labels = lambda explains: "".join(f".globl {symbol}\n.type {symbol},@function\n{symbol}:\n" for symbol in symbols
                                      if bool(EXPLAINS.match(symbol)) == explains)
    with tempfile.TemporaryDirectory() as folder:
        source, script = pathlib.Path(folder, "stub.s"), pathlib.Path(folder, "versions")
        source.write_text(f'{labels(False)}mov $100, %eax\nret\n{labels(True)}lea text(%rip), %rax\nret\ntext: .asciz '
                          '"no device"\n.section .note.GNU-stack,"",@progbits\n')
        script.write_text("".join(f"{v} {{ {' '.join(s + ';' for s in sorted(functions[v]))} }};\n" for v in own))
        versioned = [f"-Wl,--version-script={script}"] if own else []
        subprocess.run(["cc", "-shared", "-nostdlib", source, "-o", path, f"-Wl,-soname,{path.name}", *versioned],
                       check=True)


def ours(path):
    """Whether a library is one of these, or is not there: compilers sign what they make, this assembly does not."""
    return not path.exists() or b".comment\0" not in path.read_bytes()


def main():
    folder = pathlib.Path(sys.argv[1], "torch", "lib")
    needed, versions, functions = demand(sorted(folder.glob("lib*.so*")))
    for name in sorted(needed):
        if ours(folder / name):
            build(folder / name, sorted(v for v, source in versions.items() if source == name), functions)


main()
