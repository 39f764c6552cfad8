// Requests of passes on text: results, messages, and a pass that changes a bit.

#include "RunPasses.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Executable/Support/Failure.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn {
namespace {

const char *const kSquare = R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = repro.mul %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
)";

/// Squares become differences.
struct WrongPass : PassWrapper<WrongPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WrongPass)
  StringRef getArgument() const override { return "test-wrong"; }
  void runOnOperation() override {
    getOperation().walk([](repro::MulOp op) {
      OpBuilder builder(op);
      op.replaceAllUsesWith(
          repro::SubOp::create(builder, op.getLoc(), op.getLhs(), op.getRhs())
              .getResult());
      op.erase();
    });
  }
};

plan::PassesRequest request(const std::string &text,
                            const std::string &pipeline) {
  plan::PassesRequest request;
  request.set_module(text);
  request.set_name("square.mlir");
  request.set_pipeline(pipeline);
  request.mutable_print()->set_large_elements_limit(-1);
  return request;
}

ExitCode codeOf(const plan::PassesResponse &response) {
  return static_cast<ExitCode>(response.error().exit_code());
}

TEST(RunPasses, TextAndBytecodeGoOnToTheSameDigest) {
  const plan::PassesResponse read = runPasses(request(kSquare, ""));
  ASSERT_EQ(codeOf(read), ExitCode::Ok) << read.error().message();
  EXPECT_TRUE(read.digest().empty());
  EXPECT_NE(read.text().find("repro.mul"), std::string::npos);
  const std::string freeze = "builtin.module(gensyn-freeze-pipeline)";
  const plan::PassesResponse one = runPasses(request(read.module(), freeze));
  const plan::PassesResponse two = runPasses(request(read.text(), freeze));
  EXPECT_EQ(one.digest().size(), 64U) << one.error().message();
  EXPECT_EQ(one.digest(), two.digest());
  EXPECT_EQ(one.text(), two.text());
}

TEST(RunPasses, MessagesHaveThePlace) {
  const plan::PassesResponse response =
      runPasses(request("func.func @main() {\n  repro.nothing\n}", ""));
  EXPECT_EQ(codeOf(response), ExitCode::BadInput);
  EXPECT_EQ(response.error().message().substr(0, 17), "square.mlir:2:3: ")
      << response.error().message();
  EXPECT_TRUE(response.module().empty());
}

TEST(RunPasses, UnknownPassesAreNamed) {
  const plan::PassesResponse response =
      runPasses(request(kSquare, "builtin.module(repro-nothing)"));
  EXPECT_EQ(codeOf(response), ExitCode::Usage);
  EXPECT_EQ(response.error().message(),
            "pipeline 'builtin.module(repro-nothing)': 'repro-nothing' does "
            "not refer to a registered pass or pass pipeline");
  EXPECT_EQ(codeOf(runPasses(request(kSquare, "func.func(canonicalize)"))),
            ExitCode::Usage);
}

TEST(RunPasses, TextThatWouldCrashTheParserIsRefused) {
  const plan::PassesResponse response =
      runPasses(request(std::string(100000, '('), ""));
  EXPECT_EQ(codeOf(response), ExitCode::BadInput);
}

TEST(RunPasses, APassThatChangesABitIsFound) {
  PassRegistration<WrongPass> registration;
  plan::PassesRequest wrong =
      request(kSquare, "builtin.module(test-wrong,canonicalize)");
  wrong.mutable_check_bits()->set_everything(true);
  const plan::PassesResponse found = runPasses(wrong);
  EXPECT_EQ(codeOf(found), ExitCode::Ok) << found.error().message();
  EXPECT_NE(found.finding().find("pass 'test-wrong' changes bits of 'main'"),
            std::string::npos)
      << found.finding();
  EXPECT_NE(found.smallest().find("repro.mul"), std::string::npos);
  EXPECT_TRUE(found.module().empty());
  EXPECT_EQ(found.compared(), 1U);

  plan::PassesRequest right = request(kSquare, "builtin.module(canonicalize)");
  right.mutable_check_bits()->set_everything(true);
  const plan::PassesResponse same = runPasses(right);
  EXPECT_TRUE(same.finding().empty());
  EXPECT_EQ(same.compared(), 1U);
  EXPECT_FALSE(same.module().empty());
}

TEST(RunPasses, TranslatesToPtx) {
  plan::PassesRequest wanted = request(kSquare, "");
  wanted.set_sm(80);
  const plan::PassesResponse response = runPasses(wanted);
  ASSERT_EQ(codeOf(response), ExitCode::Ok) << response.error().message();
  EXPECT_NE(response.ptx().find(".target sm_80"), std::string::npos);
  wanted.set_sm(12);
  EXPECT_EQ(codeOf(runPasses(wanted)), ExitCode::Unsupported);
}

} // namespace
} // namespace gensyn
