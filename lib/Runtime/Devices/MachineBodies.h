// The code that computes pieces of kernels in the simulation of a machine.

#ifndef GENSYN_LIB_RUNTIME_DEVICES_MACHINEBODIES_H
#define GENSYN_LIB_RUNTIME_DEVICES_MACHINEBODIES_H

#include "gensyn/Executable/Support/AlignedMemory.h"
#include "gensyn/Runtime/Devices/SharedObject.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace gensyn::plan {
class Code;
} // namespace gensyn::plan
namespace gensyn::mapping {
class Body;
class Mapping;
} // namespace gensyn::mapping

namespace gensyn::runtime {

class MachineBodies {
public:
  /// Throws a Failure (bad input) if a body has no code. Code of a package must
  /// declare what it accesses, and bodies are checked against that.
  MachineBodies(const mapping::Mapping &mapping, const plan::Code &code,
                bool isPackaged);

  /// Runs a body of the mapping. `arguments` are its operands, results and
  /// fault words.
  void call(const mapping::Body &body, std::span<uint8_t *const> arguments);

private:
  /// The signature of a kernel in machine code.
  using Kernel = void (*)(uint8_t *const *buffers, uint8_t *scratch,
                          int64_t begin, int64_t end);
  struct Function {
    Kernel kernel;
    int64_t tiles;
  };

  SharedObject library;
  std::map<const mapping::Body *, std::vector<Function>> functions;
  /// Large enough for every body.
  std::vector<AlignedBytes> workspaces;
  AlignedBytes scratch;
  std::vector<uint8_t *> buffers;
};

} // namespace gensyn::runtime

#endif
