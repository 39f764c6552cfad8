// Values whose bytes are on the host, on a device or on both.

#include "gensyn/Runtime/Devices/Value.h"

#include <atomic>
#include <utility>

namespace gensyn::runtime {

uint64_t Value::makeStamp() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

const Tensor &Value::read() const {
  if (isOnHost)
    return host;
  if (arriving) {
    arriving->wait();
    host = std::exchange(arriving, nullptr)->tensor;
    isOnHost = true;
    return host;
  }
  // Allocates a new tensor, since the bytes of the old one may be shared.
  host = Tensor(type, extents);
  if (isOnDevice && host.byteSize() != 0)
    memory->download(host.data());
  isOnHost = true;
  return host;
}

Tensor &Value::overwrite() {
  stamp = makeStamp();
  isOnDevice = false;
  arriving.reset();
  if (host.elementType() != type || host.shape() != extents)
    host = Tensor(type, extents);
  isOnHost = true;
  return host;
}

void Value::setCopy(std::unique_ptr<DeviceMemory> copy) {
  memory = std::move(copy);
  isOnDevice = true;
}

void Value::setNew(std::unique_ptr<DeviceMemory> newest) {
  memory = std::move(newest);
  isOnDevice = true;
  isOnHost = false;
  arriving.reset();
  host = Tensor();
  stamp = makeStamp();
}

std::unique_ptr<ArrivingTensor> Value::takeArriving() {
  if (arriving)
    stamp = 0;
  return std::exchange(arriving, nullptr);
}

std::unique_ptr<DeviceMemory> Value::takeMemory() {
  isOnDevice = false;
  return std::move(memory);
}

} // namespace gensyn::runtime
