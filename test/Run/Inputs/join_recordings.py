"""join_recordings.py ARGUMENTS RESULTS OUT: the stepK_argI of one recording with the stepK_resI of another."""
import sys
import zipfile

with zipfile.ZipFile(sys.argv[3], "w") as out:
    for path, part in ((sys.argv[1], "_arg"), (sys.argv[2], "_res")):
        archive = zipfile.ZipFile(path)
        for name in archive.namelist():
            if part in name:
                out.writestr(name, archive.read(name))
