//===- Dataset.h - Files as the batches of a step ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One column per batch argument: checked arrays, those of its files concatenated, whose batch
// dimension counts the samples, or holds several entries for each, and whose rows are read on
// demand. If every rank has files of its own, there is a part for each rank.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_DATASET_H
#define DS_DATA_DATASET_H

#include "ds/Data/Convert.h"
#include "ds/Data/DataSpec.h"

#include <map>

namespace ds {

/// One row of a column: an entry, by number, of a sample. In a column that every step takes whole,
/// the row alone.
struct DataEntry {
  int64_t sample = 0, entry = 0;
};

/// When the values of a mapped file are checked. Values of other files are always checked when they
/// are read.
enum class Look { now, whenUsed };

class Dataset {
public:
  /// Loads a source for each of `arguments` (their role is batch). Every source must be used and
  /// all must hold the same number of samples. Weights without a source are all one.
  static llvm::Expected<Dataset> load(const std::vector<DataSource> &sources,
                                      const std::vector<ArgumentSpec> &arguments,
                                      Look look = Look::now);

  /// Joins the files of all ranks, one after another: sample i of rank r is sample r * samples() +
  /// i. Those of ranks in other processes are missing.
  static llvm::Expected<Dataset> join(std::vector<std::optional<Dataset>> ofRanks);

  /// The samples of one rank's files.
  int64_t samples() const { return numSamples; }
  /// Identifies the files: a hash of up to 64 blocks of 16 KiB of each array. For one part alone.
  std::string contentHash() const;
  /// The same for each array that was read, by its argument.
  std::vector<std::pair<std::string, std::string>> arrayHashes() const;
  /// A hash of all that training reads from the files: every byte, and scales. For one part alone.
  std::string fingerprint() const;
  /// Returns a sentence for each argument whose floats are unscaled bytes, such as pixels from 0 to
  /// 255.
  std::vector<std::string> describeRawBytes() const;
  /// Sets whether checkRows also looks for values that the step cannot index with.
  void checkIndices(bool does) { checksIndices = does; }
  /// Reports an error in these rows that was not checked when the data was loaded, or in their
  /// file; none for files in memory.
  llvm::Error checkRows(const ArgumentSpec &argument, llvm::ArrayRef<DataEntry> entries) const;
  /// True if any file is mapped; otherwise checkRows has nothing to check.
  bool isMapped() const {
    return llvm::any_of(parts, [](const Part &part) {
      return llvm::any_of(part, [](const auto &column) {
        return llvm::any_of(column.second.pieces,
                            [](const Piece &piece) { return piece.source.mapped != nullptr; });
      });
    });
  }
  /// Returns a sentence for each argument, as loaded, that the step uses as an index and that holds
  /// values out of range.
  std::vector<std::string> findOutOfRange(llvm::ArrayRef<ArgumentSpec> arguments) const;
  /// Writes these rows of the argument, in this order, as its batch dimension.
  void gatherEntries(llvm::StringRef argument, llvm::ArrayRef<DataEntry> entries,
                     void *target) const;
  /// The same for samples of one entry each.
  void gather(llvm::StringRef argument, llvm::ArrayRef<int64_t> samples, void *target) const;

private:
  /// One file.
  struct Piece {
    Converter converter;
    Array source;
    std::string file;
    int64_t firstRow = 0, rows = 1; // of the column
    bool isChecked = true;          // else its rows are checked when they are used
  };
  struct Column {
    std::vector<Piece> pieces;
    int64_t outer = 1, inner = 1; // elements before and after the batch dimension
    int64_t elementSize = 1;
    int64_t entries = 1; // per sample; 0: every step takes all rows
    bool apart = false;  // the entries of a sample are apart
    int64_t rows = 1;    // along the batch dimension
    bool same = false;   // one element stands for every sample

    const Piece &pieceOf(int64_t row) const;
  };
  using Part = std::map<std::string, Column, std::less<>>;

  static llvm::Expected<Piece> loadPiece(const std::string &file, const DataSource &source,
                                         const ArgumentSpec &argument, Look look);
  static llvm::Expected<Column> loadColumn(const DataSource &source, const ArgumentSpec &argument,
                                           Look look, int64_t &samples);
  static int64_t rowOf(const Column &column, const DataEntry &entry, int64_t samples);
  static Column equalWeights(const ArgumentSpec &argument);

  std::vector<Part> parts; // empty for ranks in other processes
  int64_t numSamples = 0;  // of each part
  bool checksIndices = false;
};

} // namespace ds

#endif // DS_DATA_DATASET_H
