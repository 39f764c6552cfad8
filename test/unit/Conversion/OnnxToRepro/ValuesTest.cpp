// Functions without arguments are converted and run by the reference. Each
// result must have the bits of its attribute `test.expected`.

#include "gensyn/Conversion/OnnxToRepro/Passes.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Reference/Interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>

using namespace mlir;
using namespace gensyn;

namespace {

class Values : public testing::TestWithParam<const char *> {};

/// The elements of a tensor of f32, with all digits; nothing of other types.
std::string describe(const Tensor &found) {
  std::ostringstream text;
  text << std::setprecision(9);
  if (found.elementType() == ElementType::F32)
    for (int64_t i = 0; i < found.numElements(); ++i)
      text << (i ? ", " : ": ") << found.as<float>()[i];
  return text.str();
}

void checkFunction(func::FuncOp function) {
  std::string name = function.getName().str();
  auto results = reference::interpret(function, {});
  ASSERT_TRUE(succeeded(results)) << name;
  for (auto [i, found] : llvm::enumerate(*results)) {
    auto expected =
        function.getResultAttrOfType<DenseElementsAttr>(i, "test.expected");
    ASSERT_TRUE(expected) << name << " result " << i;
    EXPECT_TRUE(found.bitEqual(repro::toTensor(expected)))
        << name << " result " << i << describe(found);
  }
}

TEST_P(Values, AreBitEqual) {
  DialectRegistry registry;
  registry.insert<func::FuncDialect, gensyn::onnx::OnnxDialect,
                  repro::ReproDialect>();
  MLIRContext context(registry);
  std::string path = std::string(GENSYN_TEST_DIR) +
                     "/unit/Conversion/OnnxToRepro/values/" + GetParam() +
                     ".mlir";
  auto module = parseSourceFile<ModuleOp>(path, &context);
  ASSERT_TRUE(module) << path;
  PassManager passes(&context);
  passes.addPass(createConvertOnnxToReproPass());
  passes.addNestedPass<func::FuncOp>(repro::createAssignOrdersPass());
  ASSERT_TRUE(succeeded(passes.run(*module)));
  int functions = 0;
  for (auto function : module->getOps<func::FuncOp>()) {
    checkFunction(function);
    ++functions;
  }
  EXPECT_GT(functions, 0);
}

INSTANTIATE_TEST_SUITE_P(OnnxToRepro, Values,
                         testing::Values("activations", "pow", "elementwise",
                                         "indexing", "losses", "movement",
                                         "normalization", "quantization",
                                         "reductions", "sampling", "windows"),
                         [](const auto &info) { return info.param; });

} // namespace
