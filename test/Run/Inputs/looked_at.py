"""looked_at.py page FILE.html: that all tags are closed and that nothing is fetched or run; prints its text.
looked_at.py trace FILE.json RANKS: that it is what Perfetto reads of the Trace Event Format: names and complete events
that follow each other, of a process for each rank, whose thread has a number of its own, and none is 0, which Perfetto
takes for the idle process; prints their kinds."""
import html.parser
import json
import pathlib
import sys

EMPTY = {"meta", "br", "line", "rect", "polygon", "polyline"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        assert tag not in ("script", "link", "img", "iframe"), tag
        for name, value in attributes:
            assert name not in ("src", "href", "xlink:href", "style") and not name.startswith("on"), (tag, name, value)
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag in EMPTY, tag

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if data.strip() and self.open[-1] != "style":
            print(data.strip())
        assert "url(" not in data and "@import" not in data, data


def trace(file, ranks):
    trace = json.loads(pathlib.Path(file).read_text(), parse_constant=lambda number: sys.exit(f"{number} is no JSON"))
    assert trace.keys() == {"displayTimeUnit", "traceEvents"} and trace["displayTimeUnit"] in ("ms", "ns"), trace.keys()
    events = trace["traceEvents"]
    for event in events:
        assert all(isinstance(event[key], int) and 0 < event[key] < 2**31
                   for key in ("pid", "tid")) and isinstance(event["name"], str), event
        assert event["ph"] == "M" or all(isinstance(event[key], (int, float))
                                         for key in ("ts", "dur")) and isinstance(event["cat"], str), event
    for kind in "process_name", "thread_name":
        named = [(event["pid"], event["tid"], event["args"]) for event in events if event["ph"] == "M"
                 and event["name"] == kind]
        assert named == [(rank + 1, rank + 1, {"name": f"rank {rank}"}) for rank in range(ranks)], named
    assert {event["ph"] for event in events} == {"M", "X"}
    for rank in range(ranks):
        calls = [event for event in events if event["ph"] == "X"
                 and (event["pid"], event["tid"]) == (rank + 1, rank + 1)]
        end = 0
        for call in calls:
            assert call["ts"] >= end - 1e-6 and call["dur"] >= 0 and call["name"], (call, end)
            end = call["ts"] + call["dur"]
        print(f"rank {rank}:", *sorted({call["cat"] for call in calls}))
    assert min(event["ts"] for event in events if event["ph"] == "X") == 0


if sys.argv[1] == "page":
    page = Page()
    page.feed(pathlib.Path(sys.argv[2]).read_text())
    assert not page.open, page.open
else:
    trace(sys.argv[2], int(sys.argv[3]))
