//===- Main.cpp - ds-run-bundle as a function -----------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Bundle/RunBundle.h"

#include "Session.h"

#include "ds/Run/Report/Report.h"
#include "ds/Target/OpenMPThreads.h"

namespace ds {

static llvm::Expected<int> run(const std::vector<std::string> &arguments) {
  omp_set_num_threads(1); // a rank is one thread, also inside oneDNN
  auto options = parseBundleOptions(arguments);
  if (!options)
    return options.takeError();
  auto session = Session::open(*options);
  if (!session)
    return session.takeError();
  return options->replay.empty() ? trainBundle(**session, *options)
                                 : replayBundle(**session, *options);
}

int runBundleMain(const std::vector<std::string> &arguments) {
  auto code = run(arguments);
  return code ? *code : answerWithError("ds-run-bundle", code.takeError(), /*json=*/false);
}

} // namespace ds
