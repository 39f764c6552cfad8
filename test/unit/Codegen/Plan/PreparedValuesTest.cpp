// Kernels that a plan runs once per set of parameters.

#include "gensyn/Codegen/Plan/Plan.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace gensyn;

namespace {

/// A plan in which each kernel is one launch, with a workspace of 100 bytes if
/// its name begins with "work".
plan::Plan planOf(const std::string &text,
                  const codegen::PlanOptions &options = {}) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, repro::ReproDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  plan::Plan plan;
  if (!module) {
    ADD_FAILURE() << text;
    return plan;
  }
  auto make =
      [&](repro::KernelOp kernel) -> FailureOr<codegen::KernelLaunches> {
    codegen::KernelLaunches made;
    made.launches.emplace_back().set_kernel(kernel.getSym().str());
    if (kernel.getSym().starts_with("work"))
      made.workspaces.push_back(100);
    return made;
  };
  EXPECT_TRUE(succeeded(codegen::buildPlan(
      *module->getOps<func::FuncOp>().begin(), make, plan, options)));
  return plan;
}

/// The kernels that prepare.
std::string preparing(const plan::Plan &plan) {
  std::string names;
  for (const plan::Launch &launch : plan.launches())
    if (launch.prepares())
      names += launch.kernel() + " ";
  return names;
}

const plan::Buffer &resultOf(const plan::Plan &plan, int launch, int argument) {
  return plan.buffers(int(plan.launches(launch).buffers(argument)));
}

std::string unary(const std::string &result, const std::string &operand,
                  const std::string &name) {
  return "  %" + result + " = repro.kernel \"" + name + "\" (%k = %" + operand +
         " : tensor<100xf32>) -> tensor<100xf32> {\n"
         "    %l = repro.neg %k : tensor<100xf32>\n"
         "    repro.yield %l : tensor<100xf32>\n"
         "  }\n";
}
std::string binary(const std::string &result, const std::string &left,
                   const std::string &right, const std::string &name) {
  return "  %" + result + " = repro.kernel \"" + name + "\" (%k = %" + left +
         " : tensor<100xf32>, %l = %" + right +
         " : tensor<100xf32>) -> tensor<100xf32> {\n"
         "    %m = repro.add %k, %l : tensor<100xf32>\n"
         "    repro.yield %m : tensor<100xf32>\n"
         "  }\n";
}

/// The first argument has a role, the second is an input; x is used at the end.
std::string program(const std::string &role, const std::string &body,
                    const std::string &moduleAttributes = "") {
  return "module " + moduleAttributes +
         " {\nfunc.func @main(%w: tensor<100xf32> {gensyn.role = \"" + role +
         "\"}, %x: tensor<100xf32> {gensyn.role = \"input\"})"
         " -> tensor<100xf32> {\n" +
         body + "  return %r : tensor<100xf32>\n}\n}\n";
}

const std::string kChain = unary("a", "w", "first") + unary("b", "a", "work") +
                           unary("c", "x", "other") +
                           binary("r", "b", "c", "last");

TEST(PreparedValues, whatDependsOnKeptInputsAlone) {
  for (const char *role : {"parameter", "state", "average", "constant"})
    EXPECT_EQ(preparing(planOf(program(role, kChain), {2000})), "first work ");
  for (const char *role : {"input", "target", "key", "step"})
    EXPECT_EQ(preparing(planOf(program(role, kChain), {2000})), "");
}

TEST(PreparedValues, memoryIsNotThatOfRuns) {
  const plan::Plan plan = planOf(program("parameter", kChain), {2000});
  // The first value, which only the second kernel reads, and the workspace give
  // their memory back; nothing else runs before runs do.
  EXPECT_EQ(plan.prepared_bytes(), 448u + 448 + 128);
  EXPECT_EQ(resultOf(plan, 1, 1).place_case(), plan::Buffer::kPrepared);
  EXPECT_EQ(resultOf(plan, 2, 1).place_case(), plan::Buffer::kArena);
  EXPECT_EQ(plan.arena_bytes(), 448u);
  // The last kernel writes over c at most, never over b.
  EXPECT_EQ(plan.buffers_size(), 8 - 1);

  // A value that a run reads is not overwritten by a later one that prepares.
  const plan::Plan two =
      planOf(program("parameter", unary("a", "w", "first") +
                                      unary("b", "w", "second") +
                                      binary("c", "a", "x", "other") +
                                      binary("r", "b", "c", "last")),
             {2000});
  EXPECT_EQ(two.prepared_bytes(), 2 * 448u);
}

TEST(PreparedValues, limits) {
  const std::string text = program("parameter", kChain);
  // 400 bytes of the parameter, the first result, the second and its workspace.
  EXPECT_EQ(preparing(planOf(text)), "first ");
  EXPECT_EQ(preparing(planOf(text, {899})), "first ");
  EXPECT_EQ(preparing(planOf(text, {900})), "first work ");
  EXPECT_EQ(preparing(planOf(text, {399})), "");
  EXPECT_EQ(preparing(planOf(text, {0})), "");
  EXPECT_EQ(planOf(text, {0}).prepared_bytes(), 0u);
}

TEST(PreparedValues, whatRunsChangeIsNotPrepared) {
  // The result replaces the parameter.
  EXPECT_EQ(preparing(planOf(program("parameter", kChain,
                                     "attributes {gensyn.donated = array<i64: "
                                     "0>}"),
                             {2000})),
            "");
  EXPECT_EQ(preparing(planOf(program("parameter", kChain,
                                     "attributes {gensyn.donated = array<i64: "
                                     "1>}"),
                             {2000})),
            "first work ");
  // A result of the program is written in each run.
  EXPECT_EQ(preparing(planOf(program("parameter", unary("a", "w", "first") +
                                                      unary("r", "a", "last")),
                             {2000})),
            "first ");
}

TEST(PreparedValues, aFaultBelongsToARun) {
  const std::string text = R"(
    func.func @main(%w: tensor<100xf32> {gensyn.role = "parameter"}, %i: tensor<4xi32> {gensyn.role = "constant"}) -> tensor<4xf32> {
      %a = repro.kernel "gather" (%b = %w : tensor<100xf32>, %j = %i : tensor<4xi32>) -> tensor<4xf32> {
        %c = repro.gather %b[%j] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>] bounds fault : tensor<100xf32>, tensor<4xi32> -> tensor<4xf32>
        repro.yield %c : tensor<4xf32>
      }
      %r = repro.kernel "last" (%b = %a : tensor<4xf32>) -> tensor<4xf32> {
        %c = repro.neg %b : tensor<4xf32>
        repro.yield %c : tensor<4xf32>
      }
      return %r : tensor<4xf32>
    })";
  EXPECT_EQ(preparing(planOf(text, {2000})), "");
}

} // namespace
