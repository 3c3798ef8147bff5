"""How lit runs the tests of ds: shell tests on the tools of this build and of the LLVM package."""
import os
import shutil
import subprocess
import lit.formats

config.name = "ds"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.join(config.ds_source, "test")
config.test_exec_root = os.path.join(config.ds_build, "test")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.ds_build, "bin"), config.llvm_tools, os.environ["PATH"]]
)
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
config.environment["OMP_NUM_THREADS"] = "1"
config.environment["DS_CACHE_DIR"] = "off"  # but where a test is about it
# run-tests --target-cpu: the CPU that tools generate code for where a test does not say.
if "DS_TARGET_CPU" in os.environ:
    config.environment["DS_TARGET_CPU"] = os.environ["DS_TARGET_CPU"]
# Runs a command for every combination of values, and names the combinations that fail.
config.substitutions.append(("%for-each", os.path.join(config.test_source_root, "for-each")))
# Levels of x86-64 that this machine can stand in for.
levels = []
for level in ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"]:
    fuzz = [os.path.join(config.ds_build, "bin", "ds-fuzz"), "--count=0", f"--target-cpu={level}"]
    if os.path.exists(fuzz[0]) and subprocess.run(fuzz, capture_output=True).returncode == 0:
        levels.append(level)
if "x86-64" in levels:
    config.available_features.add("runs-x86-64")
config.substitutions.append(("%levels", " ".join(levels)))
config.substitutions.append(("%ds_lib", os.path.join(config.ds_build, "lib")))
# numpy is a package of the system's Python, which need not be the first on the path.
config.substitutions.append(("%python", "/usr/bin/python3"))
config.substitutions.append(("%changes", os.path.join(config.ds_source, "CHANGELOG.md")))
with open(os.path.join(config.ds_source, "VERSION")) as file:
    config.substitutions.append(("%version", file.read().strip()))
config.substitutions.append(("%docs", os.path.join(config.ds_source, "docs")))
config.substitutions.append(("%bench", os.path.join(config.ds_source, "bench")))
config.substitutions.append(("%inputs", os.path.join(config.test_source_root, "Run", "Inputs")))
# The vendor libraries that nccl and hccl load in tests, and what starts ranks as processes.
fakes = {"CUDA": "cuda", "CUBLASLT": "cublaslt", "CUDNN": "cudnn", "NCCL": "nccl", "ASCENDCL": "ascendcl",
         "HCCL": "hccl", "OPAPI": "opapi"}
folder = os.path.join(config.ds_build, "runtime", "test", "fakes")
config.substitutions.append(
    ("%fakes", " ".join(f"DS_{name}_LIBRARY={folder}/libfake_{file}.so" for name, file in fakes.items()))
)
config.substitutions.append(("%source", config.ds_source))
config.substitutions.append(("%build", config.ds_build))
config.substitutions.append(("%planted_cuda", os.path.join(folder, "libfake_cuda_planted.so")))
config.substitutions.append(("%c_api_train", os.path.join(config.ds_build, "bin", "c_api_train")))
config.substitutions.append(("%c_api", os.path.join(config.ds_source, "examples", "c_api")))
config.substitutions.append(("%ahead_of_time", os.path.join(config.ds_source, "examples", "ahead_of_time")))
# What a program with a compiled step is compiled with.
config.substitutions.append(("%cc", "cc"))
lib = os.path.join(config.ds_build, "lib")
config.substitutions.append(("%ds_aot", f"-I{config.ds_source}/include -L{lib} -ldsaot -Wl,-rpath,{lib}"))
config.substitutions.append(("%check_bundle", f"{config.ds_source}/scripts/check-bundle {config.ds_build} ''"))
config.substitutions.append(("%launch", os.path.join(config.ds_source, "runtime", "test", "support", "launch.py")))
# mpirun refuses root unless told; oversubscription lets 2 ranks run on any machine.
config.substitutions.append(("%mpirun", "mpirun --allow-run-as-root --oversubscribe"))
# Sanitizers keep what is freed.
if not config.ds_sanitizer:
    config.available_features.add("unsanitized")
for tool in ("ptxas", "zsh", "fish"):
    if shutil.which(tool):
        config.available_features.add(tool)
if config.ds_has_mpi:
    config.available_features.add("mpi")
    if shutil.which("mpirun.mpich"):
        config.available_features.add("mpich")
