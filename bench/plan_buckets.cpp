//===- plan_buckets.cpp - planned buckets beside those of others -----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three networks, layer by layer, on the links of clusters: how much of the exchange of gradients
// the backward pass does not hide. Nothing is run; the cost model is that of a ring,
// T(S) = latency + 2 (n - 1) / n * S / bandwidth. A gradient is ready when its share of the
// backward pass's operations is done.
//
//===----------------------------------------------------------------------===//
#include "ds/Plan/BucketPresets.h"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>

using namespace ds;

namespace {

/// Layers from the last to the first, the order of the backward pass.
class Network {
public:
  Network(const char *name, double backwardMs, int64_t bytesPerElement)
      : name(name), backwardMs(backwardMs), bytesPerElement(bytesPerElement) {}

  /// A layer's parameters, in the order in which their gradients are ready, and its operations.
  void layer(double operations, std::vector<int64_t> elements) {
    layers.push_back({operations, std::move(elements)});
  }

  std::vector<ReadyGradient> gradients() const {
    double all = 0, done = 0;
    for (const Layer &layer : layers)
      all += layer.operations;
    std::vector<ReadyGradient> made;
    for (const Layer &layer : layers) {
      done += layer.operations;
      for (int64_t count : layer.elements)
        made.push_back(
            {count * bytesPerElement, static_cast<int64_t>(backwardMs * 1e9 * done / all), 0});
    }
    return made;
  }

  const char *name;

private:
  struct Layer {
    double operations;
    std::vector<int64_t> elements;
  };
  double backwardMs;
  int64_t bytesPerElement;
  std::vector<Layer> layers;
};

/// He et al., CVPR 2016, table 1: 161 parameters, 25.6 million elements.
Network resnet50() {
  struct Convolution {
    int64_t in, out, window, size;
  };
  std::vector<Convolution> forward = {{3, 64, 7, 112}};
  int64_t in = 64;
  const int64_t blocks[] = {3, 4, 6, 3};
  for (int64_t stage = 0; stage < 4; ++stage) {
    int64_t width = 64 << stage, size = 56 >> stage;
    for (int64_t block = 0; block < blocks[stage]; ++block) {
      int64_t before = block == 0 && stage > 0 ? 2 * size : size;
      forward.push_back({in, width, 1, before});
      forward.push_back({width, width, 3, size});
      forward.push_back({width, 4 * width, 1, size});
      if (block == 0)
        forward.push_back({in, 4 * width, 1, size});
      in = 4 * width;
    }
  }
  Network network("ResNet50", 34, 4);
  network.layer(2048.0 * 1000, {2048 * 1000, 1000});
  for (size_t i = forward.size(); i-- > 0;) {
    const Convolution &c = forward[i];
    int64_t weights = c.in * c.out * c.window * c.window;
    network.layer(double(weights) * c.size * c.size, {c.out, c.out, weights});
  }
  return network;
}

/// The layers of a transformer: products with weights of `d` features, and attention.
void transformer(Network &network, int64_t layers, int64_t d, int64_t length) {
  for (int64_t i = 0; i < layers; ++i) {
    network.layer(8.0 * d * d * length, {d * 4 * d, d, 4 * d * d, 4 * d});
    network.layer(0, {d, d});
    network.layer(4.0 * d * d * length + 2.0 * d * length * length,
                  {d * d, d, d * d, d, d * d, d, d * d, d});
    network.layer(0, {d, d});
  }
}

Network bertLarge() {
  Network network("BERT-large bf16", 27, 2);
  constexpr int64_t d = 1024, length = 128;
  network.layer(double(d) * d * length, {d * d, d, d, d}); // of the masked words
  transformer(network, 24, d, length);
  network.layer(0, {d, d, 2 * d, 512 * d, 30522 * d});
  return network;
}

/// Radford et al. 2019, with 124 million parameters: the head, whose weights are the embedding's,
/// comes first in the backward pass and its gradient is complete last.
Network gpt2() {
  Network network("GPT-2", 15, 4);
  constexpr int64_t d = 768, length = 1024;
  network.layer(50257.0 * d * length, {});
  transformer(network, 12, d, length);
  network.layer(0, {1024 * d, 50257 * d});
  return network;
}

struct Link {
  const char *name;
  double latencyUs, gigabytes;
  int64_t ranks;

  ChannelModel channel() const {
    double psPerByte = 1000 / gigabytes * 2 * double(ranks - 1) / double(ranks);
    return ChannelModel::affine(static_cast<int64_t>(latencyUs * 1e6),
                                static_cast<int64_t>(psPerByte * 1024));
  }
};
constexpr Link infiniband = {"64 ranks, 400 Gb", 120, 45, 64};
constexpr Link ethernet100 = {"16 ranks, 100 GbE", 250, 11, 16};
constexpr Link ethernet25 = {"16 ranks, 25 GbE", 500, 2.8, 16};

double ms(int64_t picoseconds) { return static_cast<double>(picoseconds) * 1e-9; }

void printRow(const Network &network, const Link &link) {
  StepTimeline step;
  step.gradients = network.gradients();
  step.computeEnds = step.gradients.back().ready;
  BucketCertificate certificate = certifyBuckets(step, link.channel(), link.ranks);
  std::printf("| %s, %s |", network.name, link.name);
  for (const auto &[preset, schedule] : certificate.presets)
    std::printf(" %.2f (%zu) |", ms(certificate.exposed(schedule.finish)), schedule.ends.size());
  std::printf(" **%.2f** (%zu) | %.2f |\n", ms(certificate.exposed(certificate.plan.finish)),
              certificate.plan.ends.size(), ms(certificate.exposed(certificate.bound)));
}

/// How long a plan of so many gradients takes; the figure of the machine that runs it.
void printTime(size_t count) {
  std::mt19937 random(1);
  std::vector<ReadyGradient> many(count);
  int64_t ready = 0;
  for (ReadyGradient &gradient : many)
    gradient = {1 + static_cast<int64_t>(random() % 100000), ready += random() % 2000, 0};
  std::string why;
  ChannelModel knee = ChannelModel::fromPieces(
      {{0, 524288, 1000000, 29 * 1024}, {524288, CostPiece::unbounded, 1000000, 80 * 1024}}, why);
  std::clock_t start = std::clock();
  BucketSchedule plan = planFirstArrival(many, knee);
  std::printf("%zu gradients, two pieces: %zu buckets, %.3f s of the processor\n", count,
              plan.ends.size(), double(std::clock() - start) / CLOCKS_PER_SEC);
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1) {
    bool asks = std::strcmp(argv[1], "--help") == 0;
    std::fprintf(asks ? stdout : stderr,
                 "usage: plan_buckets\nPrints milliseconds of the exchange of gradients that the "
                 "backward pass does not hide, and the number of buckets.\n");
    return asks ? 0 : 1;
  }
  std::printf("| exposed ms (buckets) |");
  for (BucketPreset preset : allBucketPresets)
    std::printf(" %s |", toString(preset));
  std::printf(" planned | bound |\n|---|");
  for (size_t i = 0; i < std::size(allBucketPresets) + 2; ++i)
    std::printf("---|");
  std::printf("\n");
  for (const Link &link : {infiniband, ethernet100, ethernet25})
    printRow(resnet50(), link);
  for (const Link &link : {infiniband, ethernet100})
    printRow(bertLarge(), link);
  printRow(gpt2(), infiniband);
  printTime(1000000);
  return 0;
}
