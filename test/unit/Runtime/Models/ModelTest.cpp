// Requests and defaults that follow from the options of a model.

#include "gensyn/Runtime/Models/Model.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Data/GivenTensors.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

using namespace gensyn;
using namespace gensyn::runtime;

/// The message of the usage error that `call` throws.
template <class Call> static std::string usageError(Call call) {
  try {
    call();
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code, ExitCode::Usage);
    return failure.what();
  }
  return "no error";
}

TEST(ModelOptions, refusesAnUnknownBackend) {
  for (const char *known : {"cpu", "reference", "ptx-sim", "cuda", "machine:x"})
    EXPECT_NO_THROW(checkBackend(known));
  EXPECT_EQ(usageError([] { checkBackend("gpu"); }),
            "backend 'gpu' is not known");
}

TEST(ModelOptions, cacheFolderFollowsTheEnvironment) {
  ::setenv("HOME", "/home/x", 1);
  ::setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(defaultCache(), "/cache/gensyn");
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(defaultCache(), "/home/x/.cache/gensyn");
  ::unsetenv("HOME");
  EXPECT_EQ(defaultCache(), "");
}

TEST(Model, compileRequestHasTheOptions) {
  ModelOptions options;
  options.model = "m.onnx";
  options.dims = {{"batch", 8}};
  options.threads = 3;
  options.accuracy = "exact";
  options.batchOrigin = "--batch";
  const GivenTensors given = {"x.npz", {{"x", {8, 2}}}};
  const plan::CompileRequest request = makeCompileRequest(
      options, ProgramKind::Infer, "{}", "cpu:x86-64", 8, given);
  EXPECT_EQ(request.model_path(), "m.onnx");
  EXPECT_EQ(request.recipe_json(), "") << "inference has no recipe";
  EXPECT_EQ(request.dims().at("batch"), 8);
  EXPECT_EQ(request.threads(), 3u);
  EXPECT_EQ(request.accuracy(), "exact");
  EXPECT_EQ(request.batch_origin(), "--batch");
  EXPECT_EQ(request.given().tensors(0).name(), "x");
  EXPECT_FALSE(request.has_symbolic_seed());
  EXPECT_EQ(
      makeCompileRequest(options, ProgramKind::Grad, "{}", "cpu:x86-64", 8)
          .recipe_json(),
      "{}");
}

TEST(Model, weightsAreForMachines) {
  ModelOptions options;
  options.weights = "resident";
  auto request = [&](const std::string &target) {
    return makeCompileRequest(options, ProgramKind::Infer, "", target, 0);
  };
  EXPECT_EQ(usageError([&] { request("cpu:x86-64"); }),
            "--weights is for machine:NAME");
  options.hasOtherTargets = true;
  EXPECT_EQ(request("cpu:x86-64").weights(), "");
  EXPECT_EQ(request("machine:gap9").weights(), "resident");
  EXPECT_EQ(request("machine:gap9").host(), "");
  options.bodies = true;
  EXPECT_NE(request("machine:gap9").host(), "");
}
