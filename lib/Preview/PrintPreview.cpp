//===- PrintPreview.cpp - A plan for people and for programs --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers of a model are alike, and so are the lines about them: lines that differ only in the
// numbers of a name are merged into one.
//
//===----------------------------------------------------------------------===//
#include "ds/Dialect/IR/Precision.h"
#include "ds/Preview/StepPreview.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Run/Report/BucketReport.h"
#include "ds/Support/Memory.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

namespace ds {

using llvm::formatv;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static std::string milliseconds(int64_t ns) { return formatv("{0:F3}", ns / 1e6).str(); }

static std::string typeOf(const ArgumentSpec &argument, const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + toString(argument.type);
}

static int64_t heldBytes(const ArgumentSpec &argument) {
  return elementCount(argument.shape) * byteSize(argument.type);
}

std::string describeSharding(const Manifest &manifest, const ArgumentSpec &argument) {
  using Axes = std::vector<const AxisSpec *>;
  std::vector<Axes> dims(argument.shape.size());
  // A shard index also counts the blocks made by axes before its own in the mesh.
  for (const auto &[axis, layout] : llvm::reverse(argument.shards)) {
    if (dims.empty())
      break; // a scalar with one sample each
    Axes &own = dims[layout.dim];
    auto at = own.begin();
    if (axis > 0)
      for (int64_t blocks = 1; at != own.end() && blocks < layout.a; ++at)
        blocks *= (*at)->size;
    own.insert(at, &manifest.axes[axis]);
  }
  std::string text;
  bool sharded = false;
  for (const Axes &own : dims) {
    text += text.empty() ? "{" : ", {";
    for (size_t i = 0; i < own.size(); ++i)
      text += (i ? ", \"" : "\"") + own[i]->name + "\"";
    text += "}";
    sharded |= !own.empty();
  }
  return sharded ? "[" + text + "]" : "";
}

/// Replaces the numbers in a name: `layer*.q`.
static std::string patternOf(StringRef name) {
  std::string text;
  for (char c : name)
    if (!llvm::isDigit(c))
      text += c;
    else if (text.empty() || text.back() != '*')
      text += '*';
  return text;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

namespace {
/// Columns are as wide as their widest text; the first `left` of them are left-aligned.
class Table {
public:
  Table(std::vector<std::string> heads, size_t left) : left(left) { rows.push_back(heads); }
  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }

  void print(llvm::raw_ostream &out) const {
    std::vector<size_t> widths(rows.front().size());
    for (const auto &row : rows)
      for (size_t i = 0; i < row.size(); ++i)
        widths[i] = std::max(widths[i], row[i].size());
    for (const auto &row : rows) {
      std::string line;
      for (size_t i = 0; i < row.size(); ++i) {
        line += "  ";
        std::string blanks(widths[i] - row[i].size(), ' ');
        line += i < left ? row[i] + blanks : blanks + row[i];
      }
      out << StringRef(line).rtrim() << "\n";
    }
  }

private:
  size_t left;
  std::vector<std::vector<std::string>> rows;
};
} // namespace

static void printRows(llvm::raw_ostream &out, const StepPreview &preview) {
  if (preview.rows.empty())
    return;
  Table table({"plan", "mesh", "ms per step", "lower bound", "arguments of a rank"}, 2);
  for (const PlanRow &row : preview.rows)
    table.add({row.name, row.mesh, row.timeNs ? milliseconds(*row.timeNs) : "-",
               row.boundNs ? milliseconds(*row.boundNs) : "-",
               row.heldBytes ? bytesToString(*row.heldBytes) : "-"});
  out << "\n";
  table.print(out);
}

static void printArguments(llvm::raw_ostream &out, const StepPreview &preview) {
  const Manifest &manifest = preview.manifest;
  struct Group {
    const ArgumentSpec *first;
    size_t count = 0;
  };
  llvm::MapVector<std::string, Group, std::map<std::string, unsigned>> groups;
  int64_t byRole[3] = {};
  for (const ArgumentSpec &argument : manifest.arguments) {
    if (argument.role == ArgumentRole::parameter)
      byRole[0] += heldBytes(argument);
    else if (argument.role == ArgumentRole::state)
      byRole[1] += heldBytes(argument);
    else if (argument.role == ArgumentRole::batch)
      byRole[2] += heldBytes(argument);
    else
      continue; // numbers occur everywhere
    std::string key = patternOf(argument.name) + "|" + toString(argument.role) +
                      typeOf(argument, argument.shape) + describeSharding(manifest, argument);
    Group &group = groups[key];
    group.first = group.count++ ? group.first : &argument;
  }
  out << "\na rank holds " << bytesToString(byRole[0]) << " of parameters, "
      << bytesToString(byRole[1]) << " of states, " << bytesToString(byRole[2]) << " of samples\n";
  Table table({"argument", "is a", "global", "sharded by", "of a rank", "bytes"}, 5);
  for (auto &[key, group] : groups) {
    const ArgumentSpec &argument = *group.first;
    std::string name = group.count > 1
                           ? patternOf(argument.name) + " (" + std::to_string(group.count) + ")"
                           : argument.name;
    std::string division = describeSharding(manifest, argument);
    table.add({name, toString(argument.role),
               typeOf(argument, wholeShape(manifest, argument, manifest.numRanks)),
               division.empty() ? "-" : division, typeOf(argument, argument.shape),
               bytesToString(heldBytes(argument) * int64_t(group.count))});
  }
  table.print(out);
}

static void printCollectives(llvm::raw_ostream &out, const StepPreview &preview) {
  struct Group {
    const CollectiveRow *first;
    size_t operations = 0;
    int64_t count = 0, bytes = 0, timeNs = 0;
  };
  llvm::MapVector<std::string, Group, std::map<std::string, unsigned>> groups;
  int64_t time = 0;
  for (const CollectiveRow &row : preview.collectives) {
    std::string key =
        row.operation + "|" + row.axes + "|" + std::to_string(row.bytes) + "|" + patternOf(row.of);
    Group &group = groups[key];
    group.first = group.operations++ ? group.first : &row;
    group.count += row.count;
    group.bytes += row.count * row.bytes;
    group.timeNs += row.timeNs;
    time += row.timeNs;
  }
  if (groups.empty()) {
    out << "\nno collectives\n";
    return;
  }
  out << "\nin each step ranks meet for " << milliseconds(time) << " ms\n";
  Table table({"collective", "over", "of", "first at", "times", "bytes each", "bytes", "ms"}, 4);
  for (auto &[key, group] : groups)
    table.add({group.first->operation, group.first->axes,
               group.operations > 1 ? patternOf(group.first->of) : group.first->of,
               group.first->place, std::to_string(group.count), bytesToString(group.first->bytes),
               bytesToString(group.bytes), milliseconds(group.timeNs)});
  table.print(out);
}

static void printBuckets(llvm::raw_ostream &out, const StepPreview &preview) {
  const std::optional<BucketFigures> &plan = preview.manifest.bucketPlan;
  if (!plan)
    return;
  out << "\n" << describeBuckets(*plan) << "\n";
  Table table({"buckets", "ms exposed"}, 1);
  table.add({"planned", milliseconds(plan->exposedPs / 1000)});
  table.add({"lower bound", milliseconds(plan->boundPs / 1000)});
  for (const auto &[name, exposedPs] : plan->presets)
    table.add({name, milliseconds(exposedPs / 1000)});
  table.print(out);
}

static void printExplained(llvm::raw_ostream &out, const StepPreview &preview) {
  for (auto &[asked, values] : preview.explained) {
    if (values.empty())
      out << "\n"
          << asked << ": no value of it is left to shard when the search begins, or no "
          << "axis after the first one has two ranks\n";
    for (const ValueOverAxis &value : values) {
      out << "\n"
          << asked << ", " << value.type << ", over '" << value.axis << "' (" << value.ranks
          << " ranks): the best plan that has it"
          << (preview.heldByte ? ", with the price of memory" : "") << "\n";
      Table table({"", "made", "ms per step"}, 2);
      for (const ExplainedCandidate &way : value.ways) {
        std::string cost = !way.timeNs ? "not possible"
                           : *way.timeNs == way.boundNs
                               ? milliseconds(*way.timeNs)
                               : milliseconds(way.boundNs) + " to " + milliseconds(*way.timeNs);
        table.add({way.isChosen ? "*" : "", way.how, cost});
      }
      table.print(out);
    }
  }
}

void printPreview(llvm::raw_ostream &out, const StepPreview &preview) {
  const Manifest &manifest = preview.manifest;
  if (manifest.plan)
    out << describePlan(manifest) << "\n";
  else if (manifest.numRanks == 1)
    out << "one rank: nothing is sharded\n";
  else
    out << manifest.mesh() << ", sharded as annotated\n";
  if (preview.roundsFactors)
    out << kRoundsFactors << "\n";
  printRows(out, preview);
  printArguments(out, preview);
  printCollectives(out, preview);
  printBuckets(out, preview);
  printExplained(out, preview);
  if (preview.check)
    out << "\n" << preview.check->text << "\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Value orNull(std::optional<int64_t> value) {
  return value ? json::Value(*value) : json::Value(nullptr);
}

static json::Array toJson(const std::vector<int64_t> &shape) {
  return json::Array(llvm::iterator_range(shape));
}

json::Object toJson(const StepPreview &preview) {
  const Manifest &manifest = preview.manifest;
  json::Array plans, arguments, collectives, explained;
  for (const PlanRow &row : preview.rows)
    plans.push_back(json::Object{{"name", row.name},
                                 {"mesh", row.mesh},
                                 {"time_ns", orNull(row.timeNs)},
                                 {"bound_ns", orNull(row.boundNs)},
                                 {"held_bytes", orNull(row.heldBytes)}});
  for (const ArgumentSpec &argument : manifest.arguments)
    arguments.push_back(
        json::Object{{"name", argument.name},
                     {"role", toString(argument.role)},
                     {"type", toString(argument.type)},
                     {"global_shape", toJson(wholeShape(manifest, argument, manifest.numRanks))},
                     {"local_shape", toJson(argument.shape)},
                     {"sharding", describeSharding(manifest, argument)},
                     {"held_bytes", heldBytes(argument)}});
  for (const CollectiveRow &row : preview.collectives)
    collectives.push_back(json::Object{{"operation", row.operation},
                                       {"over", row.axes},
                                       {"ranks", row.ranks},
                                       {"count", row.count},
                                       {"bytes", row.bytes},
                                       {"time_ns", row.timeNs},
                                       {"of", row.of},
                                       {"at", row.place}});
  for (auto &[asked, values] : preview.explained)
    for (const ValueOverAxis &value : values) {
      json::Array ways;
      for (const ExplainedCandidate &way : value.ways)
        ways.push_back(json::Object{{"made", way.how},
                                    {"chosen", way.isChosen},
                                    {"time_ns", orNull(way.timeNs)},
                                    {"bound_ns", way.timeNs ? json::Value(way.boundNs) : nullptr}});
      explained.push_back(json::Object{
          {"asked", asked}, {"over", value.axis}, {"type", value.type}, {"ways", std::move(ways)}});
    }
  json::Object object{{"ds_plan", 1},
                      {"mesh", manifest.mesh()},
                      {"ranks", manifest.numRanks},
                      {"plans", std::move(plans)},
                      {"arguments", std::move(arguments)},
                      {"collectives", std::move(collectives)},
                      {"explained", std::move(explained)}};
  if (preview.check)
    object["check"] = json::Object(preview.check->json);
  if (manifest.plan)
    object["figures"] = planToJson(*manifest.plan);
  if (manifest.bucketPlan)
    object["buckets"] = bucketsToJson(*manifest.bucketPlan);
  if (preview.roundsFactors)
    object["factors"] = "bf16";
  if (!preview.searchMode.empty())
    object["search_mode"] = preview.searchMode;
  return object;
}

} // namespace ds
