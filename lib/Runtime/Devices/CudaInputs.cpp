// See CudaInputs.h.

#include "CudaInputs.h"

#include "gensyn/Runtime/Support/ThreadPool.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace gensyn::cuda {

/// Bytes that the GPU copies while the host copies the next ones: several
/// threads take longer for them than the GPU takes to begin a copy.
static constexpr uint64_t chunkBytes = uint64_t(4) << 20;
/// Bytes that a thread copies at a time.
static constexpr uint64_t pieceBytes = uint64_t(256) << 10;

namespace {

/// The bytes of a slot, as they lie in the host's tensors.
struct Source {
  std::span<const Tensor *const> inputs;
  std::span<const uint64_t> offsets;
  uint8_t *to;

  /// Copies what lies in [begin, end) of the slot.
  void copy(uint64_t begin, uint64_t end) const {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i])
        continue;
      const uint64_t first = std::max(begin, offsets[i]);
      const uint64_t last =
          std::min(end, offsets[i] + uint64_t(inputs[i]->byteSize()));
      if (first < last)
        std::memcpy(to + first, inputs[i]->data() + (first - offsets[i]),
                    size_t(last - first));
    }
  }
};

} // namespace

/// Ranges of a slot that have inputs of the host, and the gaps between
/// neighbours; what lies in them of another input would have a gap of its own.
static std::vector<std::pair<uint64_t, uint64_t>>
findRanges(std::span<const Tensor *const> inputs,
           std::span<const uint64_t> offsets) {
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i] || inputs[i]->byteSize() == 0)
      continue;
    const uint64_t end = offsets[i] + uint64_t(inputs[i]->byteSize());
    if (!ranges.empty() && offsets[i] - ranges.back().second < tensorAlignment)
      ranges.back().second = end;
    else
      ranges.emplace_back(offsets[i], end);
  }
  return ranges;
}

InputSlot::~InputSlot() {
  if (!uploaded)
    return;
  const CurrentContext current = context->tryEnter();
  context->driver.cuEventDestroy_v2(uploaded);
}

void InputSlot::allocate(const std::shared_ptr<DeviceContext> &owner,
                         uint64_t bytes) {
  context = owner;
  memory = std::make_unique<OwnedMemory>(context, bytes);
  staging = std::make_unique<PinnedMemory>(context, bytes);
  times = std::make_unique<CudaTimeline>(*context);
  context->driver.check(
      context->driver.cuEventCreate(&uploaded, EventWithoutTiming),
      "make an event");
}

void InputSlot::fill(const std::shared_ptr<DeviceContext> &owner,
                     uint64_t bytes, std::span<const Tensor *const> inputs,
                     std::span<const uint64_t> offsets) {
  const auto ranges = findRanges(inputs, offsets);
  if (ranges.empty()) {
    if (times)
      times->clear();
    return;
  }
  if (!uploaded)
    allocate(owner, bytes);
  const Driver &driver = context->driver;
  // The previous copy must have read the slot before it is overwritten.
  if (isUsed)
    driver.check(driver.cuEventSynchronize(uploaded),
                 "copy inputs to " + context->label);
  const Source source{inputs, offsets, staging->begin};
  times->clear();
  for (const auto &[first, last] : ranges)
    for (uint64_t begin = first; begin < last; begin += chunkBytes) {
      const uint64_t end = std::min(last, begin + chunkBytes);
      context->onThreads(
          begin, end, pieceBytes,
          [&](uint64_t from, uint64_t to) { source.copy(from, to); });
      times->beginCopy(context->copies, kCopyOfInputs, end - begin);
      driver.check(driver.cuMemcpyHtoDAsync_v2(memory->address + begin,
                                               staging->begin + begin,
                                               end - begin, context->copies),
                   "copy inputs to " + context->label);
    }
  times->stop(context->copies);
  driver.check(driver.cuEventRecord(uploaded, context->copies),
               "record an event");
  isUsed = true;
}

Address InputSlot::copyOnGpu(const std::shared_ptr<DeviceContext> &owner,
                             uint64_t slotBytes, uint64_t offset, Address from,
                             uint64_t bytes) {
  if (!uploaded)
    allocate(owner, slotBytes);
  const Address to = memory->address + offset;
  context->driver.check(
      context->driver.cuMemcpyDtoDAsync_v2(to, from, bytes, context->compute),
      "copy on " + context->label);
  return to;
}

void InputSlot::awaitCopy() {
  if (isUsed)
    context->driver.check(
        context->driver.cuStreamWaitEvent(context->compute, uploaded, 0),
        "wait for inputs");
}

void InputSlot::addTimes() {
  if (!times)
    return;
  times->addCopies();
  times->clear();
}

} // namespace gensyn::cuda
