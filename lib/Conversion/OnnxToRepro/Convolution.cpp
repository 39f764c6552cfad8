// Conv as one contraction over channels and taps.

#include "OperatorTable.h"
#include "Windows.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

namespace {
/// Numbers the iterators n, g, f, o... | c, k... while their extents are
/// listed.
struct Iterators {
  Extents extents, reduced;
  int64_t addParallel(int64_t extent) {
    extents.push_back(extent);
    return extents.size() - 1;
  }
  int64_t addReduced(int64_t extent) {
    reduced.push_back(extents.size());
    return addParallel(extent);
  }
};
} // namespace

/// y[n, g, f, o...] = sum over c, k... of
/// x[n, g, c, stride o + dilation k - pad] w[g, f, c, k...]; reads outside x
/// are zeros that take part. Without groups there is no g. The points are
/// numbered channel first, then taps, as the weight lies in memory.
static Value convolve(NodeBuilder &b, Value x, Value w,
                      ArrayRef<Window> windows, int64_t groups) {
  bool isGrouped = groups > 1;
  Iterators all;
  SmallVector<AffineExpr> xMap, wMap, taps;
  auto parallel = [&](int64_t extent) {
    return b.iterator(all.addParallel(extent));
  };
  int64_t outputs = shapeOf(w)[isGrouped ? 1 : 0];
  int64_t channels = shapeOf(w)[isGrouped ? 2 : 1];
  xMap.push_back(parallel(shapeOf(x)[0]));
  if (isGrouped) {
    xMap.push_back(parallel(groups));
    wMap.push_back(xMap.back());
  }
  wMap.push_back(parallel(outputs));
  SmallVector<AffineExpr> places;
  for (const Window &window : windows)
    places.push_back(parallel(window.output));
  AffineExpr channel = b.iterator(all.addReduced(channels));
  xMap.push_back(channel);
  wMap.push_back(channel);
  bool isPadded = false;
  for (auto [window, place] : llvm::zip(windows, places)) {
    AffineExpr tap = b.iterator(all.addReduced(window.kernel));
    xMap.push_back(window.index(place, tap));
    wMap.push_back(tap);
    isPadded |= window.leavesOperand();
  }
  return b.contract(x, w, all.extents, all.reduced, {xMap, wMap},
                    isPadded ? repro::Bound::Zero : repro::Bound::In);
}

/// A dimension of `value` as two.
static Value splitDim(NodeBuilder &b, Value value, int64_t dim, int64_t outer) {
  Extents shape(shapeOf(value));
  shape[dim] /= outer;
  shape.insert(shape.begin() + dim, outer);
  return b.reshape(value, shape);
}

static Value convertConv(NodeBuilder &b) {
  Value x = b.operand("X"), w = b.operand("W"), bias = b.operand("B");
  int64_t groups = b.integer("group");
  SmallVector<Window> windows = readWindows(b, x, shapeOf(w).drop_front(2));
  if (windows.empty())
    return nullptr;
  if (groups < 1 || shapeOf(x)[1] % groups || shapeOf(w)[0] % groups)
    return b.refuse("group does not divide the channels");
  if (groups > 1) {
    x = splitDim(b, x, 1, groups);
    w = splitDim(b, w, 0, groups);
  }
  Value y =
      b.reshape(convolve(b, x, w, windows, groups), b.resultType().getShape());
  return bias ? b.add(y, b.along(bias, 1, rankOf(y))) : y;
}

void onnx_to_repro::addConvolution(OperatorTable &table) {
  table.add("Conv", {1, 11, 22}, convertConv);
}
