// The command stream of gensyn-block, as numbers (docs/Block.md). The package
// share/rtl/gensyn-block/block_package.sv has the same.

#ifndef GENSYN_MACHINE_BLOCKSTREAM_H
#define GENSYN_MACHINE_BLOCKSTREAM_H

#include <cstdint>

namespace gensyn::machine::block {

/// The first bytes of a file, and its version.
constexpr char magic[8] = {'G', 'S', 'N', 'B', 'L', 'O', 'C', 'K'};
constexpr uint32_t version = 1;

/// The lowest byte of a descriptor's first word.
enum class Opcode : uint8_t {
  Wait = 1,
  Signal = 2,
  Fetch = 3,
  Store = 4,
  Compute = 5,
  /// Of a core that is no block: something that takes time.
  Other = 6,
};

/// What the hardware has room for.
constexpr uint32_t counters = 256;
constexpr uint32_t memoryBytes = 128 << 10;
constexpr unsigned reduceLoops = 6, rowLoops = 3, columnLoops = 3,
                   batchLoops = 3, copyLoops = 4, checks = 4;

/// Buffers of the plan begin at multiples of this many bytes.
constexpr uint64_t bufferAlignment = 64;

} // namespace gensyn::machine::block

#endif
