"""flight.py FOLDER COMMAND..: of two ranks over nccl one is killed in a training; the other must leave its last 64
collectives in FOLDER."""
import json
import os
import pathlib
import sys

from stuck_rank import hang

folder, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
os.environ["DS_FLIGHT_RECORDER"] = str(folder)
ranks = hang(folder, command)
ranks[1].kill()
ranks[1].communicate()
told = ranks[0].communicate(timeout=60)[1]
assert ranks[0].returncode == 1, (ranks[0].returncode, told)
assert not (folder / "flight-1.jsonl").exists()
failure, *calls = map(json.loads, (folder / "flight-0.jsonl").read_text().splitlines())
assert failure["error"] in told and (failure["rank"], failure["ranks"]) == (0, 2), (failure, told)
assert [c["number"] for c in calls] == list(range(failure["collectives"] - 63, failure["collectives"] + 1)), calls
assert [c["status"] for c in calls[:-1]] == [calls[0]["status"]] * 63 and calls[-1]["status"] != calls[0]["status"], calls  # noqa: E501
assert all(a["begun_us"] <= a["ended_us"] <= b["begun_us"] for a, b in zip(calls, calls[1:])), calls
assert {c["op"] for c in calls} <= {"all_reduce", "all_gather"} and any(c["bytes"] == 12 and c["dtype"] == "f32"
                                                                        for c in calls), calls
print(f"{len(calls)} collectives, the last one ended as {calls[-1]['status']}")
