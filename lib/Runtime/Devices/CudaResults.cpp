// See CudaResults.h.

#include "CudaResults.h"

namespace gensyn::cuda {

ResultSlot::ResultSlot(std::shared_ptr<DeviceContext> owner, uint64_t bytes)
    : context(owner), memory(std::move(owner), bytes) {
  context->driver.check(
      context->driver.cuEventCreate(&arrived, EventWithoutTiming),
      "make an event");
}

ResultSlot::~ResultSlot() {
  const CurrentContext current = context->tryEnter();
  context->driver.cuEventDestroy_v2(arrived);
}

void ResultSlot::close() {
  context->driver.check(
      context->driver.cuEventRecord(arrived, context->compute),
      "record an event");
}

void ResultSlot::wait(const std::function<std::string()> &describe) const {
  if (Result error = context->driver.cuEventSynchronize(arrived))
    context->failRunning(error, describe());
}

} // namespace gensyn::cuda
