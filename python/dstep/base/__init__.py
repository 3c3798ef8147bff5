"""What every other package stands on: errors and checks, places of programs, the configuration, arrays and files.
Imports nothing else of dstep."""
