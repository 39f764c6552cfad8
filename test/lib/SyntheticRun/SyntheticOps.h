// The ops of synthetic runs: their meaning, their tiles and their encoding.
#ifndef GENSYN_TEST_LIB_SYNTHETICRUN_SYNTHETICOPS_H
#define GENSYN_TEST_LIB_SYNTHETICRUN_SYNTHETICOPS_H

#include "gensyn/Executable/proof.pb.h"
#include "gensyn/Numerics/Tensor.h"

#include <string>
#include <vector>

namespace gensyn::testing {

/// Elements of the parameter: five chunks, the last of them not whole.
inline constexpr int64_t kWidth = 1100;

/// "add" and "sub" of two tensors of kWidth f32, one element from one of each;
/// "sum", one f32 from every second element of a tensor of so many.
bool isOp(const std::string &name);
std::string encodeOp(const plan::EntryText &text);
Tensor computeOp(const std::string &name, const std::vector<Tensor> &operands);

/// A response with shapes, tiles, and the element if the request has tiles.
plan::EvaluateResponse evaluateOp(const plan::EvaluateRequest &request);

} // namespace gensyn::testing

#endif
