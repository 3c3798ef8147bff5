"""How lit runs the tests of the embedding compiler."""
import os
import lit.formats

config.name = "nn"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.join(config.nn_source, "test")
config.test_exec_root = os.path.join(config.nn_build, "test")
config.environment["PATH"] = os.pathsep.join([config.nn_build, config.llvm_tools, os.environ["PATH"]])
config.environment["OMP_NUM_THREADS"] = "1"
# A package of the system has no other Python than this one.
config.substitutions.append(("%python", "/usr/bin/python3"))
config.substitutions.append(("%inputs", os.path.join(config.test_source_root, "Inputs")))
config.substitutions.append(("%nn_plugin", os.path.join(config.nn_build, "libnn-plugin.so")))
config.substitutions.append(("%ds_plugin", os.path.join(config.ds_lib, "libds-plugin.so")))
