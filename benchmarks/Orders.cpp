// The cost of the default orders on a CPU (OrderPolicy.cpp): blocks of
// contractions, lanes of row sums, and exact sums. One thread. The orders of
// one table alternate, so that other work on the machine affects all of them
// alike; the ratio to the first counts. Best processor time.
//
//   gensyn-bench-orders [repetitions] [instruction set]

#include "KernelRunner.h"

#include <algorithm>
#include <cstdio>

using gensyn::Tensor;
using namespace gensyn::cpu;

namespace {

/// One program, ready to run.
struct Candidate {
  Candidate(const std::string &order, const std::string &text,
            const Settings &settings)
      : order(order), runner(text) {
    runner.compile(settings.target);
    inputs = runner.makeInputs();
    outputs = runner.makeOutputs();
    fillNormal(inputs);
  }
  void run() {
    const double start = processorSeconds();
    for (int i = 0; i < count; ++i)
      runner.run(inputs, outputs);
    best = std::min(best, (processorSeconds() - start) / count);
  }

  std::string order;
  KernelRunner runner;
  std::vector<Tensor> inputs, outputs;
  int count = 1; // runs that are timed as one
  double best = 1e30;
};

/// Compares all orders of `text(order)`. `work` is in units of 1e9 (flops or
/// bytes) a second.
template <class Text>
void race(const Settings &settings, const char *what, double work,
          const char *unit, const std::vector<std::string> &orders,
          const Text &text) {
  std::vector<std::unique_ptr<Candidate>> candidates;
  for (const std::string &order : orders)
    candidates.push_back(
        std::make_unique<Candidate>(order, text(order), settings));
  for (auto &candidate : candidates) { // warm, and at least a millisecond
    candidate->run();
    candidate->count =
        static_cast<int>(std::clamp(1e-3 / candidate->best, 1.0, 1000.0));
    candidate->best = 1e30;
  }
  for (int i = 0; i < settings.repetitions; ++i)
    for (auto &candidate : candidates)
      candidate->run();
  std::printf("\n%s\n\n| order | %s | of the first |\n| --- | ---: | ---: |\n",
              what, unit);
  for (auto &candidate : candidates)
    std::printf("| %s | %.2f | %.3f |\n", candidate->order.c_str(),
                work / candidate->best * 1e-9,
                candidates.front()->best / candidate->best);
  std::fflush(stdout);
}

std::string matmul(int64_t m, int64_t n, int64_t k, const std::string &order) {
  auto tensor = [](int64_t rows, int64_t columns) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "xf32>";
  };
  const std::string a = tensor(m, k), b = tensor(k, n), c = tensor(m, n);
  return "func.func @f(%a: " + a + ", %b: " + b + ") -> " + c +
         " {\n  %c = repro.contract %a, %b domain <[" + std::to_string(m) +
         ", " + std::to_string(n) + ", " + std::to_string(k) +
         "], reduce [2]> maps [affine_map<(d0, d1, d2) -> (d0, d2)>, "
         "affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> "
         "(d0, d1)>] bounds [in, in] order " +
         order + " : " + a + ", " + b + " -> " + c + "\n  return %c : " + c +
         "\n}\n";
}

std::string rowSums(int64_t rows, int64_t n, const std::string &order) {
  const std::string size = std::to_string(rows);
  const std::string x = "tensor<" + size + "x" + std::to_string(n) + "xf32>";
  const std::string y = "tensor<" + size + "xf32>";
  return "func.func @f(%x: " + x + ") -> " + y +
         " {\n  %y = repro.reduce sum %x domain <[" + size + ", " +
         std::to_string(n) +
         "], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, "
         "affine_map<(d0, d1) -> (d0)>] order " +
         order + " : " + x + " -> " + y + "\n  return %y : " + y + "\n}\n";
}

void raceMatmul(const Settings &settings, const char *what, int64_t m,
                int64_t n, int64_t k, const std::vector<std::string> &orders) {
  race(settings, what, 2.0 * double(m) * double(n) * double(k), "GFLOP/s",
       orders,
       [&](const std::string &order) { return matmul(m, n, k, order); });
}

void raceRows(const Settings &settings, const char *what, int64_t rows,
              int64_t n, const std::vector<std::string> &orders) {
  race(settings, what, 4.0 * double(rows) * double(n), "GB/s", orders,
       [&](const std::string &order) { return rowSums(rows, n, order); });
}

} // namespace

int main(int argc, char **argv) {
  const Settings settings(argc, argv);
  std::printf("%s, one thread, best of %d\n", settings.target.c_str(),
              settings.repetitions);

  auto blocks = [](int64_t size) {
    return "blocked<" + std::to_string(size) + ", sequential, sequential>";
  };
  const std::vector<std::string> ofBlocks = {
      blocks(1024), blocks(512), blocks(2048), "sequential", blocks(128)};
  raceMatmul(settings, "512x4096 times 4096x512", 512, 512, 4096, ofBlocks);
  raceMatmul(settings, "128x4096 times 4096x128", 128, 128, 4096, ofBlocks);
  raceMatmul(settings, "One row: 1x4096 times 4096x4096", 1, 4096, 4096,
             ofBlocks);
  raceMatmul(settings, "One row, in cache: 1x4096 times 4096x64", 1, 64, 4096,
             ofBlocks);

  auto lanes = [](int64_t count) {
    return "lanes<" + std::to_string(count) + ">";
  };
  auto longRows = [&](int64_t count) {
    return "blocked<1024, " + lanes(count) + ", " + lanes(count) + ">";
  };
  raceRows(settings, "Row sums, 128x4096", 128, 4096,
           {longRows(32), longRows(16), longRows(128), longRows(64)});
  raceRows(settings, "Row sums, 4096x1024", 4096, 1024,
           {lanes(32), lanes(16), lanes(128), lanes(64)});
  raceRows(settings, "Row sums, in cache: 64x768", 64, 768,
           {lanes(32), lanes(16), lanes(128), lanes(64)});

  raceMatmul(settings, "Exact: 64x1024 times 1024x64", 64, 64, 1024,
             {"sequential", "exact"});
  raceRows(settings, "Exact: row sums, 128x1024", 128, 1024,
           {lanes(32), "exact"});
}
