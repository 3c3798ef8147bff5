"""The base of every other package: errors and checks, places of programs, the configuration, arrays and files.
Imports nothing else of dstep."""
