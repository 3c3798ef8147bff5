"""looked_at.py page FILE.html: that all tags are closed and that nothing is fetched or run; prints its text.
looked_at.py trace FILE.json RANKS: that it is what Perfetto reads: complete events that follow each other, a process for each rank; prints their kinds."""
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
    events = json.loads(pathlib.Path(file).read_text())["traceEvents"]
    named = {event["pid"]: event["args"]["name"] for event in events if event["ph"] == "M"}
    assert named == {rank: f"rank {rank}" for rank in range(ranks)}, named
    for rank in range(ranks):
        calls = [event for event in events if event["ph"] == "X" and event["pid"] == rank]
        end = 0
        for call in calls:
            assert call["ts"] >= end - 1e-6 and call["dur"] >= 0 and call["name"] and call["tid"] == 0, (call, end)
            end = call["ts"] + call["dur"]
        print(f"rank {rank}:", *sorted({call["cat"] for call in calls}))
    assert min(event["ts"] for event in events if event["ph"] == "X") == 0


if sys.argv[1] == "page":
    page = Page()
    page.feed(pathlib.Path(sys.argv[2]).read_text())
    assert not page.open, page.open
else:
    trace(sys.argv[2], int(sys.argv[3]))
