//===- Interrupt.h - Ctrl-C as a request ------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a training runs, the first SIGINT or SIGTERM asks to stop after the current step; the
// second one ends the process at once. Before it the first one does.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_INTERRUPT_H
#define DS_RUN_RANKS_INTERRUPT_H

namespace ds {

/// Exit code of a run that a signal ended, as shells have it for Ctrl-C.
constexpr int exitInterrupted = 130;

/// Exit code of a run that was told to make room: what a queue starts again.
constexpr int exitRequeue = 75;

/// From now on SIGINT, SIGTERM, SIGUSR1 and SIGHUP end the process with exitInterrupted or
/// exitRequeue, and a sentence of rank 0: the first thing that a program does. A SIGHUP that is
/// ignored, as under nohup, stays so. SIGXFSZ is survived. `environment` says which rank this is.
void catchSignals(char **environment);
/// From now on they ask for an end after the current step; the second one ends the process at once.
void catchInterrupts();
/// After a signal other than SIGINT the process ends with exitRequeue after so many seconds, if it
/// has not called endedInTime() before; 0: it may take any time. `tells`: with a sentence.
void limitSaving(unsigned seconds, bool tells);
void endedInTime();
/// Tells --launch, if that has started this rank, what the process ends with: an mpirun may say
/// something else. Those that a signal ends here say it themselves.
void tellLauncher(int code);
/// Names the pipe on which --launch hears it, as a file of /proc.
constexpr char kLauncherVariable[] = "DS_LAUNCHER";
/// A reader of the output that leaves is an error of the write, which does not end the process.
void survivePipes();
bool interruptRequested();
/// Whether it was another signal than SIGINT.
bool requeueRequested();

} // namespace ds

#endif // DS_RUN_RANKS_INTERRUPT_H
