//===- Trace.cpp - The calls of ranks within a step -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file has the JSON object form of Chrome's trace events, which Perfetto reads: a process for
// each rank, and complete events in microseconds since the first one.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Trace.h"

#include "ds/Support/File.h"
#include "ds/Support/Nesting.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace ds {

using llvm::Error;
using llvm::StringRef;
namespace json = llvm::json;

StringRef kindOfCall(StringRef name) {
  // These names are those of lib/Conversion/Driver.
  name.consume_front("dsrt_");
  if (name.starts_with("mem")) // memcpy and memset
    return "copy";
  if (name.starts_with("progress")) // advances a collective in flight
    return "start";
  if (name.starts_with("wait"))
    return "wait";
  for (StringRef collective : {"all_reduce", "all_gather", "all_to_all", "reduce_scatter",
                               "broadcast", "collective_permute", "barrier", "local_barrier"})
    if (name.starts_with(collective))
      return name.contains("_start") ? "start" : "communicate";
  return "compute";
}

json::Object traceOf(Rank &rank) {
  using namespace std::chrono;
  // The offset from the steady clock to the wall clock.
  const int64_t shift = nanoseconds(system_clock::now().time_since_epoch()).count() -
                        nanoseconds(steady_clock::now().time_since_epoch()).count();
  json::Array totals, calls;
  for (const CallProfile &call : rank.instance().profile())
    totals.push_back(json::Array{call.name, static_cast<int64_t>(call.calls), call.milliseconds});
  for (const CallTime &time : rank.instance().lastCalls())
    calls.push_back(
        json::Array{static_cast<int64_t>(time.call), time.beginNs + shift, time.endNs + shift});
  return json::Object{{"rank", rank.rank()},
                      {"steps", rank.times().count()},
                      {"totals", std::move(totals)},
                      {"calls", std::move(calls)}};
}

namespace {
/// All calls of one name.
struct Operation {
  std::string name, implementation;
  int64_t calls = 0;
  double ms = 0;
};

struct Call {
  std::string name;
  int64_t rank, beginNs, endNs;
};

/// The traces of all ranks, by rank.
class Traces {
public:
  Traces(llvm::ArrayRef<json::Object> all, const TraceRequest &request) {
    for (const auto &[name, implementation] : request.libraryCalls)
      implementations[name] = implementation;
    for (const json::Object &trace : all)
      add(trace);
    llvm::stable_sort(calls, [](const Call &a, const Call &b) { return a.beginNs < b.beginNs; });
  }

  const std::vector<Call> &lastCalls() const { return calls; }
  int64_t numRanks() const { return ranks; }

  /// Returns the operations over all ranks and steps, the longest first.
  std::vector<Operation> operations() const {
    std::vector<Operation> all;
    for (const auto &[name, operation] : byName)
      all.push_back(operation);
    llvm::stable_sort(all, [](const Operation &a, const Operation &b) { return a.ms > b.ms; });
    return all;
  }

private:
  void add(const json::Object &trace) {
    const int64_t rank = trace.getInteger("rank").value_or(0);
    std::vector<std::string> names;
    for (const json::Value &total : *trace.getArray("totals")) {
      const json::Array &row = *total.getAsArray();
      names.push_back(row[0].getAsString().value_or("").str());
      Operation &operation = byName[names.back()];
      operation.name = names.back();
      operation.implementation = implementations[names.back()];
      operation.calls += row[1].getAsInteger().value_or(0);
      operation.ms += row[2].getAsNumber().value_or(0);
    }
    for (const json::Value &call : *trace.getArray("calls")) {
      const json::Array &row = *call.getAsArray();
      calls.push_back({names[row[0].getAsInteger().value_or(0)], rank,
                       row[1].getAsInteger().value_or(0), row[2].getAsInteger().value_or(0)});
    }
    ++ranks;
  }

  std::map<std::string, std::string> implementations;
  std::map<std::string, Operation> byName;
  std::vector<Call> calls;
  int64_t ranks = 0;
};
} // namespace

static Error writeTrace(const std::string &file, const Traces &traces) {
  json::Array events;
  // Perfetto takes process 0 for the idle process of a machine, and merges threads of one number.
  auto number = [](int64_t rank) { return rank + 1; };
  for (int64_t rank = 0; rank < traces.numRanks(); ++rank)
    for (const char *what : {"process_name", "thread_name"})
      events.push_back(
          json::Object{{"name", what},
                       {"ph", "M"},
                       {"pid", number(rank)},
                       {"tid", number(rank)},
                       {"args", json::Object{{"name", "rank " + std::to_string(rank)}}}});
  const int64_t first = traces.lastCalls().empty() ? 0 : traces.lastCalls().front().beginNs;
  for (const Call &call : traces.lastCalls())
    events.push_back(json::Object{{"name", call.name},
                                  {"cat", kindOfCall(call.name)},
                                  {"ph", "X"},
                                  {"pid", number(call.rank)},
                                  {"tid", number(call.rank)},
                                  {"ts", double(call.beginNs - first) * 1e-3},
                                  {"dur", double(call.endNs - call.beginNs) * 1e-3}});
  json::Object trace{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}};
  return writeFileAtomically(file, [&](llvm::raw_ostream &out) {
    out << llvm::formatv("{0}\n", json::Value(std::move(trace)));
  });
}

/// Returns a table of the usual form of profilers, the longest operation first.
static std::string tableOf(llvm::ArrayRef<Operation> operations) {
  constexpr size_t most = 40;
  double all = 0;
  for (const Operation &operation : operations)
    all += operation.ms;
  std::string text = llvm::formatv("{0,-44} {1,-11} {2,7} {3,12} {4,12} {5,9}", "Name", "Kind",
                                   "Time %", "Time total", "Time avg", "# Calls")
                         .str();
  for (const Operation &operation : operations.take_front(most)) {
    std::string name = operation.name;
    if (!operation.implementation.empty())
      name += " (" + operation.implementation + ")";
    text +=
        llvm::formatv("\n{0,-44} {1,-11} {2,6:f1}% {3,9:f3} ms {4,9:f3} us {5,9}",
                      StringRef(name).take_front(44), kindOfCall(operation.name),
                      all > 0 ? 100 * operation.ms / all : 0, operation.ms,
                      operation.calls ? 1e3 * operation.ms / operation.calls : 0, operation.calls)
            .str();
  }
  if (operations.size() > most)
    text += llvm::formatv("\n.. and {0} others", operations.size() - most).str();
  return text;
}

static json::Object operationsToJson(llvm::ArrayRef<Operation> operations) {
  json::Array rows;
  for (const Operation &operation : operations)
    rows.push_back(json::Object{{"name", operation.name},
                                {"kind", kindOfCall(operation.name)},
                                {"implementation", operation.implementation},
                                {"calls", operation.calls},
                                {"ms", operation.ms}});
  return json::Object{{"operations", std::move(rows)}};
}

static json::Object timelineToJson(const Traces &traces) {
  constexpr size_t most = 20000; // enough for a report that a person reads
  json::Array rows;
  const int64_t first = traces.lastCalls().empty() ? 0 : traces.lastCalls().front().beginNs;
  for (const Call &call : llvm::ArrayRef(traces.lastCalls()).take_front(most))
    rows.push_back(json::Array{call.rank, kindOfCall(call.name), call.name, call.beginNs - first,
                               call.endNs - first});
  return json::Object{{"ranks", traces.numRanks()}, {"calls_ns", std::move(rows)}};
}

Error tellTrace(const TraceRequest &request, World &world, Report &report,
                std::vector<json::Object> ofRanks) {
  json::Array mine;
  for (json::Object &trace : ofRanks)
    mine.push_back(std::move(trace));
  auto texts = world.gatherOfProcesses(llvm::formatv("{0}", json::Value(std::move(mine))).str());
  if (!texts)
    return texts.takeError();
  if (!world.hasRoot())
    return Error::success();
  std::vector<json::Object> all;
  for (const std::string &text : *texts) {
    auto parsed = parseJson(text);
    if (!parsed)
      return parsed.takeError();
    for (json::Value &trace : *parsed->getAsArray())
      if (json::Object *object = trace.getAsObject(); object && object->getArray("totals"))
        all.push_back(std::move(*object));
  }
  const Traces traces(all, request);
  const std::vector<Operation> operations = traces.operations();
  report.logOnly("timeline", timelineToJson(traces));
  if (request.asTable)
    report.fact("operations", tableOf(operations), operationsToJson(operations));
  else
    report.logOnly("operations", operationsToJson(operations));
  if (request.file.empty())
    return Error::success();
  if (Error error = writeTrace(request.file, traces))
    return error;
  report.fact("traced", "wrote '" + request.file + "': the last step of every rank, for Perfetto",
              json::Object{{"file", request.file}});
  return Error::success();
}

} // namespace ds
