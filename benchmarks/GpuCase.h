// A case of gensyn-bench-gpu: a program of ours and a baseline, on one GPU.

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

/// Enqueues the work in a context's stream once.
using Work = std::function<void()>;

/// A baseline that does the same work as a case's program.
class Baseline {
public:
  virtual ~Baseline() = default;
  virtual void enqueue() = 0;
  /// The address of its result, in the order of the program's first one; 0 if
  /// it has none.
  virtual cuda::Address result() const { return 0; }
};

/// Creates a baseline: "sgemm" of cuBLAS, a "copy" of as many bytes, a loop on
/// "libdevice", "cub". `inputs` are the program's; it reads and writes `bytes`
/// bytes of tensors. Throws a Failure with the reason if it is not available
/// here.
std::unique_ptr<Baseline>
makeBaseline(const std::shared_ptr<cuda::DeviceContext> &context,
             const nlohmann::json &facts, const std::filesystem::path &folder,
             const std::vector<Tensor> &inputs, uint64_t bytes);

/// The result of a case.
struct Outcome {
  /// True if all bits are those of the CPU; not set if they were not compared.
  bool isEqual = false;
  /// Median seconds of a run; 0 if it was not measured.
  double ours = 0, theirs = 0;
  /// Median over alternating pairs: baseline to ours for speeds.
  double ratio = 0;
  /// The reason why there is no ratio.
  std::string problem;
  uint64_t bytes = 0;
};

/// The numbers of repetitions.
struct Effort {
  int rounds = 15;
  /// For each part of a round.
  double seconds = 5e-3;
};

/// Loads the case's package, compares bits with the CPU and measures. Throws a
/// Failure if our own part does not work.
Outcome runCase(std::shared_ptr<cuda::DeviceContext> context,
                const nlohmann::json &facts,
                const std::filesystem::path &folder, const Effort &effort);

} // namespace gensyn::bench

#endif
