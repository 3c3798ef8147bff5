//===- Npy.h - NumPy's .npy and .npz ----------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npy versions 1 to 3, little and big endian, C and Fortran order, of numbers and booleans.
// Two-byte void elements (`V2`, or `bfloat16`) are bfloat16, which is how ml_dtypes writes it. An
// .npz is a zip of .npy members.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_NPY_H
#define DS_DATA_NPY_H

#include "ds/Data/Array.h"
#include "ds/Support/File.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace ds {

/// Parses one .npy image. `name` identifies it in messages; `owner` keeps `bytes` alive, because
/// the array is a view of them if the layout allows it.
llvm::Expected<Array> parseNpy(llvm::StringRef name, llvm::ArrayRef<uint8_t> bytes,
                               std::shared_ptr<const void> owner);
llvm::Expected<Array> readNpy(llvm::StringRef path);
/// The same for a file compressed by gzip.
llvm::Expected<Array> readNpyGz(llvm::StringRef path);
/// Returns the bytes before an array's data, padded to 64.
std::string npyHeader(const Array &array);

/// Random access to the members of an .npz; a member is inflated only when it is read.
class NpzReader {
public:
  static llvm::Expected<std::unique_ptr<NpzReader>> open(llvm::StringRef path);
  ~NpzReader();

  /// Returns the member names without `.npy`, in file order.
  const std::vector<std::string> &names() const;
  bool contains(llvm::StringRef name) const;
  llvm::Expected<Array> read(llvm::StringRef name) const;

  struct Impl;

private:
  explicit NpzReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

/// Writes the arrays uncompressed, as numpy.savez does, atomically.
llvm::Error writeNpz(llvm::StringRef path, const NamedArrays &arrays);

} // namespace ds

#endif // DS_DATA_NPY_H
