// Runs PTX on the host, thread by thread and bit by bit, with every access
// checked. It is the oracle of the GPU path on machines without a GPU.

#ifndef GENSYN_PTX_SIMULATOR_H
#define GENSYN_PTX_SIMULATOR_H

#include "gensyn/Ptx/Result.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::ptx {

/// Records which bytes of a range of memory are initialized; none at first. The
/// caller owns it and keeps it from launch to launch.
class Written {
public:
  Written(const void *begin, size_t bytes);
  /// Marks bytes as written by the host.
  void mark(const void *begin, size_t bytes);
  /// Marks all, or these bytes, as uninitialized.
  void forget();
  void forget(const void *begin, size_t bytes);
  bool covers(const void *begin, size_t bytes) const;

private:
  uint64_t start;
  std::vector<uint8_t> bits; ///< one for each byte
};

/// The memory that kernels may access: ranges of host memory, whose addresses
/// are the device addresses.
class Memory {
public:
  /// Adds `bytes` bytes at `begin`, which the caller owns. Returns false if
  /// they overlap an existing range. With `written`, which covers all of them
  /// and must outlive the range, a read of uninitialized bytes is a fault.
  bool add(void *begin, size_t bytes, Written *written = nullptr);
  /// The same for memory that kernels may only read.
  bool addReadOnly(const void *begin, size_t bytes, Written *written = nullptr);
  /// Removes the range that was added at `begin`, if any.
  void remove(const void *begin);

private:
  friend class Module;
  struct Range {
    uint64_t begin, end;
    bool writable;
    Written *written;
  };
  bool insert(Range range);
  std::vector<Range> ranges; // ascending
};

/// The reason why a launch did not finish.
struct Fault {
  enum class Kind : uint8_t {
    Launch,      ///< the launch does not fit the kernel
    OutOfBounds, ///< an access outside of all memory that it may access
    ReadOnly,    ///< a write to read-only memory
    Misaligned,
    Barrier,  ///< reached by part of a warp, or a wait that never ends
    Shuffle,  ///< an exchange with threads that do not participate
    Limit,    ///< more instructions than allowed
    Trap,     ///< the program stopped itself
    Race,     ///< unordered accesses of two threads, one of them a write;
              ///< a write of the launch to what it loads with .nc
    Unwritten ///< a read of uninitialized memory
  };
  Kind kind = Kind::Launch;
  std::string kernel;
  uint32_t line = 0; ///< of the PTX text; 0 for faults of the launch
  std::array<uint32_t, 3> block = {}, thread = {};
  uint64_t address = 0; ///< of accesses, in their own space
  /// Formats all of this as one line.
  std::string message;
};

struct Dimensions {
  uint32_t x = 1, y = 1, z = 1;
};

/// One run of a kernel.
struct Launch {
  std::string_view kernel;
  Dimensions grid, block;
  uint64_t dynamicSharedBytes = 0;
  /// The parameters as the kernel's `.param` declarations lay them out. A
  /// kernel with pointer parameters only takes an array of 64-bit addresses.
  std::span<const std::byte> parameters;
  /// Host threads that run blocks. Results do not depend on it unless blocks
  /// race or use the result of an atomic.
  unsigned threads = 1;
  /// The limit on instructions that all warps together may issue; beyond it the
  /// launch faults. A block counts 64 more, and one for each 64 bytes of shared
  /// and local memory, so that empty blocks end too.
  uint64_t maxInstructions = uint64_t(1) << 36;
  /// Also reports races and reads of uninitialized shared memory. Costs time
  /// and memory (20 bytes for each byte accessed, 80 for one that is accessed
  /// apart from its word), and runs on one host thread.
  bool findRaces = false;
};

struct Statistics {
  /// Instructions times the threads that issued them, including those whose
  /// predicate was off.
  uint64_t threadInstructions = 0;
};

/// The properties that a caller needs to launch a kernel.
struct KernelInfo {
  struct Parameter {
    std::string name;
    uint64_t offset = 0, size = 0; ///< bytes
  };
  std::string name;
  std::vector<Parameter> parameters;
  uint64_t parameterBytes = 0;
  uint64_t sharedBytes = 0;  ///< static, per block
  uint64_t localBytes = 0;   ///< per thread
  uint64_t instructions = 0; ///< in the text, as decoded
  std::optional<std::array<uint32_t, 3>> requiredBlock, maximalBlock;
};

/// A PTX module ready to run. Copies share the module's variables.
class Module {
public:
  /// Parses and decodes a text. The error names the line with a syntax error or
  /// an unsupported instruction.
  static Result<Module> parse(std::string text);

  /// The kernels in the order of the text.
  std::vector<KernelInfo> kernels() const;

  /// Runs a kernel to its end. Of several faults it reports that of the first
  /// block, in the order x, y, z, whatever the number of threads.
  std::optional<Fault> launch(const Launch &launch, const Memory &memory,
                              Statistics *statistics = nullptr) const;

private:
  struct State;
  std::shared_ptr<State> state;
};

} // namespace gensyn::ptx

#endif // GENSYN_PTX_SIMULATOR_H
