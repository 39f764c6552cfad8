// See BufferSpan.h.

#include "gensyn/Executable/BufferSpan.h"

#include "gensyn/Executable/plan.pb.h"

namespace gensyn {

BufferSpan findSpan(const plan::Plan &plan, uint32_t number) {
  const plan::Buffer &buffer = plan.buffers(static_cast<int>(number));
  switch (buffer.place_case()) {
  case plan::Buffer::kArena:
    return {-1, buffer.arena(), buffer.arena() + buffer.bytes()};
  case plan::Buffer::kPrepared:
    return {-2, buffer.prepared(), buffer.prepared() + buffer.bytes()};
  case plan::Buffer::kInput:
    return {int64_t(buffer.input()), 0, buffer.bytes()};
  case plan::Buffer::kOutput: {
    const int output = static_cast<int>(buffer.output());
    if (output < plan.in_place_size() && plan.in_place(output))
      return {int64_t(plan.donated(output)), 0, buffer.bytes()};
    return {int64_t(plan.inputs_size()) + output, 0, buffer.bytes()};
  }
  case plan::Buffer::kConstant:
    return {int64_t(plan.inputs_size()) + plan.outputs_size() +
                int64_t(buffer.constant()),
            0, buffer.bytes()};
  default:
    return {int64_t(plan.inputs_size()) + plan.outputs_size() +
                plan.constants_size() + int64_t(buffer.fault()),
            0, buffer.bytes()};
  }
}

} // namespace gensyn
