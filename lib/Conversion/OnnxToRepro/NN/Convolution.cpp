// Conv as one contraction over channels and taps.

#include "../Support/OperatorTable.h"
#include "Windows.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

/// y[n, g, f, o...] = sum over c, k... of x[n, g, c, stride o + dilation k -
/// pad] w[g, f, c, k...]. Reads outside x are zeros, which are points of the
/// sum. Without groups there is no g. The points are numbered by channel, then
/// by taps, in the order of the weight's elements.
static Value contractWindows(NodeBuilder &b, Value x, Value w,
                             ArrayRef<Window> windows, int64_t groups) {
  bool isGrouped = groups > 1;
  Iterators all{b, {}, {}};
  SmallVector<AffineExpr> xMap, wMap, places;
  xMap.push_back(all.parallel(shapeOf(x)[0]));
  if (isGrouped) {
    xMap.push_back(all.parallel(groups));
    wMap.push_back(xMap.back());
  }
  wMap.push_back(all.parallel(shapeOf(w)[isGrouped ? 1 : 0]));
  for (const Window &window : windows)
    places.push_back(all.parallel(window.output));
  AffineExpr channel = all.reduce(shapeOf(w)[isGrouped ? 2 : 1]);
  xMap.push_back(channel);
  wMap.push_back(channel);
  bool isPadded = false;
  for (auto [window, place] : llvm::zip(windows, places)) {
    AffineExpr tap = all.reduce(window.kernel);
    xMap.push_back(window.index(place, tap));
    wMap.push_back(tap);
    isPadded |= window.leavesOperand();
  }
  return b.contract(x, w, all.extents, all.reduced, {xMap, wMap},
                    isPadded ? repro::Bound::Zero : repro::Bound::In);
}

Value onnx_to_repro::splitDim(NodeBuilder &b, Value value, int64_t dim,
                              int64_t outer) {
  Extents shape(shapeOf(value));
  shape[dim] /= outer;
  shape.insertAt(dim, outer);
  return b.reshape(value, shape);
}

Value onnx_to_repro::convolve(NodeBuilder &b, Value x, Value w) {
  int64_t groups = b.integer("group");
  SmallVector<Window> windows = readWindows(b, x, shapeOf(w).drop_front(2));
  if (windows.empty())
    return nullptr;
  if (groups < 1 || shapeOf(x)[1] != shapeOf(w)[1] * groups ||
      shapeOf(w)[0] % groups)
    return b.refuse("group does not divide the channels");
  if (groups > 1) {
    x = splitDim(b, x, 1, groups);
    w = splitDim(b, w, 0, groups);
  }
  return b.reshape(contractWindows(b, x, w, windows, groups), b.resultShape());
}

static Value convertConv(NodeBuilder &b) {
  Value bias = b.operand("B");
  Value y = convolve(b, b.operand("X"), b.operand("W"));
  return y && bias ? b.add(y, b.along(bias, 1, rankOf(y))) : y;
}

void onnx_to_repro::addConvolution(OperatorTable &table) {
  table.add("Conv", {1, 11, 22}, convertConv);
}
