"""fat_binaries.py LIBRARY: what the fat binaries in a file hold, an entry a line: code or text, and for which chip."""
import re
import struct
import sys

data = open(sys.argv[1], "rb").read()
MAGIC = struct.pack("<I", 0xBA55ED50)
at = data.find(MAGIC)
while at >= 0:
    header, size = struct.unpack_from("<HQ", data, at + 6)
    end, at = at + header + size, at + header
    while at < end:
        kind, _, skip, length, _, _, _, chip = struct.unpack_from("<HHIQIIII", data, at)
        payload = data[at + skip : at + skip + length]
        if kind == 2:
            print("code", f"sm_{chip}" if payload[:4] == b"\x7fELF" else "without an ELF file")
        else:
            print("text", re.search(rb"\.target (\w+)", payload)[1].decode())
        at += skip + length
    at = data.find(MAGIC, end)
