// Shapes with checked indices: errors name the missing dimension.

#include "Conversion/OnnxToRepro/Support/NodeBuilder.h"

#include <gtest/gtest.h>

namespace gensyn {
namespace {

std::string whatOf(llvm::function_ref<void()> f) {
  try {
    f();
  } catch (const onnx_to_repro::ShapeError &error) {
    return error.what();
  }
  return "nothing";
}

TEST(Extents, SayWhatIsMissing) {
  const onnx_to_repro::Extents list{2, 3};
  const onnx_to_repro::ShapeView shape = llvm::ArrayRef<int64_t>(list);
  EXPECT_EQ(whatOf([&] { (void)shape[1]; }), "nothing");
  const std::string tooShort =
      "a shape or a list of numbers has fewer elements than the operator needs";
  EXPECT_EQ(whatOf([&] { (void)shape[2]; }), tooShort);
  EXPECT_EQ(whatOf([&] { (void)shape.drop_front(3); }), tooShort);
  EXPECT_EQ(whatOf([&] { onnx_to_repro::Extents(list).insertAt(3, 1); }),
            tooShort);
  EXPECT_EQ(whatOf([&] { onnx_to_repro::rankOf(mlir::Value()); }),
            "an operand or a result that the operator needs is absent");
}

} // namespace
} // namespace gensyn
