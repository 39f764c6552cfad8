// Values that kernels read and write in the host's memory.
#ifndef GENSYN_LIB_RUNTIME_CUDAHOSTVALUES_H
#define GENSYN_LIB_RUNTIME_CUDAHOSTVALUES_H

#include "gensyn/Executable/plan.pb.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gensyn::cuda {

/// For each input of a program, whether a run moves its bytes to the GPU and
/// back once, wherever it is: one launch takes it, which replaces it element by
/// element. That is so for the optimizer's state of AdamW, and not for a
/// parameter that is multiplied, or for a momentum that is.
std::vector<bool> findReplacedOnce(const plan::Plan &plan);

/// Of values of so many bytes, those that leave the GPU's memory so that it has
/// `excess` bytes more: the largest first, all if they are too few.
std::set<std::string>
chooseHostValues(const std::map<std::string, uint64_t> &values,
                 uint64_t excess);

} // namespace gensyn::cuda

#endif
