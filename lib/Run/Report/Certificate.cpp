//===- Certificate.cpp - A verdict that others can replay -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeds are text in JSON, because JSON numbers need not hold 64 bits.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Report/Certificate.h"

#include "ds/Exact/PrimeField.h"
#include "ds/Support/File.h"
#include "ds/Support/Nesting.h"
#include "ds/Support/Seal.h"
#include "ds/Support/UserError.h"
#include "ds/Support/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {

constexpr const char *claim =
    "Both programs ran over the integers modulo each prime, where nothing rounds, on elements that "
    "its seed draws, every function that is not rational being one that the seed draws. All "
    "elements of parameters, states, metrics and results agree. Where no comparison decides an "
    "element, two programs that are not the same quotient of polynomials in the inputs and these "
    "functions agree in it after the first step for at most degree / prime of all draws (Schwartz "
    "1980, Zippel 1979).";

const char *nameOf(Equivalence::Verdict verdict) {
  switch (verdict) {
  case Equivalence::Verdict::equal:
    return "equal";
  case Equivalence::Verdict::different:
    return "different";
  case Equivalence::Verdict::undecided:
    return "undecided";
  }
  llvm_unreachable("all verdicts are covered");
}

llvm::json::Object objectOf(const std::map<std::string, std::string> &texts) {
  llvm::json::Object object;
  for (const auto &[key, text] : texts)
    object[key] = text;
  return object;
}

/// Parses a certificate; keeps the first mistake.
class Reader {
public:
  explicit Reader(StringRef path) : path(path) {}

  Expected<Certificate> read(const llvm::json::Value &value) {
    Certificate certificate;
    if (!value.getAsObject())
      return refuse("it is no JSON object");
    llvm::json::Object unsealed = *value.getAsObject();
    const llvm::json::Object *root = &unsealed;
    if (std::string version = text(*root, "ds"); problem.empty() && version != DS_VERSION_STRING)
      return refuse("it was written by ds " + version + ", and this is ds " DS_VERSION_STRING);
    if (Error error = unsealJson(unsealed))
      return refuse("it " + llvm::toString(std::move(error)));
    certificate.configuration = texts(*root, "configuration");
    certificate.hashes = texts(*root, "hashes");
    for (const char *key : {"step", "distributed", "oneDevice", "plan"})
      if (problem.empty() && !certificate.hashes.count(key))
        problem = "'hashes' has no '" + std::string(key) + "'";
    Equivalence &found = certificate.found;
    found.ranks = number(*root, "ranks");
    found.steps = number(*root, "steps");
    found.elements = number(*root, "elements");
    std::string verdict = text(*root, "verdict");
    found.verdict =
        verdict == "equal" ? Equivalence::Verdict::equal : Equivalence::Verdict::undecided;
    if (problem.empty() && verdict != "equal" && verdict != "undecided")
      problem = "'verdict' is '" + verdict + "', expected equal or undecided";
    if (found.verdict == Equivalence::Verdict::undecided)
      found.reason = text(*root, "undecided");
    if (const llvm::json::Array *names = array(*root, "opaque"))
      for (const llvm::json::Value &name : *names) {
        if (!name.getAsString())
          expected("opaque", "a list of names");
        found.opaque.insert(name.getAsString().value_or("").str());
      }
    if (const llvm::json::Array *runs = array(*root, "runs")) {
      for (const llvm::json::Value &value : *runs)
        readRun(value.getAsObject(), found);
      if (runs->empty())
        expected("runs", "a prime and a seed at least");
    }
    if (problem.empty())
      checkKeys(certificate);
    if (!problem.empty())
      return refuse(problem);
    certificate.text = std::move(unsealed);
    return certificate;
  }

  Error refuse(const Twine &what) const {
    return userError("'" + path + "' is no certificate that holds here: " + what);
  }

private:
  void expected(StringRef key, StringRef what) {
    if (problem.empty())
      problem = ("'" + key + "' holds something else, expected " + what).str();
  }
  const llvm::json::Value *get(const llvm::json::Object &object, StringRef key) {
    const llvm::json::Value *value = object.get(key);
    if (!value && problem.empty())
      problem = ("'" + key + "' is missing").str();
    return value;
  }
  std::string text(const llvm::json::Object &object, StringRef key) {
    const llvm::json::Value *value = get(object, key);
    if (value && !value->getAsString())
      expected(key, "a text");
    return value ? value->getAsString().value_or("").str() : "";
  }
  int64_t number(const llvm::json::Object &object, StringRef key) {
    const llvm::json::Value *value = get(object, key);
    std::optional<int64_t> found = value ? value->getAsInteger() : std::nullopt;
    if (value && (!found || *found < 1))
      expected(key, "a positive integer");
    return found.value_or(0);
  }
  const llvm::json::Array *array(const llvm::json::Object &object, StringRef key) {
    const llvm::json::Value *value = get(object, key);
    if (value && !value->getAsArray())
      expected(key, "a list");
    return value ? value->getAsArray() : nullptr;
  }
  std::map<std::string, std::string> texts(const llvm::json::Object &object, StringRef key) {
    std::map<std::string, std::string> found;
    const llvm::json::Value *value = get(object, key);
    if (value && !value->getAsObject())
      expected(key, "an object of texts");
    if (value && value->getAsObject())
      for (const auto &[name, each] : *value->getAsObject())
        found[StringRef(name).str()] = text(*value->getAsObject(), name);
    return found;
  }
  void readRun(const llvm::json::Object *run, Equivalence &found) {
    if (!run)
      return expected("runs", "a list of objects");
    int64_t prime = number(*run, "prime");
    uint64_t seed = 0;
    if (StringRef(text(*run, "seed")).getAsInteger(10, seed))
      expected("seed", "an integer in quotes");
    if (prime != PrimeField::firstPrime && prime != PrimeField::secondPrime)
      expected("prime", std::to_string(PrimeField::firstPrime) + " or " +
                            std::to_string(PrimeField::secondPrime));
    if (llvm::any_of(found.runs, [&](const FieldRun &other) { return other.prime == prime; }))
      expected("runs", "one run modulo each prime, as --certificate writes them");
    found.runs.push_back({prime, seed});
  }
  /// A certificate may come from an untrusted source, and --verify runs with its configuration.
  void checkKeys(const Certificate &certificate) {
    for (const std::string &key : Certificate::keysThatWrite())
      if (certificate.configuration.count(key))
        problem = "its configuration has '" + key + "', which names a file to write";
  }

  StringRef path;
  std::string problem;
};

} // namespace

double Equivalence::probability() const {
  double all = 1;
  for (const FieldRun &run : runs)
    all *= std::min(1.0, degree / run.prime);
  return all;
}

llvm::json::Object Certificate::toJson() const {
  llvm::json::Array runs, opaque;
  for (const FieldRun &run : found.runs)
    runs.push_back(llvm::json::Object{{"prime", run.prime}, {"seed", std::to_string(run.seed)}});
  for (const std::string &name : found.opaque)
    opaque.push_back(name);
  llvm::json::Object root{{"ds", DS_VERSION_STRING},
                          {"verdict", nameOf(found.verdict)},
                          {"claim", claim},
                          {"ranks", found.ranks},
                          {"steps", found.steps},
                          {"elements", found.elements},
                          {"probability", found.probability()},
                          {"runs", std::move(runs)},
                          {"opaque", std::move(opaque)},
                          {"configuration", objectOf(configuration)},
                          {"hashes", objectOf(hashes)}};
  root["degree"] = std::isfinite(found.degree) ? llvm::json::Value(found.degree) : nullptr;
  if (found.verdict == Equivalence::Verdict::undecided)
    root["undecided"] = found.reason;
  return root;
}

Expected<Certificate> Certificate::read(StringRef path) {
  auto text = openText(path);
  if (!text)
    return text.takeError();
  Reader reader(path);
  auto value = parseJson((*text)->getBuffer());
  if (!value)
    return reader.refuse(llvm::toString(value.takeError()));
  return reader.read(*value);
}

Error Certificate::write(StringRef path) const { return writeSealedJson(path, toJson()); }

const std::vector<std::string> &Certificate::keysThatWrite() {
  static const std::vector<std::string> keys = {"strategy_ckpt_save_file"};
  return keys;
}

std::vector<std::string> Certificate::assignments() const {
  std::vector<std::string> all;
  for (const auto &[key, text] : configuration)
    all.push_back(key + "=" + text);
  return all;
}

static Error another(StringRef path, const Twine &what, const Twine &is, const Twine &was) {
  return userError("'" + path + "' does not certify this run: " + what + " is " + is +
                   ", the certificate has " + was);
}

Error compareInputs(StringRef path, const Certificate &certified, const Certificate &again) {
  auto compareHash = [&](const char *key, const char *what) {
    StringRef is = again.hashes.at(key), was = certified.hashes.at(key);
    return is == was ? Error::success()
                     : another(path, what, "one with SHA-256 " + is.take_front(12) + "..",
                               "one with " + was.take_front(12) + "..");
  };
  auto valueIn = [](const Certificate &certificate, const std::string &key) {
    auto found = certificate.configuration.find(key);
    return found == certificate.configuration.end() ? "not set" : found->second;
  };
  if (Error error = compareHash("step", "the step"))
    return error;
  for (const Certificate *one : {&certified, &again})
    for (const auto &[key, text] : one->configuration)
      if (std::string is = valueIn(again, key), was = valueIn(certified, key); is != was)
        return another(path, "'" + key + "'", is, was);
  for (auto [key, what] : {std::pair("plan", "the plan of divisions, collectives and buckets"),
                           std::pair("distributed", "the step of a rank"),
                           std::pair("oneDevice", "the step on one device")})
    if (Error error = compareHash(key, what))
      return error;
  return Error::success();
}

Error compareResults(StringRef path, const Certificate &certified, const Certificate &again) {
  const Equivalence &is = again.found, &was = certified.found;
  if (is.verdict != was.verdict)
    return another(path, "the verdict", nameOf(is.verdict), nameOf(was.verdict));
  if (is.ranks != was.ranks)
    return another(path, "the number of ranks", Twine(is.ranks), Twine(was.ranks));
  if (is.elements != was.elements)
    return another(path, "the number of elements that were compared", Twine(is.elements),
                   Twine(was.elements));
  if (is.opaque != was.opaque)
    return another(path, "what was read as an arbitrary function", llvm::join(is.opaque, ", "),
                   llvm::join(was.opaque, ", "));
  // All other contents of a certificate have to equal what this run would write, to the last digit.
  const llvm::json::Object now = again.toJson();
  auto textIn = [](const llvm::json::Object &object, StringRef key) {
    const llvm::json::Value *value = object.get(key);
    return value ? llvm::formatv("{0}", *value).str() : "missing";
  };
  for (const llvm::json::Object *one : {&certified.text, &now})
    for (const auto &member : *one) {
      StringRef key = member.first;
      if (std::string is = textIn(now, key), was = textIn(certified.text, key); is != was)
        return another(path, "'" + key + "'", is, was);
    }
  return Error::success();
}

} // namespace ds
