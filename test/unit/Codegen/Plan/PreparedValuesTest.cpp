// Kernels that a plan runs once per set of parameters.

#include "gensyn/Codegen/Plan/LastingOperands.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace gensyn;

namespace {

/// One launch, with a workspace of 100 bytes if the kernel's name begins with
/// "work". A kernel "pack" packs its first operand in a launch of its own, if
/// the operand lasts before runs; the other launch does not read it then.
codegen::KernelLaunches makeLaunches(repro::KernelOp kernel) {
  codegen::KernelLaunches made;
  const StringRef name = kernel.getSym();
  if (name.starts_with("work"))
    made.workspaces.push_back(100);
  if (name.starts_with("pack")) {
    made.workspaces = {64, 200};
    plan::Launch &launch = made.launches.emplace_back();
    launch.set_kernel(("before " + name).str());
    if (codegen::isLastingOperand(kernel, 0)) {
      launch.set_prepares(true);
      made.prepared.push_back(1);
      made.unread.push_back(0);
    }
  }
  made.launches.emplace_back().set_kernel(name.str());
  return made;
}

plan::Plan planOf(const std::string &text,
                  std::optional<uint64_t> limit = std::nullopt) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, repro::ReproDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  plan::Plan plan;
  if (!module) {
    ADD_FAILURE() << text;
    return plan;
  }
  codegen::PlanOptions options;
  options.preparedBytes = limit;
  options.describe = makeLaunches;
  EXPECT_TRUE(succeeded(codegen::buildPlan(
      *module->getOps<func::FuncOp>().begin(), makeLaunches, plan, options)));
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
    EXPECT_EQ(preparing(planOf(program(role, kChain), 2000)), "first work ");
  for (const char *role : {"input", "target", "key", "step"})
    EXPECT_EQ(preparing(planOf(program(role, kChain), 2000)), "");
}

TEST(PreparedValues, memoryIsNotThatOfRuns) {
  const plan::Plan plan = planOf(program("parameter", kChain), 2000);
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
             2000);
  EXPECT_EQ(two.prepared_bytes(), 2 * 448u);
  // Nor is one whose only reader comes before those in the text.
  const plan::Plan three = planOf(
      program("parameter",
              unary("a", "w", "first") + binary("c", "a", "x", "other") +
                  unary("b", "w", "second") + unary("d", "w", "third") +
                  binary("e", "b", "d", "sum") + binary("r", "d", "c", "last")),
      2000);
  EXPECT_EQ(preparing(three), "first second third sum ");
  EXPECT_EQ(three.prepared_bytes(), 4 * 448u);
}

TEST(PreparedValues, limits) {
  // Runs read the second result alone, which is as large as the parameter.
  const std::string chain = program("parameter", kChain);
  EXPECT_EQ(preparing(planOf(chain)), "first work ");
  EXPECT_EQ(preparing(planOf(chain, 399)), "");
  EXPECT_EQ(preparing(planOf(chain, 0)), "");
  EXPECT_EQ(planOf(chain, 0).prepared_bytes(), 0u);
  // Of two values that runs read, the first if there is room for one.
  const std::string two = program(
      "parameter", unary("a", "w", "first") + unary("b", "w", "second") +
                       binary("c", "a", "x", "other") +
                       binary("r", "b", "c", "last"));
  EXPECT_EQ(preparing(planOf(two)), "first ");
  EXPECT_EQ(preparing(planOf(two, 799)), "first ");
  EXPECT_EQ(preparing(planOf(two, 800)), "first second ");
}

TEST(PreparedValues, partsOfKernels) {
  const std::string text = program(
      "parameter", unary("a", "w", "first") + binary("b", "a", "x", "pack") +
                       binary("r", "x", "b", "pack x"));
  const plan::Plan plan = planOf(text);
  EXPECT_EQ(preparing(plan), "first before pack ");
  ASSERT_EQ(plan.launches_size(), 5);
  const auto placeOf = [&](int launch, int argument) {
    return resultOf(plan, launch, argument).place_case();
  };
  // Arguments: two operands, the result, two workspaces.
  for (int launch : {1, 2}) {
    EXPECT_EQ(placeOf(launch, 2), plan::Buffer::kArena);
    EXPECT_EQ(placeOf(launch, 3), plan::Buffer::kArena);
    EXPECT_EQ(placeOf(launch, 4), plan::Buffer::kPrepared);
  }
  // The run does not read the operand, so it needs no memory then.
  EXPECT_EQ(placeOf(1, 0), plan::Buffer::kPrepared);
  EXPECT_EQ(resultOf(plan, 2, 0).bytes(), 0u);
  EXPECT_EQ(plan.launches(2).buffers(1), plan.launches(1).buffers(1));
  EXPECT_EQ(plan.prepared_bytes(), 448u + 256);
  // Of an operand that does not last nothing is prepared.
  EXPECT_EQ(placeOf(3, 4), plan::Buffer::kArena);
  EXPECT_EQ(resultOf(plan, 4, 0).bytes(), 400u);

  // Without room for its workspace the kernel packs in each run.
  EXPECT_EQ(preparing(planOf(text, 200)), "first before pack ");
  EXPECT_EQ(preparing(planOf(text, 199)), "");
  const plan::Plan without = planOf(text, 0);
  EXPECT_EQ(preparing(without), "");
  EXPECT_EQ(resultOf(without, 2, 0).bytes(), 400u);
}

TEST(PreparedValues, operandsOfManyKernelsAreNotCopied) {
  const std::string twice =
      binary("a", "w", "x", "pack") + binary("b", "w", "a", "pack");
  EXPECT_EQ(preparing(planOf(
                program("parameter", twice + binary("r", "x", "b", "last")))),
            "before pack before pack ");
  const std::string thrice = twice + binary("c", "w", "b", "pack");
  EXPECT_EQ(preparing(planOf(
                program("parameter", thrice + binary("r", "x", "c", "last")))),
            "");
  // Others still are, with the memory that the copies would have taken.
  EXPECT_EQ(
      preparing(planOf(program("parameter", thrice + unary("d", "w", "first") +
                                                binary("r", "d", "c", "pack")),
                       600)),
      "first before pack ");
}

TEST(PreparedValues, loopsReadWhatWasPrepared) {
  const plan::Plan plan = planOf(R"(
    func.func @main(%w: tensor<100xf32> {gensyn.role = "parameter"}, %x: tensor<100xf32> {gensyn.role = "input"}) -> tensor<100xf32> {
      %a = repro.kernel "first" (%k = %w : tensor<100xf32>) -> tensor<100xf32> {
        %l = repro.neg %k : tensor<100xf32>
        repro.yield %l : tensor<100xf32>
      }
      %s = repro.loop trips 3 (%i, %c = %x : tensor<100xf32>) invariant (%v = %a : tensor<100xf32>) {
        %b = repro.kernel "pack" (%k = %v : tensor<100xf32>, %l = %c : tensor<100xf32>) -> tensor<100xf32> {
          %m = repro.add %k, %l : tensor<100xf32>
          repro.yield %m : tensor<100xf32>
        }
        repro.yield %b : tensor<100xf32>
      }
      %r = repro.kernel "last" (%k = %s : tensor<100xf32>) -> tensor<100xf32> {
        %l = repro.neg %k : tensor<100xf32>
        repro.yield %l : tensor<100xf32>
      }
      return %r : tensor<100xf32>
    })");
  EXPECT_EQ(preparing(plan), "first before pack ");
  ASSERT_EQ(plan.steps_size(), 3); // a copy, the loop, the last kernel
  const plan::Step::Loop &loop = plan.steps(1).loop();
  ASSERT_EQ(loop.body_size(), 1);
  EXPECT_EQ(plan.launches(int(loop.body(0).launch())).kernel(), "pack");
}

TEST(PreparedValues, whatRunsChangeIsNotPrepared) {
  // The result replaces the parameter.
  EXPECT_EQ(preparing(planOf(program("parameter", kChain,
                                     "attributes {gensyn.donated = array<i64: "
                                     "0>}"),
                             2000)),
            "");
  EXPECT_EQ(preparing(planOf(program("parameter", kChain,
                                     "attributes {gensyn.donated = array<i64: "
                                     "1>}"),
                             2000)),
            "first work ");
  // A result of the program is written in each run.
  EXPECT_EQ(preparing(planOf(program("parameter", unary("a", "w", "first") +
                                                      unary("r", "a", "last")),
                             2000)),
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
  EXPECT_EQ(preparing(planOf(text, 2000)), "");
}

} // namespace
