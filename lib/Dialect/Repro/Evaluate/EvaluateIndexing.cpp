// Reference semantics of gather and scatter.

#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/IR/IndexMap.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Numerics/Scalar.h"
#include "gensyn/Numerics/Walk.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {

/// The elements that maps refer to: for each element of one tensor (the result
/// of a gather, the updates of a scatter), which is an iteration point, the
/// offset of an element of another tensor.
class IndexedWalk {
public:
  enum : int64_t { kInvalid = -1, kElsewhere = -2 };

  IndexedWalk(ArrayAttr maps, std::vector<int64_t> points,
              std::vector<int64_t> target, ArrayRef<Tensor> indices)
      : points(std::move(points)), target(std::move(target)),
        indices(indices.begin(), indices.end()) {
    map = *readIndexMap(cast<AffineMapAttr>(maps[0]).getValue());
    for (int64_t extent : this->target)
      valid.emplace_back(0, extent);
    for (size_t j = 0; j < indices.size(); ++j) {
      std::vector<int64_t> own = indices[j].rowMajorStrides();
      std::vector<int64_t> &along = strides.emplace_back(this->points.size());
      AffineMap permutation = cast<AffineMapAttr>(maps[j + 1]).getValue();
      for (auto [dim, expr] : llvm::enumerate(permutation.getResults()))
        along[cast<AffineDimExpr>(expr).getPosition()] = own[dim];
    }
  }

  /// Sets the indices out of range that `forEach` tells apart.
  void setValid(unsigned dim, std::pair<int64_t, int64_t> range) {
    valid[dim] = range;
  }

  /// Calls `body(point, offset)` for each point in row-major order; the offset
  /// is kInvalid where an index is out of range, or kElsewhere if it is valid
  /// nevertheless.
  template <class Body> void forEach(Body &&body) {
    std::vector<int64_t> targetStrides = rowMajorStrides(target);
    std::vector<int64_t> found(indices.size());
    int64_t number = 0;
    forEachIndex(points, [&](const std::vector<int64_t> &at) {
      for (size_t j = 0; j < indices.size(); ++j)
        found[j] = indexAt(j, at);
      int64_t offset = 0;
      for (size_t dim = 0; dim < map.size(); ++dim) {
        // Modulo 2^64: a sum out of range stays out of range.
        auto index = static_cast<uint64_t>(map[dim].constant);
        for (size_t i = 0; i < at.size(); ++i)
          index += static_cast<uint64_t>(map[dim].coefficients[i]) *
                   static_cast<uint64_t>(at[i]);
        if (map[dim].symbol)
          index += static_cast<uint64_t>(found[*map[dim].symbol]);
        const auto [begin, end] = valid[dim];
        if (index - static_cast<uint64_t>(begin) >=
            static_cast<uint64_t>(end - begin)) {
          offset = kInvalid;
          break;
        }
        if (index >= static_cast<uint64_t>(target[dim]))
          offset = kElsewhere;
        if (offset >= 0)
          offset += static_cast<int64_t>(index) * targetStrides[dim];
      }
      body(number++, offset);
    });
  }

private:
  int64_t indexAt(size_t j, const std::vector<int64_t> &at) const {
    int64_t offset = 0;
    for (size_t i = 0; i < at.size(); ++i)
      offset += strides[j][i] * at[i];
    return indices[j].elementType() == ElementType::I32
               ? int64_t{indices[j].as<int32_t>()[offset]}
               : indices[j].as<int64_t>()[offset];
  }

  std::vector<int64_t> points, target;
  const std::vector<Tensor> indices;
  IndexMap map;
  std::vector<std::vector<int64_t>> strides;
  std::vector<std::pair<int64_t, int64_t>> valid;
};

/// Copies element `from` of one tensor to element `to` of another of its type.
class ElementCopy {
public:
  ElementCopy(const Tensor &source, Tensor &sink)
      : source(source.data()), sink(sink.data()),
        bytes(static_cast<size_t>(byteWidth(source.elementType()))) {}
  void operator()(int64_t from, int64_t to) const {
    std::memcpy(sink + static_cast<size_t>(to) * bytes,
                source + static_cast<size_t>(from) * bytes, bytes);
  }

private:
  const std::byte *source;
  std::byte *sink;
  size_t bytes;
};

template <class T> T meet(ScatterKind kind, T old, T update) {
  switch (kind) {
  case ScatterKind::Add:
    return scalar::add(old, update);
  case ScatterKind::Mul:
    return scalar::mul(old, update);
  case ScatterKind::Min:
    return scalar::min(old, update);
  case ScatterKind::Max:
    return scalar::max(old, update);
  case ScatterKind::Set:
    break;
  }
  return update;
}
} // namespace

FailureOr<SmallVector<Tensor>> GatherOp::evaluate(ArrayRef<Tensor> operands) {
  Tensor result(operands[0].elementType(), shapeOf(getResult()));
  ElementCopy copy(operands[0], result);
  IndexedWalk walk(getMaps(), result.shape(), operands[0].shape(),
                   operands.drop_front());
  walk.forEach([&](int64_t number, int64_t offset) {
    // g7, gather_r1: out of range gives +0, which the result already holds.
    if (offset >= 0)
      copy(offset, number);
    else if (mayFault())
      recordFault(*this, number);
  });
  return SmallVector<Tensor>{result};
}

FailureOr<SmallVector<Tensor>> ScatterOp::evaluate(ArrayRef<Tensor> operands) {
  Tensor result = operands[0];
  const Tensor &updates = operands[1];
  IndexedWalk walk(getMaps(), updates.shape(), result.shape(),
                   operands.drop_front(2));
  for (unsigned dim = 0; dim < result.shape().size(); ++dim)
    walk.setValid(dim, getValid(dim)); // scatter_r4
  // scatter_r3: updates out of range are dropped.
  auto visit = [&](auto &&apply) {
    walk.forEach([&](int64_t number, int64_t offset) {
      if (offset >= 0)
        apply(number, offset);
      else if (offset == IndexedWalk::kInvalid && mayFault())
        recordFault(*this, number);
    });
  };
  if (getKind() == ScatterKind::Set) { // scatter_r1: the last one wins
    visit(ElementCopy(updates, result));
    return SmallVector<Tensor>{result};
  }
  dispatch(result.elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (scalar::Number<T>) { // scatter_r2: in ascending order
      T *out = result.as<T>();
      const T *in = updates.as<T>();
      visit([&](int64_t number, int64_t offset) {
        out[offset] = meet(getKind(), out[offset], in[number]);
      });
    }
  });
  return SmallVector<Tensor>{result};
}
