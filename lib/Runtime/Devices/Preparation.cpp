// See Preparation.h.

#include "gensyn/Runtime/Devices/Preparation.h"

#include "gensyn/Executable/plan.pb.h"

#include <set>
#include <utility>

namespace gensyn::runtime {

Preparation::Preparation(const plan::Executable &executable,
                         const Signature &signature) {
  const plan::Plan &plan = executable.plan();
  std::set<size_t> read;
  for (const plan::Launch &launch : plan.launches())
    if (launch.prepares())
      for (uint32_t number : launch.buffers()) {
        const plan::Buffer &buffer = plan.buffers(static_cast<int>(number));
        if (buffer.place_case() == plan::Buffer::kInput &&
            isKept(signature.inputs[buffer.input()]))
          read.insert(buffer.input());
      }
  inputs.assign(read.begin(), read.end());
}

void Preparation::bind(std::span<Value *const> kept) {
  bound.emplace();
  for (size_t input : inputs)
    bound->push_back(kept[input]->version());
}

bool Preparation::start() {
  // A run that fails leaves no prepared values.
  const Versions before = std::exchange(computedFrom, std::nullopt);
  current = std::exchange(bound, std::nullopt);
  return !current || current != before;
}

} // namespace gensyn::runtime
