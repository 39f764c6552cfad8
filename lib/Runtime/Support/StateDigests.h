// The digests of many tensors at once.
#ifndef GENSYN_LIB_RUNTIME_STATEDIGESTS_H
#define GENSYN_LIB_RUNTIME_STATEDIGESTS_H

#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Numerics/Tensor.h"

#include <vector>

namespace gensyn::runtime {

/// The BLAKE3 digests of the tensors' bytes, by so many threads (0: as many as
/// the process may use), which divide large tensors among them.
std::vector<Digest> digestTogether(const std::vector<const Tensor *> &tensors,
                                   unsigned threads);

} // namespace gensyn::runtime

#endif
