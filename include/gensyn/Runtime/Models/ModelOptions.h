// The choices that a program of a model depends on, but for its kind and sizes.
#ifndef GENSYN_RUNTIME_MODELS_MODELOPTIONS_H
#define GENSYN_RUNTIME_MODELS_MODELOPTIONS_H

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gensyn::communication {
class Communicator;
} // namespace gensyn::communication

namespace gensyn::runtime {

/// The prefix of the backends and targets that are machines.
constexpr std::string_view machinePrefix = "machine:";

/// A model's file, its recipe, how it is compiled and the device that runs it.
struct ModelOptions {
  /// An ONNX file, or a package of compiled programs.
  std::filesystem::path model;
  /// Empty: none, or that of the package.
  std::filesystem::path recipe;
  /// The recipe itself; then `recipe` is only its name in messages. Empty: it
  /// is read from the file.
  std::string recipeText;
  /// True if the model may define its training itself, so that no recipe is one
  /// that leaves everything to the model.
  bool needsRecipe = false;
  /// Sizes of symbolic dimensions.
  std::map<std::string, int64_t> dims;
  /// The origin of requested batch sizes, which `dims` must not contradict; see
  /// CompileRequest.batch_origin.
  std::string batchOrigin;
  /// True if initializers whose file is absent get values of this seed.
  bool symbolicWeights = false;
  uint64_t symbolicSeed = 0;

  /// "cpu", "reference", "ptx-sim", "cuda" or "machine:NAME".
  std::string backend = "cpu";
  std::string instructionSet = "native";
  /// 0: not given; the default is 90 (cuda: the GPU's), or the target of a
  /// package.
  int sm = 0;
  /// cuda: the number of the GPU; not given: 0, or that of `fitToRank`.
  std::optional<int> device;
  /// cuda: bytes of the GPU's memory (CudaOptions); 0: all that is free.
  uint64_t deviceMemory = 0;
  /// 0: one for each processor.
  unsigned threads = 0;
  /// ptx-sim: report races and reads of uninitialized memory.
  bool checkMemory = false;
  uint64_t maxInstructions = uint64_t(1) << 29;
  /// cpu and cuda: measure the time of each kernel.
  bool profile = false;

  /// The accuracy policy of sums; empty: the recipe's, else fast.
  std::string accuracy;
  /// True to sum products of dequantized integers as integers.
  bool integerSums = false;
  uint64_t memoryBudget = 0;              ///< bytes of the arena; 0: none
  std::optional<uint64_t> preparedMemory; ///< limit in bytes
  /// Machines: compile the code that computes values, too.
  bool bodies = false;
  /// Machines: where weights lie; empty: streamed.
  std::string weights;
  /// True if `weights` is ignored for targets that are not machines.
  bool hasOtherTargets = false;
  std::filesystem::path crashReproducer; ///< empty: none
  /// A file of schedules of kernels (ScheduleFile.h); empty: none.
  std::filesystem::path schedules;
  /// True if schedules are chosen by the times of kernels on the device, cpu or
  /// cuda. Choices are kept in `schedules`, else in the cache.
  bool autotune = false;

  /// What `info` lists beside the facts: the orders of sums, and the kernels
  /// for a target of the compiler ("cpu:x86-64-v3"; empty: none).
  bool orders = false;
  std::string kernelTarget;

  /// A file beside the compiler library or in the folder next to that of the
  /// library; empty: this process's program.
  std::filesystem::path compilerNeighbour;
  /// The folder of compiled kernels; empty: nothing is kept.
  std::filesystem::path cache;
  /// The limits of the compiler's process: bytes, and seconds of a request.
  std::optional<uint64_t> compilerMemory; ///< none: all of the machine's
  int64_t compilerSeconds = 0;            ///< 0: the default of CompilerLimits
  /// Receives one-line warnings; may be null.
  std::function<void(const std::string &)> warn;
  /// Receives a line on what was done besides; may be null.
  std::function<void(const std::string &)> note;
};

/// Returns the folder of compiled kernels that the environment names; empty if
/// there is no home folder.
std::filesystem::path defaultCache();

/// Returns the compiler's name for a target in a user's words: "ptx:sm_90" for
/// "sm_90". Throws a Failure (usage) for an unknown name.
std::string compilerTarget(const std::string &word);

/// Throws a Failure (usage) for a word that is not a backend. The name of a
/// machine is checked when it is opened.
void checkBackend(const std::string &backend);

/// What a rank takes of its machine if it is not given: its part of the
/// processors, and with cuda a GPU, counted from the first rank of the machine.
/// Ranks share GPUs where there are fewer. Throws a Failure if there is no
/// driver or no GPU.
void fitToRank(ModelOptions &options, const communication::Communicator &ranks);

} // namespace gensyn::runtime

#endif
