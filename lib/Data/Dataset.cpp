//===- Dataset.cpp - Files as the batches of a step -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file's array is read as [outer, samples, inner] around the batch dimension; a sample is `outer`
// runs of `inner` elements. All checks happen at load time, so that training cannot fail on data.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Dataset.h"

#include "ds/Data/Checksum.h"
#include "ds/Data/FileMap.h"
#include "ds/Data/IndexCheck.h"
#include "ds/Support/File.h"
#include "ds/Support/Suggestion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FormatVariadic.h"

namespace ds {

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static Error dataError(const Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
}

static Error columnError(const ArgumentSpec &argument, StringRef file, const Twine &what) {
  return dataError("data for '" + argument.name + "' from '" + file + "': " + what);
}

/// Loads the rows of one file, and checks them alone.
Expected<Dataset::Piece> Dataset::loadPiece(const std::string &file, const DataSource &source,
                                            const ArgumentSpec &argument, Look look) {
  Expected<Array> array =
      source.array ? Expected<Array>(*source.array) : readArray(file, source.key, argument.name);
  if (!array)
    return array.takeError();
  auto fail = [&](const Twine &what) { return columnError(argument, file, what); };

  size_t dim = *argument.batchDim;
  if (source.reshape) {
    if (dim != 0 || array->shape.empty())
      return fail("reshape needs samples along the first dimension");
    int64_t count = array->shape[0], got = array->elements();
    // A person typed the requested shape: its product may overflow.
    std::optional<int64_t> wanted = checkedByteSize(*source.reshape, DataType::u8);
    if (!wanted || (count != 0 && got / count != *wanted))
      return fail("a sample has shape " + shapeToString(ArrayRef(array->shape).drop_front()) +
                  ", which reshape=" + shapeToString(*source.reshape) + " does not fit");
    array->shape.assign(1, count);
    array->shape.insert(array->shape.end(), source.reshape->begin(), source.reshape->end());
  }
  std::vector<int64_t> expected = argument.shape;
  bool matches = array->shape.size() == expected.size();
  for (size_t i = 0; matches && i < expected.size(); ++i)
    matches = i == dim || array->shape[i] == expected[i];
  if (!matches) {
    std::string wanted;
    std::vector<int64_t> sample;
    for (size_t i = 0; i < expected.size(); ++i) {
      wanted += (i ? "x" : "") + (i == dim ? std::string("N") : std::to_string(expected[i]));
      if (i != dim)
        sample.push_back(expected[i]);
    }
    // Suggest the reshape that would fit.
    std::string advice;
    if (dim == 0 && !array->shape.empty() && !sample.empty() &&
        elementCount(array->shape) == array->shape[0] * elementCount(sample))
      advice = "; ':reshape=" + shapeToString(sample) + "' would make it fit";
    return fail("got shape " + shapeToString(array->shape) + ", expected " + wanted + advice);
  }
  if (array->shape[dim] == 0)
    return fail("there are no samples");
  bool checksLater = array->mapped && look == Look::whenUsed;
  auto converter =
      Converter::create(*array, argument.type, source.scale, argument.isUnsigned, checksLater);
  if (!converter)
    return fail(llvm::toString(converter.takeError()));
  return Piece{std::move(*converter), *array, file, 0, array->shape[dim], !checksLater};
}

Expected<Dataset::Column> Dataset::loadColumn(const DataSource &source,
                                              const ArgumentSpec &argument, Look look,
                                              int64_t &samples) {
  auto files = source.array ? Expected<std::vector<std::string>>(std::vector{source.file})
                            : filesOf(source.file);
  if (!files)
    return files.takeError();
  auto fail = [&](const Twine &what) { return columnError(argument, source.file, what); };
  size_t dim = *argument.batchDim;
  if (files->size() > 1 && (dim != 0 || argument.apart))
    return fail("several files need samples along the first dimension, the entries of each "
                "together");
  Column column;
  int64_t rows = 0;
  for (const std::string &file : *files) {
    auto piece = loadPiece(file, source, argument, look);
    if (!piece)
      return piece.takeError();
    piece->firstRow = rows;
    rows += piece->rows;
    column.pieces.push_back(std::move(*piece));
  }
  if (argument.entries == 0 && rows != argument.shape[dim])
    return fail("got " + Twine(rows) + " rows, expected " + Twine(argument.shape[dim]) +
                ", which is no multiple of the samples of a step, so every step takes all of them");
  if (argument.entries > 1 && rows % argument.entries != 0)
    return fail("got " + Twine(rows) + " rows, expected a multiple of " + Twine(argument.entries) +
                ", which a step takes for each sample");
  samples = argument.entries == 0 ? 0 : rows / argument.entries;
  column.elementSize = byteSize(argument.type);
  column.entries = argument.entries;
  column.apart = argument.apart;
  column.rows = rows;
  for (size_t i = 0; i < argument.shape.size(); ++i)
    if (i != dim)
      (i < dim ? column.outer : column.inner) *= argument.shape[i];
  return column;
}

/// Returns the piece with the row.
const Dataset::Piece &Dataset::Column::pieceOf(int64_t row) const {
  auto next = llvm::upper_bound(
      pieces, row, [](int64_t row, const Piece &piece) { return row < piece.firstRow; });
  return *std::prev(next);
}

Dataset::Column Dataset::equalWeights(const ArgumentSpec &argument) {
  double one = 1;
  Column column;
  column.pieces.emplace_back().converter = llvm::cantFail(
      Converter::create(Array::copy(DataType::f64, {1}, &one), argument.type, std::nullopt));
  column.elementSize = byteSize(argument.type);
  column.same = true;
  return column;
}

Expected<Dataset> Dataset::load(const std::vector<DataSource> &sources,
                                const std::vector<ArgumentSpec> &arguments, Look look) {
  std::vector<std::string> names;
  for (const ArgumentSpec &argument : arguments)
    names.push_back(argument.name);
  for (const DataSource &source : sources)
    if (!llvm::is_contained(names, source.argument))
      return dataError(
          "data is given for '" + source.argument + "', which is no batch argument" +
          (names.empty() ? std::string() : " of the step (" + llvm::join(names, ", ") + ")") +
          suggestion(source.argument, names));
  std::string missing;
  Dataset dataset;
  Part columns;
  std::string first;
  for (const ArgumentSpec &argument : arguments) {
    auto source = llvm::find_if(
        sources, [&](const DataSource &source) { return source.argument == argument.name; });
    if (source == sources.end() && argument.isWeight) {
      columns.emplace(argument.name, equalWeights(argument));
      continue;
    }
    if (source == sources.end()) {
      missing += (missing.empty() ? "'" : ", '") + argument.name + "'";
      continue;
    }
    int64_t samples = 0;
    auto column = loadColumn(*source, argument, look, samples);
    if (!column)
      return column.takeError();
    if (argument.entries != 0 && first.empty()) {
      first = argument.name;
      dataset.numSamples = samples;
    } else if (argument.entries != 0 && samples != dataset.numSamples) {
      return dataError("'" + argument.name + "' has " + Twine(samples) + " samples, but '" + first +
                       "' has " + Twine(dataset.numSamples));
    }
    columns.emplace(argument.name, std::move(*column));
  }
  if (!missing.empty())
    return dataError("no data is given for the batch argument " + missing);
  dataset.parts.push_back(std::move(columns));
  return dataset;
}

Expected<Dataset> Dataset::join(std::vector<std::optional<Dataset>> ofRanks) {
  Dataset joined;
  for (const std::optional<Dataset> &dataset : ofRanks)
    joined.checksIndices |= dataset && dataset->checksIndices;
  std::optional<size_t> first;
  for (auto [rank, dataset] : llvm::enumerate(ofRanks)) {
    Part &part = joined.parts.emplace_back();
    if (!dataset)
      continue;
    if (!first) {
      first = rank;
      joined.numSamples = dataset->numSamples;
    } else if (dataset->numSamples != joined.numSamples) {
      return dataError("every rank brings as many samples as the others, but rank " + Twine(rank) +
                       " has files with " + Twine(dataset->numSamples) + " and rank " +
                       Twine(*first) + " with " + Twine(joined.numSamples));
    }
    part = std::move(dataset->parts.front());
  }
  return joined;
}

/// Hashes up to 64 blocks of 16 KiB.
static std::string hashOf(const Array &array, int64_t bytes) {
  constexpr int64_t blocks = 64, blockBytes = 16 << 10;
  llvm::BLAKE3 hasher;
  hasher.update(shapeToString(array.shape) + " " + toString(array.type) + "\n");
  if (bytes <= blocks * blockBytes)
    hasher.update(llvm::ArrayRef(array.data, static_cast<size_t>(bytes)));
  else
    for (int64_t i = 0; i < blocks; ++i) // including the first and the last bytes
      hasher.update(llvm::ArrayRef(array.data + (bytes - blockBytes) * i / (blocks - 1),
                                   static_cast<size_t>(blockBytes)));
  return llvm::toHex(hasher.final<8>(), /*LowerCase=*/true);
}

std::vector<std::pair<std::string, std::string>> Dataset::arrayHashes() const {
  std::vector<std::pair<std::string, std::string>> hashes;
  for (const auto &[name, column] : parts.front())
    for (const Piece &piece : column.pieces)
      if (!column.same)
        hashes.emplace_back(name, hashOf(piece.source, piece.source.bytes()));
  return hashes;
}

std::string Dataset::contentHash() const {
  llvm::BLAKE3 hasher;
  for (const auto &[name, column] : parts.front())
    for (const Piece &piece : column.pieces)
      hasher.update(name + " " + hashOf(piece.source, column.same ? 0 : piece.source.bytes()) +
                    "\n");
  return llvm::toHex(hasher.final<8>(), /*LowerCase=*/true);
}

/// Returns `sample 3`, or `entry 2 of sample 3`.
static std::string describeRow(const ArgumentSpec &argument, int64_t row, int64_t samples) {
  if (argument.entries == 0)
    return "row " + std::to_string(row);
  if (argument.entries == 1)
    return "sample " + std::to_string(row);
  int64_t sample = argument.apart ? row % samples : row / argument.entries;
  int64_t entry = argument.apart ? row / samples : row % argument.entries;
  return "entry " + std::to_string(entry) + " of sample " + std::to_string(sample);
}

std::string Dataset::fingerprint() const {
  Checksum sum;
  for (const auto &[name, column] : parts.front()) {
    if (column.same)
      continue;
    if (const std::optional<Scale> &scale = column.pieces.front().converter.scaling())
      sum.add(
          llvm::formatv("{0} times {1:e17} / {2:e17}", name, scale->numerator, scale->denominator)
              .str());
    for (const Piece &piece : column.pieces)
      if (piece.isChecked)
        sum.add(name, piece.source);
      else
        sum.add(name + " " + hashOf(piece.source, piece.source.bytes()));
  }
  return sum.digits();
}

std::vector<std::string> Dataset::describeRawBytes() const {
  constexpr uint8_t brightest = 128; // classes and flags are smaller
  constexpr int64_t firstBytes = 1 << 20;
  std::vector<std::string> sentences;
  for (const Part &part : parts)
    for (const auto &[name, column] : part) {
      const Piece &piece = column.pieces.front();
      const Array &array = piece.source;
      if (column.same || array.type != DataType::u8 || !piece.converter.makesFloats() ||
          piece.converter.scaling())
        continue;
      int64_t seen = piece.isChecked ? array.bytes() : std::min(array.bytes(), firstBytes);
      uint8_t most = *std::max_element(array.data, array.data + seen);
      if (most >= brightest)
        sentences.push_back(
            llvm::formatv("data for '{0}' from '{1}': bytes up to {2} become floats as they are; "
                          "':scale=1/255' would make them 0 to 1",
                          name, piece.file, unsigned(most)));
    }
  return sentences;
}

std::vector<std::string> Dataset::findOutOfRange(ArrayRef<ArgumentSpec> arguments) const {
  std::vector<std::string> sentences;
  for (const Part &part : parts)
    for (const ArgumentSpec &argument : arguments) {
      auto entry = part.find(argument.name);
      if (!argument.indexRange || entry == part.end())
        continue;
      const Column &column = entry->second;
      for (const Piece &piece : column.pieces) {
        int64_t elements = piece.source.elements();
        if (!piece.isChecked)
          continue;
        auto found = ds::findOutOfRange(piece.converter, 0, elements, argument);
        if (!found)
          continue;
        int64_t row = piece.firstRow + found->element / column.inner % piece.rows;
        sentences.push_back("data for '" + argument.name + "' from '" + piece.file +
                            "': " + describeRow(argument, row, numSamples) + " holds " +
                            describeOutOfRange(*found, elements, *argument.indexRange));
        break;
      }
    }
  return sentences;
}

/// Returns the position of a row in the file of `samples` samples.
int64_t Dataset::rowOf(const Column &column, const DataEntry &entry, int64_t samples) {
  if (column.entries == 0)
    return entry.entry % column.rows;
  return column.apart ? entry.entry * samples + entry.sample
                      : entry.sample * column.entries + entry.entry;
}

Error Dataset::checkRows(const ArgumentSpec &argument, ArrayRef<DataEntry> entries) const {
  const int64_t samples = std::max<int64_t>(numSamples, 1);
  llvm::SmallPtrSet<const FileMap *, 4> files;
  for (const DataEntry &entry : entries) {
    const Part &part = parts[entry.sample / samples];
    auto found = part.find(argument.name);
    if (found == part.end() || found->second.same)
      continue;
    const Column &column = found->second;
    int64_t row = rowOf(column, {entry.sample % samples, entry.entry}, samples);
    const Piece &piece = column.pieceOf(row);
    if (piece.source.mapped && files.insert(piece.source.mapped).second)
      if (Error error = piece.source.mapped->check())
        return error;
    if (piece.isChecked)
      continue;
    auto fail = [&](const Twine &what) { return columnError(argument, piece.file, what); };
    for (int64_t outer = 0; outer < column.outer; ++outer) {
      int64_t first = (outer * piece.rows + row - piece.firstRow) * column.inner;
      if (auto unfit = piece.converter.firstUnfit(first, column.inner))
        return fail(piece.converter.describeUnfit(*unfit));
      if (!argument.indexRange || !checksIndices)
        continue;
      if (auto wrong = ds::findOutOfRange(piece.converter, first, column.inner, argument)) {
        wrong->count = 1;
        return fail(describeRow(argument, row, numSamples) + " holds " +
                    describeOutOfRange(*wrong, column.inner, *argument.indexRange) +
                    " (--on-index=warn trains nevertheless)");
      }
    }
  }
  return Error::success();
}

void Dataset::gather(StringRef argument, ArrayRef<int64_t> samples, void *target) const {
  auto entries = llvm::map_to_vector(samples, [](int64_t sample) { return DataEntry{sample, 0}; });
  gatherEntries(argument, entries, target);
}

void Dataset::gatherEntries(StringRef argument, ArrayRef<DataEntry> entries, void *target) const {
  std::vector<const Column *> columns; // by rank
  for (const Part &part : parts) {
    auto found = part.find(argument);
    columns.push_back(found == part.end() ? nullptr : &found->second);
  }
  const Column &any = **llvm::find_if(columns, [](const Column *column) { return column; });
  auto *bytes = static_cast<uint8_t *>(target);
  const int64_t samples = std::max<int64_t>(numSamples, 1); // 0: only rows that are not samples
  for (int64_t outer = 0; outer < any.outer; ++outer)
    for (const DataEntry &entry : entries) {
      const Column &column = *columns[entry.sample / samples];
      DataEntry own{entry.sample % samples, entry.entry};
      int64_t row = column.same ? 0 : rowOf(column, own, samples);
      const Piece &piece = column.pieceOf(row);
      int64_t first = (outer * piece.rows + row - piece.firstRow) * column.inner;
      piece.converter.convert(column.same ? 0 : first, column.inner, bytes);
      bytes += column.inner * column.elementSize;
    }
}

} // namespace ds
