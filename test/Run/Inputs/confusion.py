"""The confusion of classes that --eval counts, beside plain Python.

confusion.py make DIR                         three.npy: labels 0 to 2 for the 26 samples of linear, some of them
                                              another one, some -1: of no class
confusion.py check DIR LOG REPORT STEP        whether the log and the table of the report have the counts of
                                              linear_classes.mlir with the parameters of
                                              DIR/saved.safetensors
"""
import html.parser
import json
import pathlib
import random
import struct
import sys

SAMPLES = 26


def classes_of(folder, w):
    x = struct.unpack(f"<{3 * SAMPLES}f", (folder / "x.npy").read_bytes()[-12 * SAMPLES:])
    values = [sum(a * b for a, b in zip(x[3 * i:], w)) for i in range(SAMPLES)]
    return [(value > -0.5) + (value > 0.5) for value in values]


class Table(html.parser.HTMLParser):
    """The rows of the table of class `matrix`, as texts."""
    def __init__(self, text):
        super().__init__()
        self.rows, self.inside, self.cell = [], False, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.inside = ("class", "matrix") in attributes
        elif self.inside and tag == "tr":
            self.rows.append([])
        elif self.inside and tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        if tag == "table":
            self.inside = False

    def handle_data(self, data):
        if self.inside and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip()


def main():
    folder = pathlib.Path(sys.argv[2])
    if sys.argv[1] == "make":
        draw = random.Random(2)
        labels = [draw.choice((label, label, label, 1, -1)) for label in classes_of(folder, (1, -2, 3))]
        header = repr({"descr": "<i4", "fortran_order": False, "shape": (SAMPLES,)})
        header += " " * (-(len(header) + 11) % 64) + "\n"
        return (folder / "three.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
                                                  + header.encode() + struct.pack(f"<{SAMPLES}i", *labels))
    labels = struct.unpack(f"<{SAMPLES}i", (folder / "three.npy").read_bytes()[-4 * SAMPLES:])
    data = (folder / "saved.safetensors").read_bytes()
    size, = struct.unpack("<Q", data[:8])
    begin, end = json.loads(data[8:8 + size])["w"]["data_offsets"]
    counts = [[0] * 3 for _ in range(3)]
    for label, predicted in zip(labels, classes_of(folder,
                                                   struct.unpack("<3f", data[8 + size + begin:8 + size + end]))):
        if label >= 0:
            counts[label][predicted] += 1
    events = [json.loads(line) for line in (pathlib.Path(sys.argv[3]) / "events.jsonl").read_text().splitlines()]
    last = [event for event in events if event["event"] == "confusion"][-1]
    assert (last["counts"], last["step"]) == (counts, int(sys.argv[5])), (last, counts)
    right = [event for event in events if event["event"] == "evaluation"][-1]["correct"]
    assert right == sum(counts[i][i] for i in range(3)), right
    [head, *rows] = Table(pathlib.Path(sys.argv[4]).read_text()).rows
    assert head == ["label", "0", "1", "2", "right"], head
    assert [row[:4] for row in rows] == [[str(label), *(str(count or "") for count in row)]
                                         for label, row in enumerate(counts)], rows
    print(counts)


main()
