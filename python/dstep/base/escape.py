"""Escapes a user's text for its reader: names of parameters, metrics and files can hold any character (for the tools:
ds/Support/Escape.h)."""
import html
import re

_STEERS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text):
    """Returns text for a terminal: control characters, changes of text direction and characters that cannot be encoded
    become '?'."""
    return _STEERS.sub("?", str(text))


def one_line(text):
    return printable(text).replace("\n", " ")


def in_html(text):
    return html.escape(printable(text))
