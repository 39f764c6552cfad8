// Parts of a packaged reference program that must agree.

#include "Compiler.h"
#include "Executable.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Pipelines/Register.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn {
namespace {

const char *const program = R"(
func.func @main(%a: tensor<2xf32> {gensyn.name = "w", gensyn.role = "parameter"},
                %x: tensor<2xf32> {gensyn.name = "x"},
                %i: tensor<i64> {gensyn.name = "i"},
                %m: tensor<f32> {gensyn.name = "m", gensyn.role = "state", gensyn.initial = {fill = 0.5 : f64}},
                %l: tensor<f32> {gensyn.name = "l", gensyn.role = "state", gensyn.initial = dense<2.0> : tensor<f32>})
    -> (tensor<2xf32> {gensyn.name = "w"}) {
  %0 = repro.add %a, %x : tensor<2xf32>
  %g = repro.gather %0[%i] maps [affine_map<()[s0] -> (s0)>, affine_map<() -> ()>] bounds fault : tensor<2xf32>, tensor<i64> -> tensor<f32>
  %h = repro.mul %m, %l : tensor<f32>
  %s = repro.add %g, %h : tensor<f32>
  %b = repro.broadcast %s dims [] : tensor<f32> to tensor<2xf32>
  return %b : tensor<2xf32>
}
)";

class LoadReference : public ::testing::Test {
protected:
  void SetUp() override {
    auto context = createContext();
    auto module = parseSourceString<ModuleOp>(program, context.get());
    ASSERT_TRUE(module);
    Builder builder(context.get());
    auto digest = repro::computeDigest(*module);
    ASSERT_TRUE(succeeded(digest));
    (*module)->setAttr(repro::kDigestAttr, builder.getStringAttr(*digest));
    (*module)->setAttr(program::kDonatedAttr,
                       builder.getDenseI64ArrayAttr({0}));
    plan::CompileRequest request;
    request.set_target("reference");
    plan::Executable executable;
    plan::Error error;
    ASSERT_TRUE(buildExecutable(*module, request, Recipe(), executable, error))
        << error.message();
    packaged.set_frozen_module(executable.frozen_module());
    packaged.set_program_digest(executable.program_digest());
    *packaged.mutable_plan() = executable.plan();
  }

  static std::string errorOf(const plan::LoadRequest &request) {
    const plan::Error error = loadReference(request).error();
    EXPECT_EQ(error.exit_code(), error.message().empty() ? 0 : 3);
    return error.message();
  }

  plan::LoadRequest packaged;
};

TEST_F(LoadReference, takesWhatTheCompilerMade) {
  EXPECT_EQ(errorOf(packaged), "");
  // Loaded again, now from the cache by its digest.
  EXPECT_EQ(errorOf(packaged), "");
}

TEST_F(LoadReference, theDigestIsTheProgram) {
  plan::LoadRequest altered = packaged;
  std::string &text = *altered.mutable_frozen_module();
  text.replace(text.find("repro.add"), 9, "repro.sub");
  const std::string error = errorOf(altered);
  EXPECT_EQ(error.find("frozen module: has the digest "), 0u) << error;
  EXPECT_NE(error.find(", expected " + packaged.program_digest()),
            std::string::npos)
      << error;
  // A refused program is not cached under the digest that it claimed.
  EXPECT_EQ(errorOf(packaged), "");
}

TEST_F(LoadReference, aPlanThatContradictsTheProgram) {
  plan::LoadRequest altered = packaged;
  altered.mutable_plan()->mutable_inputs(1)->set_shape(0, 250'000'000);
  EXPECT_EQ(errorOf(altered),
            "frozen module: the plan has input 1 'x' (input, "
            "f32[250000000]), the program 'x' (input, f32[2])");
  altered = packaged;
  altered.mutable_plan()->mutable_outputs(0)->set_name("y\x1b");
  EXPECT_EQ(errorOf(altered),
            "frozen module: the plan has output 0 'y\\x1b' (output, f32[2]), "
            "the program 'w' (output, f32[2])");
  altered = packaged;
  altered.mutable_plan()->mutable_inputs()->RemoveLast();
  EXPECT_EQ(errorOf(altered),
            "frozen module: the plan has 4 inputs, the program 5");
  altered = packaged;
  altered.mutable_plan()->set_donated(0, 1);
  EXPECT_EQ(errorOf(altered), "frozen module: the plan replaces other inputs "
                              "by its outputs than the program");
  altered = packaged;
  altered.mutable_plan()->add_faults();
  EXPECT_EQ(errorOf(altered), "frozen module: the plan has 2 ops that may "
                              "fail, the program 1");
  altered = packaged;
  altered.mutable_plan()->mutable_faults(0)->set_in_loop(true);
  EXPECT_EQ(errorOf(altered), "frozen module: the plan describes op 0 that may "
                              "fail otherwise than the program");
}

TEST_F(LoadReference, constantStartsAreTheProgram) {
  for (int input : {3, 4}) {
    plan::LoadRequest altered = packaged;
    plan::TensorSpec &spec = *altered.mutable_plan()->mutable_inputs(input);
    spec.mutable_initial()->set_fill(-0.5);
    const std::string wanted =
        "frozen module: the plan starts with another input " +
        std::to_string(input) + " '" + spec.name() +
        "' (state, f32[]) than the program";
    EXPECT_EQ(errorOf(altered), wanted);
    spec.mutable_initial()->set_literal(std::string(4, '\1'));
    EXPECT_EQ(errorOf(altered), wanted);
    spec.clear_initial();
    EXPECT_EQ(errorOf(altered), wanted);
  }
}

/// The digest does not contain the number of a fault, which is the op's
/// position.
TEST_F(LoadReference, faultsHaveNoNumbersOfTheirOwn) {
  for (const char *number : {"-1", "0", "1000000000"}) {
    plan::LoadRequest altered = packaged;
    std::string &text = *altered.mutable_frozen_module();
    const std::string bounds = "bounds fault";
    const size_t at = text.find(bounds);
    ASSERT_NE(at, std::string::npos);
    text.insert(at + bounds.size(),
                std::string(" {repro.fault_slot = ") + number + " : i64}");
    EXPECT_EQ(errorOf(altered),
              "frozen module: 'repro.gather' op has a repro.fault_slot, which "
              "only ops of kernels have");
  }
}

} // namespace
} // namespace gensyn
