// See PreparedValues.h.

#include "PreparedValues.h"

namespace gensyn::codegen {

/// After all launches that prepare.
static constexpr int64_t kEveryRun = int64_t(1) << 62;

void PreparedValues::add(uint32_t buffer, uint64_t bytes) {
  blockOf[buffer] = blocks.size();
  blocks.push_back({bytes, now, now, 0});
}

void PreparedValues::use(uint32_t buffer, bool prepares) {
  auto found = blockOf.find(buffer);
  if (found == blockOf.end())
    return;
  int64_t &last = blocks[found->second].last;
  last = std::max(last, prepares ? now : kEveryRun);
}

void PreparedValues::finish(plan::Plan &plan) {
  plan.set_prepared_bytes(packArena(blocks));
  for (auto [buffer, block] : blockOf)
    plan.mutable_buffers(static_cast<int>(buffer))
        ->set_prepared(blocks[block].offset);
}

} // namespace gensyn::codegen
