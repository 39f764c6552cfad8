// Faults as the caller sees them.

#ifndef GENSYN_PTX_FAULTS_H
#define GENSYN_PTX_FAULTS_H

#include "Block.h"
#include "gensyn/Ptx/Simulator.h"

namespace gensyn::ptx {

/// The fault of `block`, whose run just failed.
Fault describeFault(const Block &block);

/// A launch that does not match the kernel.
Fault launchFault(Fault::Kind kind, std::string_view kernel,
                  const std::string &what);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_FAULTS_H
