// Texts of packages, before they reach MLIR's parser.

#include "FrozenModule.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn {
namespace {

class FrozenModule : public ::testing::Test {
protected:
  FrozenModule() {
    context.loadDialect<func::FuncDialect, repro::ReproDialect>();
  }

  /// The first error of reading `text`; empty if it can be read.
  std::string errorOf(const std::string &text) {
    std::string error;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (error.empty())
        error = diagnostic.str();
    });
    return readFrozenModule(text, &context) ? "" : error;
  }

  MLIRContext context;
};

std::string programOf(const std::string &body) {
  return "func.func @main() -> tensor<2xf32> {\n" + body + "\n}\n";
}

const char *const constant =
    "%0 = repro.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
    "return %0 : tensor<2xf32>";

TEST_F(FrozenModule, isOneFunctionOfKnownOps) {
  EXPECT_EQ(errorOf(programOf(constant)), "");
  EXPECT_EQ(errorOf(programOf(constant) + "func.func private @other()"),
            "expected one function, 'main'");
  EXPECT_EQ(errorOf("func.func @main() { call @main() : () -> () return }"),
            "'func.call' op has no reference meaning");
}

TEST_F(FrozenModule, hasLevelsWithinALimit) {
  const std::string deep(300, '('), many(300, '-');
  EXPECT_EQ(errorOf(programOf(deep)),
            "is nested more than 256 levels deep, aliases included");
  EXPECT_EQ(errorOf(programOf(many)),
            "has an expression of more than 256 operators");
  EXPECT_EQ(errorOf("!i = index " + programOf("{a = array<!i: 1>}")),
            "has a dense array of '!i', expected a type such as i64, f32 or "
            "bf16");
  // Byte code is not a text.
  EXPECT_EQ(errorOf("ML\xefR\x0d"),
            "contains control characters or bytes that are not UTF-8");
  // In a string and in a comment they are ordinary text.
  EXPECT_EQ(errorOf("module attributes {test.a = \"" + deep + "\"} {\n// " +
                    deep + "\n" + programOf(constant) + "}"),
            "");
}

TEST_F(FrozenModule, hasNoResources) {
  const std::string resource =
      "%0 = repro.constant dense_resource<a> : tensor<2xf32>\n"
      "return %0 : tensor<2xf32>";
  const std::string text = programOf(resource) +
                           "{-# dialect_resources: { builtin: { a: "
                           "\"0x080000000000803F00000040\" } } #-}";
  EXPECT_EQ(errorOf(text), "has resources");
  EXPECT_EQ(errorOf("module attributes {test.a = \"{-#\"} {" +
                    programOf(constant) + "}"),
            "");
  // The compiler's own resources are written inline.
  auto module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  const std::string printed = printFrozenModule(*module);
  EXPECT_EQ(errorOf(printed), "");
  auto plain = parseSourceString<ModuleOp>(programOf(constant), &context);
  ASSERT_TRUE(plain);
  EXPECT_EQ(printed, printFrozenModule(*plain));
}

} // namespace
} // namespace gensyn
