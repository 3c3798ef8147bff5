"""python -m dstep.frontend FILE.stablehlo.mlir [--manifest FILE.json] [-o FILE.mlir]: StableHLO -> upstream MLIR with
roles."""
import argparse
import json
import pathlib
import sys

from ..base.errors import FrontendError
from . import normalise


def main():
    parser = argparse.ArgumentParser(prog="python -m dstep.frontend", description=__doc__)
    parser.add_argument("file", type=pathlib.Path, help="a module of StableHLO")
    parser.add_argument("--manifest", type=pathlib.Path, help="JSON with the roles of arguments and results; default: "
                        "FILE.json if it exists, else the attributes in the module stay")
    parser.add_argument("-o", dest="output", type=pathlib.Path, help="default: standard output")
    options = parser.parse_args()
    name = options.file.name
    beside = options.file.with_name(name.removesuffix(".mlir").removesuffix(".stablehlo") + ".json")
    manifest = options.manifest or (beside if beside.exists() else None)
    try:
        text = normalise(options.file.read_text(), json.loads(manifest.read_text()) if manifest else None)
    except (FrontendError, OSError, json.JSONDecodeError) as error:
        sys.exit(f"error: {options.file}: {error}")
    if options.output:
        options.output.write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
