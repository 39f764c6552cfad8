// What of a packaged reference program has to fit together.

#include "Compiler.h"
#include "Executable.h"
#include "LoadModel.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn {
namespace {

const char *const program = R"(
func.func @main(%a: tensor<2xf32> {gensyn.name = "w", gensyn.role = "parameter"},
                %x: tensor<2xf32> {gensyn.name = "x"})
    -> (tensor<2xf32> {gensyn.name = "w"}) {
  %0 = repro.add %a, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
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
    (*module)->setAttr("gensyn.donated", builder.getDenseI64ArrayAttr({0}));
    plan::CompileRequest request;
    request.set_target("reference");
    plan::Executable executable;
    plan::Error error;
    ASSERT_TRUE(buildExecutable(*module, request, executable, error))
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
  // Once more, kept under its digest.
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
  // What was refused is not kept for the program whose digest it bore.
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
            "frozen module: the plan has 1 inputs, the program 2");
  altered = packaged;
  altered.mutable_plan()->set_donated(0, 1);
  EXPECT_EQ(errorOf(altered), "frozen module: the plan replaces other inputs "
                              "by its outputs than the program");
  altered = packaged;
  altered.mutable_plan()->add_faults();
  EXPECT_EQ(errorOf(altered), "frozen module: the plan has 1 ops that may "
                              "fail, the program 0");
}

} // namespace
} // namespace gensyn
