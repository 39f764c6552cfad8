// The file of a core's command stream.

#ifndef GENSYN_LIB_CODEGEN_BLOCKPROGRAM_STREAM_H
#define GENSYN_LIB_CODEGEN_BLOCKPROGRAM_STREAM_H

#include "Contraction.h"
#include "gensyn/Codegen/BlockProgram/BlockProgram.h"

#include <array>

namespace gensyn::blockprogram {

/// The descriptors of one run of a segment: those that compute, and copies.
class Run {
public:
  using Queue = llvm::SmallVector<uint64_t, 0>;

  void wait(unsigned queue, uint32_t counter, uint32_t value);
  void signal(unsigned queue, uint32_t counter);
  /// `after`: how many tasks of the other queue have ended.
  void compute(const Contraction &contraction, uint64_t left, uint64_t right,
               uint64_t result, uint32_t after);
  void other(unsigned queue, uint32_t after);
  /// Copies rows between the core's memory and a buffer that begins at
  /// `address`. False if the block has too few loops, or a number does not fit.
  bool copy(const mapping::Copy &copy, uint64_t address, uint32_t after);

  std::array<Queue, 2> queues;
};

/// Appends a number of `bytes` bytes, little-endian.
void append(std::string &to, uint64_t number, unsigned bytes);

} // namespace gensyn::blockprogram

#endif
