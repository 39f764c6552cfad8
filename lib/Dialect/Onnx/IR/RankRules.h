// The table of rank constraints in operators' definitions.
#ifndef GENSYN_LIB_DIALECT_ONNX_IR_RANKRULES_H
#define GENSYN_LIB_DIALECT_ONNX_IR_RANKRULES_H

#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include "llvm/ADT/StringMap.h"

#include <limits>
#include <optional>
#include <vector>

namespace gensyn::onnx {

/// A constraint on the rank of an operand or a result. For a variadic operand
/// it holds for each value.
struct RankRule {
  llvm::StringRef value;
  int64_t least = 0, most = std::numeric_limits<int64_t>::max();
  /// The rank is that of this value plus `more`.
  llvm::StringRef like = {};
  int64_t more = 0;
  /// A value with one element may have any rank if `like` has one element as
  /// well.
  bool isSizeEnough = false;
  /// The extents equal those of `like`, not only the rank.
  bool hasSameExtents = false;
  /// The extents are the elements of this operand if it is given.
  llvm::StringRef extents = {};
  /// The first version of the operator with this rule.
  int since = 1;
};

/// The last dimension of `indices` counts dimensions of `data`, those after the
/// first `batchDims` of them; `result`, an operand or a result, has the
/// remaining dimensions of both.
struct TupleRule {
  llvm::StringRef indices, data, batchDims, result;
};

/// The tensor whose dimensions the attributes `axis`, `axes`, `batch_axis` and
/// `time_axis` number. For an operator without a rule, it is the first operand.
struct AxisRule {
  /// The tensor has this many dimensions more than the first operand,
  int64_t more = 0;
  /// or one more for each of `axes`.
  bool areNew = false;
  /// The end is valid as well: the number after the last dimension.
  bool isEndAllowed = false;
  /// A scalar has the axes of a tensor with one dimension.
  bool isScalarLine = false;
  /// No constraint if this operand has one element.
  llvm::StringRef unlessOne = {};
};

struct RankRules {
  std::vector<RankRule> ranks;
  std::optional<TupleRule> tuples = std::nullopt;
  AxisRule axes = {};
};

class RankTable {
public:
  static const RankTable &get();
  const RankRules *find(llvm::StringRef op) const {
    auto it = rules.find(op);
    return it == rules.end() ? nullptr : &it->second;
  }
  const llvm::StringMap<RankRules> &all() const { return rules; }

private:
  RankTable();
  void add(std::initializer_list<llvm::StringRef> ops,
           std::vector<RankRule> ranks,
           std::optional<TupleRule> tuples = std::nullopt) {
    for (llvm::StringRef op : ops)
      rules[op] = {ranks, tuples};
  }
  void add(std::initializer_list<llvm::StringRef> ops,
           std::vector<RankRule> ranks, const AxisRule &axes) {
    for (llvm::StringRef op : ops)
      rules[op] = {ranks, std::nullopt, axes};
  }
  void addLayers();
  void addMovement();
  void addIndexing();
  void addNumbers();

  llvm::StringMap<RankRules> rules;
};

} // namespace gensyn::onnx

#endif
