//===- Interrupt.h - Ctrl-C as a request ------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a training runs, the first SIGINT or SIGTERM requests a stop after the current step; the
// second one ends the process at once. Before the training, the first one does.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_INTERRUPT_H
#define DS_RUN_RANKS_INTERRUPT_H

namespace ds {

/// Exit code of a run that a signal ended; shells use it for Ctrl-C.
constexpr int exitInterrupted = 130;

/// Exit code of a run that was asked to make room; a queue restarts such a job.
constexpr int exitRequeue = 75;

/// Makes SIGINT, SIGTERM, SIGUSR1 and SIGHUP end the process with exitInterrupted or exitRequeue,
/// and a sentence of rank 0. A program calls it first. A SIGHUP that is ignored, as under nohup,
/// stays ignored. SIGXFSZ is survived. `environment` contains the number of this rank.
void catchSignals(char **environment);
/// Makes these signals request an end after the current step; the second one ends the process at
/// once.
void catchInterrupts();
/// Ends the process with exitRequeue `seconds` after a signal other than SIGINT, unless
/// endedInTime() was called before; 0 means no limit. With `prints` it prints a sentence.
void limitSaving(unsigned seconds, bool prints);
void endedInTime();
/// Reports the exit code to --launch, if that has started this rank, because an mpirun may report
/// another one. A process that a signal ends here reports its code by itself.
void tellLauncher(int code);
/// Names the pipe on which --launch receives the code, as a file of /proc.
constexpr char kLauncherVariable[] = "DS_LAUNCHER";
/// Turns the departure of the output's reader into an error of the write, which does not end the
/// process.
void survivePipes();
/// From now on SIGTERM does not ask for the end of the training, but of this process's part in it.
void leaveOnTerm();
bool leaveRequested();
bool interruptRequested();
/// True if a signal other than SIGINT made the request.
bool requeueRequested();

} // namespace ds

#endif // DS_RUN_RANKS_INTERRUPT_H
