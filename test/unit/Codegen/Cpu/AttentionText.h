// Programs of attention for the tests of schedules.

#ifndef GENSYN_TEST_UNIT_CODEGEN_CPU_ATTENTIONTEXT_H
#define GENSYN_TEST_UNIT_CODEGEN_CPU_ATTENTIONTEXT_H

#include <cstdint>
#include <string>

namespace gensyn::cpu::testing {

/// An attention of several heads: softmax(q k^T + mask) v.
struct Attention {
  int64_t heads = 2, queries = 7, keys = 37, dims = 8, values = 5;
  /// Layouts of the tensors, by letters of heads, queries, keys, dims, values.
  std::string q = "hqd", k = "hkd", v = "hkv", y = "hqv";
  /// Orders of the sums of a row, of scores, and of contractions over keys and
  /// queries.
  std::string rowOrder = "lanes<32>", scoreOrder = "sequential",
              keyOrder = "sequential", queryOrder = "sequential";
  /// Scores of later keys are `hidden`, by a selection, or a mask of the least
  /// f32 is added to them (scores must be small).
  std::string hidden = "0xFF800000";
  bool isCausal = false, addsMask = false, hasBias = false, hasBackward = false;

  std::string text() const;

private:
  int64_t extent(char letter) const;
  std::string type(const std::string &letters,
                   const std::string &element = "f32") const;
  /// The contraction `name` of two tensors over the iterator `reduced`.
  std::string contract(const std::string &name, const std::string &lhs,
                       const std::string &lhsAxes, const std::string &rhs,
                       const std::string &rhsAxes, const std::string &axes,
                       char reduced, const std::string &order) const;
  std::string reduce(const std::string &name, const std::string &kind,
                     const std::string &operand) const;
  std::string binary(const std::string &name, const std::string &op,
                     const std::string &x, const std::string &y) const;
  std::string wide(const std::string &name, const std::string &row) const;
};

} // namespace gensyn::cpu::testing

#endif
