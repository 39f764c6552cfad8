// The GPU generations that programs are compiled for, as one table for the
// schedules, the PTX back end, the runtime and the command lines.

#ifndef GENSYN_MACHINE_GPU_H
#define GENSYN_MACHINE_GPU_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::machine {

/// A GPU generation. All fields describe speed and limits: no schedule may let
/// one change a result. The sources are NVIDIA's: the CUDA C++ programming
/// guide (technical specifications and arithmetic throughput per compute
/// capability), the whitepapers of the architectures (multiprocessors), the PTX
/// ISA (versions).
struct Gpu {
  /// Compute capability times ten; the PTX target is sm_<sm>.
  int sm;
  /// The oldest PTX version that supports the target and its matrix units,
  /// times ten, so that old drivers can load the text.
  int ptxVersion;
  /// Multiprocessors of the generation's usual device: T4, A100, A10, RTX 4090,
  /// H100, B200, B300, Jetson T5000 (Thor), RTX 5090, GB10.
  int multiprocessors;
  /// The maximum shared memory of a block, in bytes.
  int64_t sharedBytes;
  /// Results of f32 and of f64 additions and products per clock and
  /// multiprocessor.
  int floatLanes;
  int doubleLanes;
  /// cp.async from global to shared memory.
  bool hasAsyncCopy;
  /// True if the assembler finds registers for fragments of four points of a
  /// contraction's large tiles (seen with ptxas 13.0; docs/Performance.md).
  bool hasFragmentRegisters;
  /// Products of 8-bit integers that an instruction of the matrix units
  /// (mma.sync) adds to each sum; 0: there are no such instructions.
  int matrixPoints;

  /// f64 arithmetic at half the rate of f32; elsewhere it is at 1/32 or 1/64.
  bool hasFastDouble() const { return doubleLanes * 2 >= floatLanes; }
  /// "sm_90".
  std::string name() const { return "sm_" + std::to_string(sm); }
};

/// All of them, ascending.
std::span<const Gpu> getGpus();

/// The generation of a number (90) or a name ("sm_90"); null if there is none.
const Gpu *findGpu(int sm);
const Gpu *findGpu(std::string_view name);

/// The default generation for compilation and simulation.
const Gpu &getDefaultGpu();

/// Names of the generations whose PTX runs on a GPU of that compute capability
/// (times ten), the newest first.
std::vector<std::string> listRunnableGpus(int capability);

/// All names: those that the default one runs, the newest first, then later
/// ones, ascending.
std::vector<std::string> listGpusByPreference();

/// All numbers for a sentence: "75, 80, ... or 121".
std::string describeGpus();

} // namespace gensyn::machine

#endif
