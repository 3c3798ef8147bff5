"""Parts of the page of a training: curves, tables, the timeline of a step, and their style. Text is escaped."""
import math

from .escape import in_html

POINTS = 400  # of a curve; a longer one shows the mean of each of equal pieces, and its range as a band
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 200, 64, 24
LANE = 22  # height of a rank in the timeline
KINDS = {"compute": "computes", "copy": "packs or copies", "start": "starts an exchange",
         "communicate": "communicates (with its waiting)", "wait": "waits for what is in flight"}
EVALUATED = " of the evaluation"  # appended to the names of an evaluation's metrics

STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1a; --faint: #767676; --line: #0b62c4; --band: #0b62c433; --rule: #d8d8d8;
  --bad: #b3261e; --paper: #ffffff; --compute: #4c8f5b; --copy: #8a6fc0; --start: #d9a400; --communicate: #c2571a;
  --wait: #b9b9b9 }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --faint: #9a9a9a; --line: #7ab7ff; --band: #7ab7ff33;
  --rule: #3a3a3a; --bad: #ff8a80; --paper: #161616; --compute: #79c58a; --copy: #b79df0; --start: #ffd54f;
  --communicate: #ff9d5c; --wait: #666666 } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 720px; margin: 2em
  auto; padding: 0 1em }
h1 { font-size: 1.4em } h2 { font-size: 1.1em; margin: 1.6em 0 .4em } .faint { color: var(--faint) } .bad { color:
  var(--bad) }
svg { width: 100%; height: auto } svg text { font: 11px system-ui, sans-serif; fill: var(--faint) }
.curve { fill: none; stroke: var(--line); stroke-width: 1.5 } .band { fill: var(--band); stroke: none } .rule { stroke:
  var(--rule) }
.number { text-align: right; white-space: nowrap } .share { display: inline-block } .key { display: inline-block; width:
  .8em; height: .8em; margin: 0 .3em 0 .8em }
.compute { fill: var(--compute); background: var(--compute) } .copy { fill: var(--copy); background: var(--copy) }
  .start { fill: var(--start); background: var(--start) }
.communicate { fill: var(--communicate); background: var(--communicate) } .wait { fill: var(--wait); background:
  var(--wait) }
.wide { overflow-x: auto } .matrix { font-variant-numeric: tabular-nums } .matrix td, .matrix th { text-align: right;
  padding: .15em .5em } .matrix td { min-width: 2.2em }
.right1 { background: color-mix(in srgb, var(--compute) 12%, transparent) } .wrong1 { background: color-mix(in srgb,
  var(--bad) 12%, transparent) } .right2 { background: color-mix(in srgb, var(--compute) 24%, transparent) } .wrong2 {
  background: color-mix(in srgb, var(--bad) 24%, transparent) } .right3 { background: color-mix(in srgb, var(--compute)
  36%, transparent) } .wrong3 { background: color-mix(in srgb, var(--bad) 36%, transparent) } .right4 { background:
  color-mix(in srgb, var(--compute) 48%, transparent) } .wrong4 { background: color-mix(in srgb, var(--bad) 48%,
  transparent) } .right5 { background: color-mix(in srgb, var(--compute) 60%, transparent) } .wrong5 { background:
  color-mix(in srgb, var(--bad) 60%, transparent) }
table { border-collapse: collapse } td, th { text-align: left; padding: .15em 1em .15em 0; vertical-align: top } th {
  font-weight: 600; white-space: nowrap }
@media (max-width: 500px) { svg text { font-size: 14px } .rows th { white-space: normal } }
"""


def thinned(points):
    """Returns (step, mean, least, most) of at most POINTS pieces, without NaN and infinities."""
    size = -(-len(points) // POINTS)
    pieces = []
    for begin in range(0, len(points), size):
        values = [value for _, value in points[begin:begin + size] if math.isfinite(value)]
        if values:
            pieces.append((points[min(begin + size, len(points)) - 1][0], sum(values) / len(values), min(values),
                           max(values)))
    return pieces


def number(value):
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"


def counted(count, what):
    return f"{count} {what}{'' if count == 1 else 's'}"


def size(count):
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.4g} {unit}"
        count /= 1024
    return f"{count:.4g} GiB"


def names(listed, most=4):
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} others" if len(listed) > most else "")


def rows(pairs):
    return '<table class="rows">\n' + "".join(f"<tr><th>{in_html(a)}</th><td>{in_html(b)}</td></tr>\n"
                                              for a, b in pairs) + "</table>\n"


def table(head, lines, words=1):
    """Returns a table; columns after the first `words` hold numbers and are right-aligned."""
    def cells(tag, line):
        return "".join(f'<{tag} class="{"number" if i >= words else "word"}">{in_html(cell)}</{tag}>'
                       for i, cell in enumerate(line))
    rows_of = "".join(f"<tr>{cells('td', line)}</tr>\n" for line in lines)
    return f"""<div class="wide"><table>\n<tr>{cells('th', head)}</tr>\n{rows_of}</table></div>\n"""


def curve(title, points):
    """Returns a drawing of one series, with its last value as text."""
    pieces = thinned(points)
    missing = sum(not math.isfinite(value) for _, value in points)
    words = counted(len(points), "evaluation" if title.endswith(EVALUATED)
                    else "step") + (f", last {number(pieces[-1][1])}" if pieces else "")
    bad = f' <span class="bad">{missing} of them NaN or infinite</span>' if missing else ""
    head = f'<h2>{in_html(title)}</h2>\n<p class="faint">{words}{bad}</p>\n'
    if len(pieces) < 2:
        return head
    low, high = min(p[2] for p in pieces), max(p[3] for p in pieces)
    if low == high:
        low, high = low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2
    first, last = pieces[0][0], pieces[-1][0]

    def at(step, value):
        x = LEFT + (WIDTH - LEFT - 8) * (step - first) / (last - first)
        return f"{x:.1f},{8 + (HEIGHT - BOTTOM - 8) * (high - value) / (high - low):.1f}"

    line = " ".join(at(step, mean) for step, mean, _, _ in pieces)
    band = " ".join([at(step, most) for step, _, _, most in pieces]
                    + [at(step, least) for step, _, least, _ in reversed(pieces)])
    bottom = HEIGHT - BOTTOM
    return head + f"""<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{in_html(title)} by step">
<title>{in_html(title)}: from {number(pieces[0][1])} at step {first} to {number(pieces[-1][1])} at step {last}</title>
<line class="rule" x1="{LEFT}" y1="8" x2="{LEFT}" y2="{bottom}"/>
<line class="rule" x1="{LEFT}" y1="{bottom}" x2="{WIDTH - 8}" y2="{bottom}"/>
<text x="{LEFT - 6}" y="16" text-anchor="end">{number(high)}</text>
<text x="{LEFT - 6}" y="{bottom}" text-anchor="end">{number(low)}</text>
<text x="{LEFT}" y="{HEIGHT - 6}">step {in_html(first)}</text>
<text x="{WIDTH - 8}" y="{HEIGHT - 6}" text-anchor="end">{in_html(last)}</text>
<polygon class="band" points="{band}"/><polyline class="curve" points="{line}"/>
</svg>
"""


def spans(calls, scale):
    """Returns calls of one rank as [kind, name, begin, end, count]; adjacent calls of one kind too short to distinguish
    in the drawing are merged."""
    found = []
    for _, kind, name, begin, end in calls:
        if found and found[-1][0] == kind and (begin - found[-1][3]) * scale < .5 and (end - begin) * scale < 1:
            found[-1][1], found[-1][3], found[-1][4] = name, end, found[-1][4] + 1
        else:
            found.append([kind, name, begin, end, 1])
    return found


def timeline(event):
    """Returns a drawing of the last step, one lane for each rank."""
    calls = event.get("calls_ns", [])
    if not calls:
        return ""
    ranks = sorted({call[0] for call in calls})
    last = max(call[4] for call in calls) or 1
    scale, height = (WIDTH - LEFT - 8) / last, len(ranks) * LANE + BOTTOM
    drawn = []
    for lane, rank in enumerate(ranks):
        drawn.append(f'<text x="{LEFT - 6}" y="{lane * LANE + 15}" text-anchor="end">rank {in_html(rank)}</text>')
        for kind, name, begin, end, count in spans([call for call in calls if call[0] == rank], scale):
            said = (f"{name}: {(end - begin) * 1e-3:.4g} us" if count == 1 else f"{count} calls: "
                    f"{(end - begin) * 1e-3:.4g} us")
            drawn.append(f'<rect class="{in_html(kind)}" x="{LEFT + begin * scale:.2f}" y="{lane * LANE + 2}" '
                         f'width="{max((end - begin) * scale, .2):.2f}" '
                         f'height="{LANE - 4}"><title>{in_html(said)}</title></rect>')
    shares = []
    for kind, said in KINDS.items():
        took = sum(end - begin for _, other, _, begin, end in calls if other == kind)
        if took:
            shares.append(f'<span class="share"><span class="key {kind}"></span>{said}, '
                          f'{took / (last * len(ranks)):.0%}</span>')
    return f"""<h2>The last step of every rank</h2>
<p class="faint">{"".join(shares)}</p>
<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="timeline of the last step">
<title>{len(ranks)} ranks, {last * 1e-6:.4g} ms</title>
{"".join(drawn)}
<text x="{LEFT}" y="{height - 6}">0</text>
<text x="{WIDTH - 8}" y="{height - 6}" text-anchor="end">{last * 1e-6:.4g} ms</text>
</svg>
"""


def shade(count, total, is_right):
    """Returns a class of STYLE by the square root of a cell's share of its row, in five steps, so that rare mistakes
    differ;
    "none" for an empty cell."""
    return f"{'right' if is_right else 'wrong'}{math.ceil(5 * math.sqrt(count / total))}" if count else "none"
