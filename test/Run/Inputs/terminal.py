"""terminal.py COLUMNS COMMAND..: runs a command whose standard output is a terminal of so many columns, and says what
came there: the longest line that was redrawn, and the ways in which it looked."""
import fcntl
import os
import re
import struct
import subprocess
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2:]
ours, theirs = os.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
process = subprocess.Popen(command, stdout=theirs, env=environment)
os.close(theirs)
text = b""
while True:
    try:
        text += os.read(ours, 65536)
    except OSError:  # the other side has been closed
        break
code, drawn = process.wait(), re.findall(r"\r([^\r\n]*?)\x1b\[K", text.decode())
longest = max(map(len, drawn), default=0)
print(f"exit code {code}, {'redrawn' if longest else 'plain'}, {'fits' if longest < columns else f'{longest} columns'}")
print(max(drawn, key=len, default=text.decode().splitlines()[-1]))
