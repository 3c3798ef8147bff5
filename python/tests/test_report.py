"""dstep.report: what the log of a training becomes."""
import html.parser
import io
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock
import xml.etree.ElementTree as xml

from dstep.training import progress
from dstep import report
from dstep.base import drawing as parts
from dstep.base.errors import RunError, warn
from dstep.frontend import FrontendError


def events(steps=1000):
    yield {"event": "start", "time_ms": 100000, "ranks": 2, "samples_per_step": 8, "in_force": "local: 2 ranks <x>"}
    for step in range(1, steps + 1):
        yield {"event": "step", "time_ms": 100000 + 1000 * step, "epoch": 1, "step": step, "metrics": {"loss": 1 / step, "norm": None if step == 7 else 1.0},
               "seconds": 0.5, "samples": 8, "args": {"lr": 0.1}}
    yield {"event": "exchange", "time_ms": 1101000, "steps": 10, "bytes": 1080, "exposed_ns": 250000, "step_ns": 1000000, "starts": 3}


class Elements(html.parser.HTMLParser):
    """Tags that are open, and everything that names something elsewhere."""
    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.texts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in ("src", "href", "xlink:href")]
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.texts.append(data)


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def log(self, lines):
        (self.folder / "events.jsonl").write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))

    def test_names_are_text(self):
        name = "<b>\x1b]0;title\x07\u202e\"'&"
        step = {"event": "step", "step": 4, "metrics": {name: 1.0}, "seconds": 1.0, "samples": 1}
        more = [{"event": name}, step, {"event": "confusion", "step": "<b>", "counts": [[1]]},
                {"event": "timeline", "calls_ns": [["<b>", "<b>", "<b>", 0, 1]]}, {"event": "end", "exit_code": 1, "error": name}]
        self.log([*events(3), *(event | {"time_ms": 200000} for event in more)])
        text = report.page(report.read(self.folder))
        elements = Elements(text)
        self.assertEqual((elements.open, elements.links), ([], []))
        self.assertNotRegex(text, "<b>|[\x00-\x09\x0b-\x1f\u202e]")
        self.assertIn("<b>?]0;title??\"'&", elements.texts)

    def test_a_log_of_anything_is_a_sentence(self):
        begun = '{"event": "step", "time_ms": 1, "step": '
        for text in (begun + "[" * 3000, begun + "[" * 3000 + "\n{}\n", begun + "[" * 300 + "]" * 300 + "}",
                     "\x1b]0;title\x07\n{}\n", begun.replace("1", '"x"') + "1}", begun + '1, "metrics": 3, "seconds": {}}',
                     "[1]\n[2]\n", "\x00"):
            (self.folder / "events.jsonl").write_text(text)
            for more in (["-o", str(self.folder / "r.html")], ["--tensorboard", str(self.folder / "events")]):
                with self.subTest(text[:60], more=more[0]), mock.patch("sys.stderr", io.StringIO()) as said:
                    self.assertEqual(report.main([str(self.folder), *more]), 1)
                    self.assertRegex(said.getvalue(), r"\Adstep.report: error: [^\x00-\x1f]+\n\Z")
        (self.folder / "events.jsonl").write_bytes(b"\xff\xfe\n")
        with mock.patch("sys.stderr", io.StringIO()) as said:
            self.assertEqual(report.main([str(self.folder), "-o", str(self.folder / "r.html")]), 1)
        self.assertEqual(said.getvalue().count("\n"), 1)

    def test_what_is_said_is_text(self):
        for kind in (RunError, FrontendError, report.LogError):
            self.assertEqual(str(kind("the metric 'a\x1b[2J\x9b'")), "the metric 'a?[2J?'")
        with self.assertWarnsRegex(UserWarning, r"^a\?c$"):
            warn("a\x1bc")
        self.assertEqual(progress.text({"a\x1bc\nd": 1.0}), "a?c d 1.0000")

    def test_a_page_is_whole_and_fetches_nothing(self):
        self.log([*events(), {"event": "end", "time_ms": 1102000, "exit_code": 0}])
        text = report.page(report.read(self.folder))
        elements = Elements(text)
        self.assertEqual((elements.open, elements.links), ([], []))
        self.assertNotIn("<script", text)
        for said in ("The run ended with exit code 0.", "local: 2 ranks <x>", "0.25 ms, 25% of the step", "1 of them NaN or infinite", "0:16:42 until the last event"):
            self.assertIn(said, " ".join(elements.texts))
        drawings = [xml.fromstring(drawing) for drawing in re.findall(r"<svg.*?</svg>", text, re.S)]
        self.assertEqual([drawing.attrib["aria-label"] for drawing in drawings], ["loss by step", "norm by step", "samples per second by step", "lr by step"])
        for drawing in drawings:
            points = [tuple(map(float, point.split(","))) for point in drawing.find("polyline").attrib["points"].split()]
            self.assertLessEqual(len(points), parts.POINTS)
            self.assertGreater(len(points), parts.POINTS // 2)
            self.assertEqual(points, sorted(points))
            self.assertTrue(all(0 <= x <= parts.WIDTH and 0 <= y <= parts.HEIGHT for x, y in points))

    def test_what_a_run_holds_is_there(self):
        """Collectives, a lane of every rank that calls fill in their order, slow calls, memory."""
        calls = [[rank, kind, f"call <{kind}>", begin * 1000, begin * 1000 + took] for rank in (0, 1) for begin, kind, took in
                 ((0, "compute", 900), (1, "copy", 500), (2, "start", 100), (3, "communicate", 1000), (4, "wait", 1000))]
        self.log([*events(3), {"event": "collectives", "time_ms": 1, "collectives": [{"operation": "all_reduce", "in_flight": True, "purpose": "gradient", "names": list("abcdef"), "bytes": 2048}]},
                  {"event": "memory", "time_ms": 1, "bytes": {"parameters": 1 << 20, "states": 1 << 21}},
                  {"event": "timeline", "time_ms": 1, "ranks": 2, "calls_ns": calls},
                  {"event": "operations", "time_ms": 1, "operations": [{"name": "slow<", "kind": "compute", "implementation": "x", "calls": 4, "ms": 3.0}, {"name": "fast", "kind": "wait", "implementation": "", "calls": 1, "ms": 1.0}]},
                  {"event": "end", "time_ms": 2, "exit_code": 0, "peak_resident_bytes": 3 << 30}])
        text = report.page(report.read(self.folder))
        elements = Elements(text)
        self.assertEqual((elements.open, elements.links), ([], []))
        for said in ("all_reduce (in flight)", "a, b, c, d and 2 others", "2 KiB", "108 B", "slow< (x)", "75.0%", "750", "1 MiB", "3 GiB at most"):
            self.assertIn(said, " ".join(elements.texts))
        [drawing] = [found for found in map(xml.fromstring, re.findall(r"<svg.*?</svg>", text, re.S)) if found.attrib["aria-label"] == "timeline of the last step"]
        lanes = {}
        for box in drawing.findall("rect"):
            lanes.setdefault(box.attrib["y"], []).append((box.attrib["class"], float(box.attrib["x"]), float(box.attrib["width"])))
        self.assertEqual([[kind for kind, _, _ in lane] for lane in lanes.values()], [list(parts.KINDS)] * 2)
        scale = (parts.WIDTH - parts.LEFT - 8) / 5000
        for lane in lanes.values():
            for (_, x, width), begin, took in zip(lane, range(5), (900, 500, 100, 1000, 1000)):
                self.assertAlmostEqual(x, parts.LEFT + 1000 * begin * scale, delta=.01)
                self.assertAlmostEqual(width, took * scale, delta=.01)

    def test_a_confusion_is_a_table_of_its_counts(self):
        counts = [[5, 0, 1], [2, 7, 0], [0, 0, 0]]
        older = {"event": "confusion", "time_ms": 1, "step": 1, "counts": [[9]]}
        self.log([*events(3), older, {"event": "confusion", "time_ms": 1, "step": 3, "counts": counts}])
        text = report.page(report.read(self.folder))
        elements = Elements(text)
        self.assertEqual((elements.open, elements.links), ([], []))
        self.assertIn("After step 3: 12 of 15 are right.", text)
        [found] = [xml.fromstring(each) for each in re.findall(r"<table class=.matrix.*?</table>", text, re.S)]
        rows = [[cell.text for cell in row] for row in found]
        self.assertEqual(rows, [["label", "0", "1", "2", "right"], ["0", "5", None, "1", "83.3%"], ["1", "2", "7", None, "77.8%"], ["2", None, None, None, "-"]])
        self.assertEqual([[cell.attrib["class"] for cell in row[1:-1]] for row in found[1:]], [["right5", "none", "wrong3"], ["wrong3", "right5", "none"], ["none"] * 3])

    def test_of_many_classes_the_mistakes_are_listed(self):
        size = report.CLASSES + 1
        counts = [[100 if label == predicted else predicted if label == 3 else 0 for predicted in range(size)] for label in range(size)]
        self.log([*events(3), {"event": "confusion", "time_ms": 1, "step": 3, "counts": counts}])
        text = report.page(report.read(self.folder))
        self.assertNotIn('class="matrix"', text)
        [found] = [xml.fromstring(each) for each in re.findall(r"<table>\n<tr><th class=.word.>label.*?</table>", text, re.S)]
        self.assertEqual([[cell.text for cell in row[:3]] for row in found[1:]], [["3", str(predicted), str(predicted)] for predicted in range(size - 1, size - 1 - report.MISTAKES, -1)])

    def test_calls_too_short_to_see_become_one(self):
        calls = [[0, "compute", "a", 10 * i, 10 * i + 9] for i in range(10000)] + [[0, "wait", "w", 100000, 900000]]
        self.assertLess(len(parts.spans(calls, 600 / 900000)), 100)
        self.assertEqual(parts.spans(calls, 600 / 900000)[-1], ["wait", "w", 100000, 900000, 1])
        self.assertEqual(sum(span[4] for span in parts.spans(calls, 600 / 900000)), 10001)

    def test_what_ranks_did_last_is_of_the_newest_run(self):
        late = [{"event": "rank_last", "time_ms": 9, "rank": rank, "doing": "computes", "step": 7 + rank} for rank in (0, 1)]
        end = {"event": "end", "time_ms": 9, "exit_code": 1, "error": "late"}
        self.log([*events(2), *late, end])
        self.assertIn("<tr><th>rank 1</th><td>computes step 8</td></tr>", report.page(report.read(self.folder)))
        self.log([*events(2), *late, end, *events(2)])
        self.assertNotIn("What each rank did last", report.page(report.read(self.folder)))

    def test_an_evaluation_is_of_the_step_before_it(self):
        self.log([*list(events(4))[:3], {"event": "evaluation", "time_ms": 1, "accuracy": .5, "metrics": {"loss": 2.0}}, *list(events(4))[3:]])
        found = report.series(report.read(self.folder))
        self.assertEqual((found["accuracy of the evaluation"], found["loss of the evaluation"]), ([(2, .5)], [(2, 2.0)]))

    def test_an_evaluation_that_a_restart_did_again_counts_once(self):
        self.log([*list(events(4))[:-1], *({"event": "evaluation", "time_ms": 1, "step": step, "accuracy": accuracy} for step, accuracy in ((2, .5), (4, .7), (4, .6), (6, .8)))])
        self.assertEqual(report.series(report.read(self.folder))["accuracy of the evaluation"], [(2, .5), (4, .6), (6, .8)])

    def test_what_a_step_waits_for_an_evaluation_is_not_drawn(self):
        steps = [{"event": "step", "time_ms": step, "step": step, "metrics": {"a": 1, "loss": 2}, "seconds": 1, "samples": 1, "exposed_seconds": 9 if step == 3 else .001 * step} for step in range(1, 5)]
        self.log([*steps[:2], {"event": "evaluation", "time_ms": 2, "step": 2, "accuracy": .5}, *steps[2:]])
        found = report.series(report.read(self.folder))
        self.assertEqual(found["milliseconds in collectives"], [(1, 1), (2, 2), (4, 4)])
        self.assertEqual(next(iter(found)), "loss")
        text = report.page(report.read(self.folder))
        self.assertIn("1 evaluation, last 0.5", text)
        self.assertNotIn("<th>evaluation</th>", text)

    def test_means_of_pieces_keep_the_sum_and_the_range(self):
        points = [(step, math.sin(step)) for step in range(4 * parts.POINTS)]
        pieces = parts.thinned(points)
        self.assertEqual(len(pieces), parts.POINTS)
        self.assertAlmostEqual(sum(mean for _, mean, _, _ in pieces) * 4, sum(value for _, value in points))
        self.assertEqual((min(p[2] for p in pieces), max(p[3] for p in pieces)), (min(v for _, v in points), max(v for _, v in points)))

    def test_steps_of_a_restart_count_once(self):
        again = [{**event, "metrics": {"loss": 5.0}} for event in events(6) if event["event"] == "step" and event["step"] > 3]
        self.log([*list(events(6))[:-1], *again])
        self.assertEqual([value for _, value in report.series(report.read(self.folder))["loss"]], [1, 1 / 2, 1 / 3, 5, 5, 5])

    def test_how_a_run_ended(self):
        drawn = {"event": "report", "time_ms": 9, "file": "late.html"}
        for last, sentence, bad in (([{"event": "end", "time_ms": 9, "exit_code": 1, "error": "rank 1 <late>"}], "The run failed: rank 1 <late>", True),
                                    ([{"event": "end", "time_ms": 9, "exit_code": 1, "error": "rank 1 <late>"}, drawn], "The run failed: rank 1 <late>", True),
                                    (['{"event":"st'], "it still goes on, or was killed", False)):
            self.log([*events(2), *last])
            found, wrong = report.state(report.read(self.folder))
            self.assertIn(sentence, found)
            self.assertEqual(wrong, bad)
            self.assertIn("&lt;late&gt;" if bad else "killed", report.page(report.read(self.folder)))

    def test_tensorboard_gets_every_finite_number(self):
        from tensorboardX.proto.event_pb2 import Event
        self.log([*events(20), {"event": "evaluation", "time_ms": 9, "step": 20, "accuracy": .5}])
        report.to_tensorboard(report.read(self.folder), self.folder / "board")
        [file] = (self.folder / "board").iterdir()
        data, got = file.read_bytes(), {}
        while data:  # length, its checksum, an event, its checksum
            size = int.from_bytes(data[:8], "little")
            event, data = Event.FromString(data[12:12 + size]), data[16 + size:]
            for value in event.summary.value:
                got.setdefault(value.tag, []).append((event.step, event.wall_time, value.simple_value))
        self.assertEqual({tag: len(values) for tag, values in got.items()}, {"training/loss": 20, "training/norm": 19, "training/samples_per_second": 20, "training/lr": 20, "evaluation/accuracy": 1})
        for step, at, value in got["training/loss"]:
            self.assertEqual(at, 100.0 + step)
            self.assertAlmostEqual(value, 1 / step, places=6)

    def test_mistakes_are_one_sentence(self):
        def main(*arguments):
            done = subprocess.run([sys.executable, "-m", "dstep.report", *arguments], capture_output=True, text=True, cwd=self.folder)
            return done.returncode, (done.stderr or done.stdout).strip()
        self.assertEqual(main("none"), (1, "dstep.report: error: cannot read 'none': No such file or directory; ds-run --log-dir FOLDER writes FOLDER/events.jsonl"))
        self.log(["hello\n", *events(1)])
        self.assertEqual(main("."), (1, "dstep.report: error: events.jsonl:1: expected an event of ds-run as JSON, got 'hello'"))
        self.log([])
        self.assertEqual(main("."), (1, "dstep.report: error: 'events.jsonl' holds no events"))
        self.log(events(3))
        self.assertEqual(main(".", "-o", "no/r.html")[0], 1)
        self.assertEqual(main("."), (0, "wrote report.html: 5 events"))


if __name__ == "__main__":
    unittest.main()
