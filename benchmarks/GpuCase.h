// What gensyn-bench-gpu measures: a program of ours and something to compare it
// with, on one GPU.

#ifndef GENSYN_BENCHMARKS_GPUCASE_H
#define GENSYN_BENCHMARKS_GPUCASE_H

#include "Devices/CudaContext.h"
#include "Devices/CudaProgram.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gensyn::bench {

/// Puts work into a context's stream once.
using Work = std::function<void()>;

/// Something that does the same as a case's program.
class Baseline {
public:
  virtual ~Baseline() = default;
  virtual void enqueue() = 0;
  /// Where its result is, in the order of the program's first one; 0 where it
  /// has none.
  virtual cuda::Address result() const { return 0; }
};

/// Makes what a case is compared with: "sgemm" of cuBLAS, a "copy" of as many
/// bytes, a loop on "libdevice", "cub". `inputs` are the program's; it reads
/// and writes `bytes` bytes of tensors. Throws a Failure with the reason where
/// it is not to be had here.
std::unique_ptr<Baseline>
makeBaseline(std::shared_ptr<cuda::DeviceContext> context,
             const nlohmann::json &facts, const std::filesystem::path &folder,
             const std::vector<Tensor> &inputs, uint64_t bytes);

/// What came out of a case.
struct Outcome {
  /// True if all bits are the CPU's; nothing was said where it was not asked.
  bool isEqual = false;
  /// Seconds of a run, medians; 0 where it was not measured.
  double ours = 0, theirs = 0;
  /// Median over pairs that were measured in turns: theirs to ours for speeds.
  double ratio = 0;
  /// Why there is no ratio.
  std::string problem;
  uint64_t bytes = 0;
};

/// How often things are measured.
struct Effort {
  int rounds = 15;
  /// Of each part of a round.
  double seconds = 5e-3;
};

/// Loads the case's package, compares bits with the CPU and measures. Throws a
/// Failure where our own part does not work.
Outcome runCase(std::shared_ptr<cuda::DeviceContext> context,
                const nlohmann::json &facts,
                const std::filesystem::path &folder, const Effort &effort);

} // namespace gensyn::bench

#endif
