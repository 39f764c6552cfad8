// A kernel ready to run.

#ifndef GENSYN_PTX_KERNEL_H
#define GENSYN_PTX_KERNEL_H

#include "Machine.h"
#include "gensyn/Ptx/Syntax.h"

#include <string>

namespace gensyn::ptx {

inline constexpr uint32_t noBlock = 0xFFFFFFFFu;

/// Kind of control flow at the end of a basic block.
enum class Flow : uint8_t {
  Next,    ///< into the following block
  Branch,  ///< to `target` if the guard holds, else to the following block
  Indexed, ///< to one of `targets`, by a register
  Return
};

/// Instructions that are executed one after the other.
struct BasicBlock {
  uint32_t begin = 0, end = 0; ///< in `Kernel::codes`
  Flow flow = Flow::Next;
  Reference guard = noReference; ///< none: always
  bool guardNegated = false;
  Reference index = noReference; ///< of `Indexed`
  uint32_t target = noBlock;
  uint32_t next = noBlock; ///< none after the last one: the kernel ends
  std::vector<uint32_t> targets;
  /// The immediate post-dominator, where threads that diverge here reconverge;
  /// none if they do so only at the end of the kernel.
  uint32_t reconverge = noBlock;
  uint32_t line = 0;
};

struct Parameter {
  std::string name;
  uint64_t offset = 0, size = 0;
};

struct Kernel {
  std::string name, target;
  std::vector<Code> codes;
  std::vector<BasicBlock> blocks;
  std::vector<Reference> lists;
  std::vector<uint64_t> constants; ///< splat over the lanes
  uint32_t registerBytes = 0;      ///< of a warp
  /// Registers that may be read before they are written: offset and bytes.
  std::vector<std::pair<uint32_t, uint32_t>> unwritten;
  uint64_t sharedBytes = 0;     ///< static
  uint64_t mostSharedBytes = 0; ///< of a launch, by the target
  uint64_t localBytes = 0;      ///< per thread
  std::vector<Parameter> parameters;
  uint64_t parameterBytes = 0;
  std::optional<std::array<uint32_t, 3>> requiredBlock, maximalBlock;
};

/// One instruction between decoding and register assignment: registers are
/// numbers in `DraftKernel::registers`, targets are instruction numbers.
struct Draft {
  Code code;
  Flow flow = Flow::Next;
  bool isFlow = false;
  uint32_t target = 0;
  std::vector<uint32_t> targets;
};

enum class RegisterClass : uint8_t { Predicate, Word, DoubleWord };

struct DraftKernel {
  Kernel kernel; ///< `codes` and `blocks` are empty
  std::vector<Draft> drafts;
  std::vector<uint32_t> starts; ///< first draft of each PTX instruction
  std::vector<RegisterClass> registers;
};

/// Cuts the drafts into basic blocks and finds the reconvergence points. False
/// if that takes too long.
bool buildControlFlow(DraftKernel &draft);

/// Assigns each register a slot in the warp's register memory, shared by
/// registers with disjoint lifetimes, and writes the offsets into the kernel.
/// Needs the control flow. Returns false if a warp's registers exceed 16 MiB.
bool assignSlots(DraftKernel &draft);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_KERNEL_H
