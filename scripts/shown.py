"""What a page shows of a text, found in it: check-snippets and check-tutorial share this.

Lines stand in the text in the order of the page, with others between them. `..` stands for anything, and a name %x for
the one value that it is first found as."""
import re

TOKEN = re.compile(r"\.\.|%\w+|[^.%]+|.", re.S)


def match(line, text, names):
    """Whether `text` is what `line` shows; `names` learns which printed value a name stands for. None: names stand for
    themselves."""
    learnt, pattern = [], ""
    for token in TOKEN.findall(" ".join(line.split())):
        if token == "..":
            pattern += ".*"
        elif token[0] != "%" or len(token) == 1 or names is None:
            pattern += re.escape(token)
        elif token in names:
            pattern += re.escape(names[token]) + r"\b"
        elif token in learnt:
            pattern += f"(?P=v{learnt.index(token)})"
        else:
            pattern += rf"(?P<v{len(learnt)}>%\w+)"
            learnt.append(token)
    found = re.fullmatch(pattern, " ".join(text.split()))
    if found and names is not None:
        names.update({name: found[f"v{i}"] for i, name in enumerate(learnt)})
    return found


def missing(shown, text, names):
    """The first of the lines shown that does not stand in the text behind those before it, or None."""
    lines = iter(text.splitlines())
    return next((line for line in shown if not any(match(line, other, names) for other in lines)), None)
