// The table of what operators' definitions say of ranks.
#pragma once

#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include "llvm/ADT/StringMap.h"

#include <limits>
#include <optional>
#include <vector>

namespace gensyn::onnx {

/// What holds of the rank of an operand or a result. One of a variadic list
/// holds of each of its values.
struct RankRule {
  llvm::StringRef value;
  int64_t least = 0, most = std::numeric_limits<int64_t>::max();
  /// The rank is that of this value and `more`.
  llvm::StringRef like = {};
  int64_t more = 0;
  /// One element may have any rank, where `like` has one element as well.
  bool isSizeEnough = false;
  /// The extents are those of `like` too, and not only their number.
  bool hasSameExtents = false;
  /// The extents are the elements of this operand where it is given.
  llvm::StringRef extents = {};
  /// The first version of the operator that says so.
  int since = 1;
};

/// The last dimension of `indices` counts dimensions of `data`, those after the
/// first `batchDims` of them; `result`, an operand or a result, has the
/// dimensions of both that are left.
struct TupleRule {
  llvm::StringRef indices, data, batchDims, result;
};

/// What the attributes `axis`, `axes`, `batch_axis` and `time_axis` number. Of
/// an operator without a rule, the dimensions of the first operand.
struct AxisRule {
  /// The tensor has so many dimensions more than the first operand,
  int64_t more = 0;
  /// or one more for each of `axes`.
  bool areNew = false;
  /// The end is a number as well, the one after the last dimension.
  bool isEndAllowed = false;
  /// A scalar has the axes of a tensor with one dimension.
  bool isScalarLine = false;
  /// Nothing, where this operand has one element.
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
