"""Certificates with one thing wrong each: bad_certificates.py CERTIFICATE form|fields COMMAND..; the command and the
file must say one sentence and end with 1. Without their checksum, since that says that each was changed. `form` is what
no certificate has, `fields` what this one does not claim, which a run alone shows."""
import json
import pathlib
import subprocess
import sys

path, command = pathlib.Path(sys.argv[1]), sys.argv[3:]
text, right = path.read_text(), json.loads(path.read_text())
del right["checksum"]
run = right["runs"][0]
bad = path.with_name("bad.json")


def without(key):
    return json.dumps({k: v for k, v in right.items() if k != key})


cases = [(text[:len(text) // 2], "is no certificate that holds here: "), ("", "is no certificate that holds here: "),
         ("[]", "it is no JSON object"),
         ("[" * 100000, "more than"), (json.dumps(right | {"ds": "0.0.9"}), "it was written by ds 0.0.9, and this is "
                                       "ds 0.1.0"),
         (json.dumps(right | {"verdict": "different"}), "'verdict' is 'different', expected equal or undecided"),
         (json.dumps(right | {"ranks": "4"}), "'ranks' holds something else, expected a positive integer"),
         (json.dumps(right | {"elements": -1}), "'elements' holds something else, expected a positive integer"),
         (json.dumps(right | {"runs": []}), "'runs' holds something else, expected a prime and a seed at least"),
         (json.dumps(right | {"runs": [3]}), "'runs' holds something else, expected a list of objects"),
         (json.dumps(right | {"runs": [{"prime": 7, "seed": "1"}]}), "'prime' holds something else, expected "
          "2147483647 or 2147483629"),
         (json.dumps(right | {"runs": [{"prime": 2147483647, "seed": "x"}]}), "'seed' holds something else, expected "
          "an integer in quotes"),
         (json.dumps(right | {"opaque": [1]}), "'opaque' holds something else, expected a list of names"),
         (json.dumps(right | {"configuration": {"batch": 1}}), "'batch' holds something else, expected a text"),
         (json.dumps(right | {"configuration": "batch=global"}), "'configuration' holds something else, expected an "
          "object of texts"),
         (json.dumps(right | {"hashes": {}}), "'hashes' has no 'step'"),
         (json.dumps(right | {"runs": [run, run]}), "'runs' holds something else, expected one run modulo each prime"),
         (json.dumps(right | {"configuration": right["configuration"] | {"strategy_ckpt_save_file": "'x.json'"}}),
          "its configuration has 'strategy_ckpt_save_file', which names a file to write"),
         (json.dumps(right | {"opaque": {}}), "'opaque' holds something else, expected a list")]
claims = ("claim", "degree", "probability")
cases += [(without(key), f"'{key}' is missing") for key in right if key not in claims]
if sys.argv[2] == "fields":
    cases = [(json.dumps(right | {key: value}), f"does not certify this run: '{key}' is "
              f"{json.dumps(right.get(key)) if key != 'claim' else ''}")
             for key, value in (("steps", right["steps"] + 1), ("degree", right["degree"] + 1),
                                ("probability", right["probability"] / 2), ("claim", "All is well."))]
    cases += ([(without(key), f"'{key}' is ") for key in claims]
              + [(json.dumps(right | {"more": 1}), "'more' is missing, the certificate has 1")])
for written, expected in cases:
    bad.write_text(written)
    done = subprocess.run([*command, bad], capture_output=True, text=True)
    if (done.returncode != 1 or done.stdout and sys.argv[2] == "form" or done.stderr.count("\n") != 1
        or expected not in done.stderr):
        sys.exit(f"expected {expected!r} and code 1, got code {done.returncode} and {done.stdout}{done.stderr}")
print(f"{len(cases)} refused")
