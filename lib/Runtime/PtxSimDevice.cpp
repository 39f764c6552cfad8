// Runs a plan's PTX text on the simulator.

#include "gensyn/Runtime/Devices.h"
#include "gensyn/Runtime/Error.h"

namespace gensyn::runtime {

std::unique_ptr<Device> makePtxSimDevice(const std::string &target) {
  failUnsupported("backend 'ptx-sim' is not supported for " + target);
}

} // namespace gensyn::runtime
