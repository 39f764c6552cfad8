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

struct TensorType {
  ElementType element;
  std::vector<int64_t> shape;
};
inline TensorType typeOf(const Tensor &tensor) {
  return {tensor.elementType(), tensor.shape()};
}

/// What an op reads and returns, in rows of kWidth f32, numbers (f32), counts
/// (i64) and flags (i1):
///
///   add, sub   a row of two, one element from one of each
///   sum        a number from every second element of a row
///   odd        a flag from the first element of a row
///   any        a flag from a count
///   more       a flag from a count and the first element of a row
///   loop, branch, pick   have iterations (SyntheticIterations.h)
struct OpTypes {
  std::vector<TensorType> operands, results;
};
/// Null if there is no such op.
const OpTypes *findOp(const std::string &name);

std::string encodeOp(const plan::EntryText &text);
std::vector<Tensor> computeOp(const std::string &name,
                              const std::vector<Tensor> &operands);

/// A response with shapes, tiles, and the element if the request has tiles.
plan::EvaluateResponse evaluateOp(const plan::EvaluateRequest &request);

} // namespace gensyn::testing

#endif
