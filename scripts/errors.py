"""Errors and their tests: what check-errors and generate-docs share.

A *diagnostic* is a call in lib/ that makes a message; its text is known but for what is inserted. An *expectation* is a
text that a test requires: `expected-error {{..}}`, a CHECK line, or a string in a unit test.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Calls that make messages. `fail`, `bad` and `mistake` are helpers of single files.
CALL = re.compile(
    r"\b(emitError|emitOpError|emitWarning|conflict|needs|excludes|userError|mistake|createStringError|fail|bad|dataError|readError)\(")
LITERAL = re.compile(r'R"\((.*?)\)"|"((?:[^"\\]|\\.)*)"', re.S)
EXPECTED = re.compile(r"expected-(error|warning)(?:-re)?\s*(?:@(\S+))?\s*(?:\d\s*)?\{\{(.*)\}\}")
# Messages that stand for the failure of a library or the system, which no test can bring about.
LIBRARY = {"zlib cannot be initialised", "the member has no size", "the member has another size than it claims",
           "the library refuses '", "cannot start a process: ", "cannot start processes: no port of this host is free",
           "cannot start a thread for rank ", "the module cannot be written as bytecode"}
SHORTEST, TELLING = 7, 10  # letters that a part needs to be looked at, and to tell a message from others


def balanced(text, start):
    """The end of the statement that `start` is in: its `;`, or the bracket that closes around it."""
    depth, at = 0, start
    while at < len(text):
        literal = LITERAL.match(text, at)
        if literal:
            at = literal.end()
            continue
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
            if depth < 0:
                return at
        elif text[at] == ";" and depth == 0:
            return at
        at += 1
    return at


def unescape(literal):
    return literal.replace('\\"', '"').replace("\\\\", "\\")


def pieces_of(statement):
    """The literal pieces of a message, alternatives of `?:` included; neighbouring literals are one."""
    pieces, end = [], None
    for found in LITERAL.finditer(statement):
        text = unescape(found[1] if found[1] is not None else found[2])
        if end is not None and not statement[end:found.start()].strip():
            pieces[-1] += text
        else:
            pieces.append(text)
        end = found.end()
    return pieces


def letters(text):
    return len(re.sub(r"\W", "", text))


def diagnostics():
    """[(path, line, pieces)] of all calls in lib/ that say something themselves."""
    found = []
    for path in sorted((ROOT / "lib").rglob("*.cpp")):
        text = re.sub(r"//[^\n]*", lambda m: " " * len(m[0]), path.read_text())
        seen = 0
        for call in CALL.finditer(text):
            if call.start() < seen:
                continue
            end = balanced(text, call.end())
            if re.match(r"\s*\{", text[end + 1:]):
                continue  # the definition of such a helper
            # What is streamed after the call belongs to the message.
            if text[end:end + 1] == ")":
                end = balanced(text, end + 1)
            pieces = pieces_of(text[call.end():end])
            if call[1] in ("needs", "excludes"):  # a rule of options: their names, then the sentence
                pieces = pieces[-1].split("{0}")
            if max(map(letters, pieces), default=0) >= SHORTEST:
                found.append((path.relative_to(ROOT), text.count("\n", 0, call.start()) + 1, pieces))
                seen = end
    return found


def without_values(text):
    """A message without what is inserted: quotes are emptied and numbers go, so that it can be compared with the
    pieces."""
    return re.sub(r"\s+", " ", re.sub(r"'[^']*'", "''", re.sub(r"\b\w*\d\w*", "", text))).strip()


def fragments(text):
    """An expectation, and its plain parts between regular expressions and inserted values."""
    parts = re.split(r"\{\{|\}\}|\[\[.*?\]\]|\[[^ ]*\]|\.\*|[\^$|\\]", text)
    return [without_values(part) for part in parts] + [part for whole in parts
                                                       for part in re.split(r"'[^']*'|\d+", whole)]


def expectations():
    """Every text that a test expects, and the parts of them that can be compared with pieces."""
    texts = []
    for path in sorted((ROOT / "test").rglob("*")):
        if path.name == "data_mistakes.txt":
            texts += [line.partition(" | ")[2] for line in path.read_text().splitlines()]
        if path.suffix not in (".mlir", ".test", ".py"):
            continue
        for line in path.read_text().splitlines():
            if found := EXPECTED.search(line):
                texts.append(re.sub(r"^'[^']*' op ", "", found[3]))
            elif check := re.match(r"\s*(?:// )?[A-Z][A-Z0-9-]*(?:-SAME|-NEXT)?: (.*)", line):
                texts.append(check[1])
    for path in sorted((ROOT / "unittests").rglob("*.cpp")):
        # Adjacent literals are one text.
        joined = re.sub(r'"\s*\n\s*"', "", path.read_text())
        texts += [unescape(a or b) for a, b in LITERAL.findall(joined)]
    parts = {re.sub(r"\s+", " ", part).strip() for text in texts for part in fragments(text)}
    return texts, {part for part in parts if letters(part) >= SHORTEST}


def is_expected(pieces, texts, parts):
    """Whether some test asks for all of the message, or for a part that tells it from others: several words, or most of
    it."""
    whole = without_values("".join(pieces))
    sequence = re.compile(".*".join(map(re.escape, pieces)))
    versions = [version for piece in pieces for version in (re.sub(r"\s+", " ", piece).strip(), without_values(piece))]
    enough = min(TELLING, 0.6 * letters(whole))
    return any(sequence.search(text) for text in texts) or any(
        part in text and letters(part) >= enough or letters(text) >= TELLING and text in part
        for text in [*versions, whole] for part in parts)


def untested():
    expected = expectations()
    return [(path, line, pieces) for path, line, pieces in diagnostics()
            if not LIBRARY.intersection(pieces) and not is_expected(pieces, *expected)]


# ---- The table ----

def target_line(lines, at, where):
    """The line that an expectation is about."""
    if not where:
        return at
    if where in ("above", "below"):
        step = 1 if where == "below" else -1
        at += step
        while 0 <= at < len(lines) and "expected-" in lines[at]:
            at += step
        return at
    return at + int(where) if re.fullmatch(r"[+-]\d+", where) else at


def operation_at(lines, at):
    """The name of the operation that begins on a line; of an attribute, a type or broken text the line's first word."""
    line = re.sub(r'^\s*(%[^=]*=\s*)?', "", lines[at])
    found = re.match(r'"?([\w.-]+)', line)
    return found[1] if found else ""


def mlir_rows(path):
    """[(message, operation)] of one test with -verify-diagnostics."""
    rows = []
    for chunk in re.split(r"^// -----.*$", path.read_text(), flags=re.M):
        lines = chunk.splitlines()
        for at, line in enumerate(lines):
            if found := EXPECTED.search(line):
                rows.append((found[3], operation_at(lines, target_line(lines, at, found[2]))))
    return rows


def tool_messages(path):
    """The messages of one test of a tool: each check of an error whose prefix a RUN line has."""
    messages, prefixes = [], set()
    for line in path.read_text().splitlines():
        if run := re.match(r"RUN: (?:not )?ds-\w+ .*?(?: 2>&1)? \| FileCheck .*?--check-prefix(?:es)?[= ](\S+)", line):
            prefixes.update(run[1].split(","))
        elif check := re.match(r"([A-Z][A-Z0-9]*): (.*error: .*)", line):
            message = re.sub(r"\{\{[^{}]*\}\}", "..", re.sub(r"^.*?error: ", "", check[2]).replace("{{$}}", ""))
            message = re.sub(r"\.\*|\[\^?[^ ]*\][+*]", "..", re.sub(r"\$?\}\}$", "", message)).strip()
            if check[1] in prefixes and letters(message) >= SHORTEST:
                messages.append(message)
    return messages


def table():
    """The page of errors. Messages that differ in names and numbers alone stand once, where one is asked for first."""
    out = ["# Errors", "", "Every error that a test asks for, and the operation at which the test triggers it; the "
           "heading leads to the test.",
           "Two dots stand for what differs from case to case. Messages that differ in names and numbers alone stand "
           "once.", ""]
    seen = set()

    def is_new(message):
        text = re.sub(r"\W+", " ", without_values(re.sub(r"\b(?:tensor|memref|f\d+|i\d+|bf16)\b(?:<[^>]*>)?", "",
                                                         message)))
        return text not in seen and not seen.add(text)

    for folder in sorted({path.parent for path in (ROOT / "test").rglob("*.mlir")}):
        for path in sorted(folder.glob("*.mlir")):
            rows = [row for row in dict.fromkeys(mlir_rows(path)) if is_new(row[0])]
            if rows:
                flags = re.findall(r"(?<= )--?(ds-[\w-]+)", re.search(r"RUN:(.*)", path.read_text())[1])
                title = ", ".join(f"`{flag}`" for flag in flags) or "Parsing and verification"
                out += [f"## {title} ([{path.stem}](../{path.relative_to(ROOT)}))", ""]
                out += [f"- `{name}`: {message}" if name else f"- {message}" for message, name in rows] + [""]
    for path in sorted((ROOT / "test").rglob("*.test")):
        rows = [message for message in tool_messages(path) if is_new(message)]
        if rows:
            out += [f"## `ds-run` ([{path.stem}](../{path.relative_to(ROOT)}))",
                    ""] + [f"- {message}" for message in rows] + [""]
    return "\n".join(line.rstrip() for line in out)
