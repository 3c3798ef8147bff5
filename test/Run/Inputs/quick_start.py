"""quick_start.py SECONDS MIB COMMAND..: runs a command, which may take that long and that much memory. A second is what
it takes on an idle machine."""
import resource
import subprocess
import sys
import time

seconds, mib, begin = float(sys.argv[1]), int(sys.argv[2]), time.monotonic()
code = subprocess.run(sys.argv[3:]).returncode
took, used = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
if took > seconds or used > mib:
    sys.exit(f"took {took:.1f} s and {used} MiB, expected at most {seconds} s and {mib} MiB")
sys.exit(code)
