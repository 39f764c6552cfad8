// The ops that reduction removes, and those that must stay.

#include "gensyn/CheckBits/Shrink.h"

#include "gensyn/CheckBits/Inputs.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Pipelines/Register.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::checkbits {
namespace {

constexpr const char *kText = R"(
func.func @f(%a: tensor<65xf32>, %b: tensor<65xf32>) -> (tensor<65xf32>, tensor<65xf32>) {
  %s = repro.add %a, %b : tensor<65xf32>
  %e = repro.exp %s : tensor<65xf32>
  %r = repro.sqrt %e : tensor<65xf32>
  %t = repro.mul %r, %r : tensor<65xf32>
  %u = repro.neg %t : tensor<65xf32>
  return %s, %u : tensor<65xf32>, tensor<65xf32>
})";

// A case "fails" while it takes the root of a number above 3.
bool takesRoot(const Case &part) {
  bool found = false;
  part.getFunction().walk([&](repro::SqrtOp root) {
    auto argument = dyn_cast<BlockArgument>(root.getOperand());
    if (!argument) {
      found = true;
      return;
    }
    const Tensor &input = part.inputs[argument.getArgNumber()];
    for (float x : input.span<float>())
      found |= x > 3;
  });
  return found;
}

TEST(Shrink, LeavesOneOpAndOneElement) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(kText, &context);
  auto function = *module->getOps<func::FuncOp>().begin();
  Case failing = makeCase(
      function, makeInputs(function.getArgumentTypes(), 1, /*trial=*/0));
  shrink(failing, takesRoot);
  Block &block = failing.getFunction().getBody().front();
  ASSERT_EQ(block.getOperations().size(), 2u);
  EXPECT_TRUE(isa<repro::SqrtOp>(block.front()));
  ASSERT_EQ(failing.inputs.size(), 1u);
  EXPECT_EQ(failing.inputs[0].numElements(), 1);
  EXPECT_GT(std::as_const(failing.inputs[0]).as<float>()[0], 3);
}

} // namespace
} // namespace gensyn::checkbits
