// The windows of a node.

#include "Windows.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

/// SAME: as many outputs as strides fit, with the smallest padding for that.
/// The extra element of an odd padding goes to the end (UPPER) or to the
/// beginning (LOWER).
static void padSame(Window &window, bool isUpper) {
  int64_t reach = (window.kernel - 1) * window.dilation + 1;
  int64_t total = std::max<int64_t>(0, (window.output - 1) * window.stride +
                                           reach - window.extent);
  window.padLow = isUpper ? total / 2 : total - total / 2;
  window.padHigh = total - window.padLow;
}

Extents onnx_to_repro::listOr(NodeBuilder &b, StringRef name, size_t size,
                              int64_t missing) {
  Extents list;
  if (b.node.hasFormalAttribute(name))
    list = b.integers(name);
  if (list.empty())
    return Extents(size, missing);
  if (list.size() == size)
    return list;
  b.refuse(name + Twine(" has ") + Twine(list.size()) + " numbers for " +
           Twine(size) + " places");
  return Extents(size, missing);
}

SmallVector<Window> onnx_to_repro::readWindows(NodeBuilder &b, Value x,
                                               ArrayRef<int64_t> kernel) {
  ShapeView shape = shapeOf(x);
  ShapeView outputs = b.resultShape();
  size_t spatial = kernel.size();
  Extents strides = listOr(b, "strides", spatial, 1);
  Extents dilations = listOr(b, "dilations", spatial, 1);
  Extents pads = listOr(b, "pads", 2 * spatial, 0);
  StringRef automatic = b.string("auto_pad");
  if (spatial == 0 || shape.size() != spatial + 2)
    b.refuse("the kernel does not fit the rank");
  if (!b.refusal().empty())
    return {};
  SmallVector<Window> windows;
  for (size_t i = 0; i < spatial; ++i) {
    Window window;
    window.extent = shape[i + 2];
    window.kernel = kernel[i];
    window.output = outputs[i + 2];
    window.stride = strides[i];
    window.dilation = dilations[i];
    if (automatic == "NOTSET") {
      window.padLow = pads[i];
      window.padHigh = pads[i + spatial];
    } else if (automatic != "VALID") {
      padSame(window, automatic == "SAME_UPPER");
    }
    if (window.padLow < 0 || window.padHigh < 0 || window.stride < 1 ||
        window.dilation < 1 || window.kernel < 1) {
      b.refuse("kernel, strides and dilations must be positive, pads not "
               "negative");
      return {};
    }
    if (std::max({window.stride, window.dilation, window.kernel, window.padLow,
                  window.padHigh}) > kMaxWindow) {
      b.refuse("kernel, strides, dilations and pads must be below 2^20");
      return {};
    }
    windows.push_back(window);
  }
  return windows;
}
