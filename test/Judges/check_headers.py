"""check_headers.py COMPILER LLVM-INCLUDE JUDGES: what ds declares of CUDA, cuBLASLt, cuDNN and NCCL is what NVIDIA's
headers declare.

JUDGES is the folder of `install`. The comparison is made by the compiler; mistakes that are planted must be noticed,
each by its name."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).parents[2]
NUMBERS, API = "lib/Target/Gpu/Cuda/CudaNumbers.h", "lib/Target/Gpu/Cuda/CudaApi.h"
NCCL = "runtime/src/backends/nccl/NcclApi.h"
ABIS = ("CudaAbi.cpp", "NcclAbi.cpp")
# (file, what is there, what is planted, what the compiler must say)
PLANTED = [
    (NUMBERS, "X(compute32, 68,", "X(compute32, 69,", "compute32 is not CUBLAS_COMPUTE_32F"),
    (NUMBERS, "X(heuristicA, 3,", "X(heuristicA, 0,", "heuristicA is not CUDNN_HEUR_MODE_A"),
    (NUMBERS, "X(errorCapturing, 900,", "X(errorCapturing, 901,", "errorCapturing is not "
     "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"),
    (NUMBERS, "int reserved[4];", "int reserved[3];", "HeuristicResult::reserved is not "
     "cublasLtMatmulHeuristicResult_t::reserved"),
    (API, "const void *fromHost = nullptr;\n  DevicePointer from = 0;", "DevicePointer from = 0;\n  const void "
     "*fromHost = nullptr;",
     "CopyRows::from is not CUDA_MEMCPY2D::srcDevice"),
    (API, "int(DevicePointer, unsigned char, size_t, void *)", "int(DevicePointer, unsigned short, size_t, void *)",
     "cuMemsetD8Async differs from the vendor's header"),
    (API, "X(cublasLtDestroy, int(void *))", "X(cublasLtDestroy, int(void *, int))", "cublasLtDestroy differs from the "
     "vendor's header"),
    (NCCL, "ncclFloat32 = 7", "ncclFloat32 = 8", "ncclFloat32"),
]


def compile_abi(command, root, name):
    done = subprocess.run([*command, str(root / "test/Judges" / name)], capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def main():
    compiler, llvm, judges = sys.argv[1:]
    headers = pathlib.Path(judges, "include/paths").read_text().split()
    command = [compiler, "-std=c++17", "-fsyntax-only", f"-I{SOURCE}/include", f"-I{SOURCE}/runtime/include",
               "-isystem", llvm]
    for folder in headers:
        command += ["-isystem", folder]
    for name in ABIS:
        if wrong := compile_abi(command, SOURCE, name):
            sys.exit(f"error: {name} does not compile:\n{wrong}")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for part in ("test/Judges", "lib/Target/Gpu/Cuda", "runtime/src/backends/nccl"):
            shutil.copytree(SOURCE / part, root / part)
        for path, old, new, _ in PLANTED:
            text = (root / path).read_text()
            if old not in text:
                sys.exit(f"error: {path} has no '{old}', so this mistake cannot be planted")
            (root / path).write_text(text.replace(old, new, 1))
        wrong = "".join(compile_abi(command, root, name) for name in ABIS)
        for path, _, new, said in PLANTED:
            if said not in wrong:
                sys.exit(f"error: '{new}' in {path} is not noticed; the compiler says:\n{wrong}")
    print(f"declarations are those of {', '.join(headers)}; {len(PLANTED)} planted differences are noticed")


main()
