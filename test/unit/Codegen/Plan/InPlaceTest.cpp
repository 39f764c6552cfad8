// Results over operands: what a kernel's region allows, and what a plan makes
// of it.

#include "gensyn/Codegen/Plan/InPlace.h"

#include "gensyn/Codegen/Plan/Plan.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace gensyn;

namespace {

class InPlace : public ::testing::Test {
protected:
  InPlace() { context.loadDialect<func::FuncDialect, repro::ReproDialect>(); }

  func::FuncOp parse(const std::string &text) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << text;
      std::abort();
    }
    return *module->getOps<func::FuncOp>().begin();
  }

  /// The pairs of the only kernel, "operand>result".
  std::string pairsOf(const std::string &text) {
    std::string found;
    auto kernel = *parse(text).getOps<repro::KernelOp>().begin();
    for (auto [operand, result] : codegen::findInPlacePairs(kernel))
      found += std::to_string(operand) + ">" + std::to_string(result) + " ";
    return found;
  }

  /// A plan in which each kernel is `launches` launches.
  plan::Plan planOf(const std::string &text, int launches = 1) {
    plan::Plan plan;
    auto make =
        [&](repro::KernelOp kernel) -> FailureOr<codegen::KernelLaunches> {
      codegen::KernelLaunches made;
      for (int i = 0; i < launches; ++i)
        made.launches.emplace_back().set_kernel(kernel.getSym().str());
      return made;
    };
    EXPECT_TRUE(succeeded(codegen::buildPlan(parse(text), make, plan)));
    return plan;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// True if the last buffer of a launch has the memory of the operand with the
/// given number.
bool writesOver(const plan::Plan &plan, int launch, int operand) {
  const auto &buffers = plan.launches(launch).buffers();
  return buffers[buffers.size() - 1] == buffers[operand];
}

/// Blocks whose lifetimes overlap do not share memory; a buffer lives from the
/// first launch that uses it to the last.
void expectDisjoint(const plan::Plan &plan) {
  struct Life {
    int first = INT32_MAX, last = -1;
  };
  std::vector<Life> lives(static_cast<size_t>(plan.buffers_size()));
  for (int i = 0; i < plan.launches_size(); ++i)
    for (uint32_t buffer : plan.launches(i).buffers()) {
      lives[buffer].first = std::min(lives[buffer].first, i);
      lives[buffer].last = i;
    }
  for (int a = 0; a < plan.buffers_size(); ++a)
    for (int b = 0; b < a; ++b) {
      const plan::Buffer &x = plan.buffers(a), &y = plan.buffers(b);
      if (x.place_case() != plan::Buffer::kArena ||
          y.place_case() != plan::Buffer::kArena ||
          lives[a].last < lives[b].first || lives[b].last < lives[a].first)
        continue;
      EXPECT_TRUE(x.arena() + x.bytes() <= y.arena() ||
                  y.arena() + y.bytes() <= x.arena())
          << a << " and " << b;
    }
}

} // namespace

TEST_F(InPlace, pointwiseKernels) {
  // %s is one number for all elements, %i is of another type, %w is read at
  // other elements too.
  EXPECT_EQ(pairsOf(R"(
    func.func @main(%x: tensor<4x8xf32>, %s: tensor<f32>, %i: tensor<4x8xi32>, %w: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
      %y:2 = repro.kernel "k" (%a = %x : tensor<4x8xf32>, %b = %s : tensor<f32>, %c = %i : tensor<4x8xi32>, %d = %w : tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
        %e = repro.broadcast %b dims [] : tensor<f32> to tensor<4x8xf32>
        %f = repro.broadcast %d dims [1] : tensor<8xf32> to tensor<4x8xf32>
        %g = repro.convert %c : tensor<4x8xi32> to tensor<4x8xf32>
        %h = repro.mul %a, %e : tensor<4x8xf32>
        %k = repro.add %f, %g : tensor<4x8xf32>
        %l = repro.add %h, %k : tensor<4x8xf32>
        repro.yield %h, %l : tensor<4x8xf32>, tensor<4x8xf32>
      }
      return %y#0, %y#1 : tensor<4x8xf32>, tensor<4x8xf32>
    })"),
            "0>0 0>1 ");
}

TEST_F(InPlace, otherElementsAreRead) {
  // Added to its transpose, or reduced: an element has several readers.
  EXPECT_EQ(pairsOf(R"(
    func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %y = repro.kernel "k" (%a = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
        %b = repro.transpose %a [1, 0] : tensor<4x4xf32> to tensor<4x4xf32>
        %c = repro.add %a, %b : tensor<4x4xf32>
        repro.yield %c : tensor<4x4xf32>
      }
      return %y : tensor<4x4xf32>
    })"),
            "");
}

TEST_F(InPlace, componentsSideBySide) {
  // Each result over what its own component reads.
  EXPECT_EQ(pairsOf(R"(
    func.func @main(%x: tensor<8xf32>, %y: tensor<5xf32>, %z: tensor<5xf32>) -> (tensor<8xf32>, tensor<5xf32>) {
      %r:2 = repro.kernel "k" (%a = %x : tensor<8xf32>, %b = %y : tensor<5xf32>, %c = %z : tensor<5xf32>) -> (tensor<8xf32>, tensor<5xf32>) {
        %d = repro.neg %a : tensor<8xf32>
        %e = repro.sub %b, %c : tensor<5xf32>
        repro.yield %d, %e : tensor<8xf32>, tensor<5xf32>
      }
      return %r#0, %r#1 : tensor<8xf32>, tensor<5xf32>
    })"),
            "0>0 1>1 2>1 ");
}

TEST_F(InPlace, componentsThatShareANumber) {
  // Components are computed one after another: over %s the first would write
  // what the second still reads. %t is of one component.
  EXPECT_EQ(pairsOf(R"(
    func.func @main(%s: tensor<f32>, %t: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      %r:2 = repro.kernel "k" (%a = %s : tensor<f32>, %b = %t : tensor<f32>) -> (tensor<f32>, tensor<f32>) {
        %c = repro.neg %a : tensor<f32>
        %d = repro.sub %a, %b : tensor<f32>
        repro.yield %c, %d : tensor<f32>, tensor<f32>
      }
      return %r#0, %r#1 : tensor<f32>, tensor<f32>
    })"),
            "1>1 ");
}

static const char *chain = R"(
  func.func @main(%x: tensor<100xf32>) -> tensor<100xf32> {
    %a = repro.kernel "a" (%p = %x : tensor<100xf32>) -> tensor<100xf32> {
      %q = repro.neg %p : tensor<100xf32>
      repro.yield %q : tensor<100xf32>
    }
    %b = repro.kernel "b" (%p = %a : tensor<100xf32>) -> tensor<100xf32> {
      %q = repro.sqrt %p : tensor<100xf32>
      repro.yield %q : tensor<100xf32>
    }
    %c = repro.kernel "c" (%p = %b : tensor<100xf32>) -> tensor<100xf32> {
      %q = repro.abs %p : tensor<100xf32>
      repro.yield %q : tensor<100xf32>
    }
    %d = repro.kernel "d" (%p = %c : tensor<100xf32>, %o = %b : tensor<100xf32>) -> tensor<100xf32> {
      %q = repro.add %p, %o : tensor<100xf32>
      repro.yield %q : tensor<100xf32>
    }
    return %d : tensor<100xf32>
  })";

TEST_F(InPlace, deadOperandsAreOverwritten) {
  plan::Plan plan = planOf(chain);
  ASSERT_EQ(plan.launches_size(), 4);
  EXPECT_TRUE(writesOver(plan, 1, 0));  // b over a
  EXPECT_FALSE(writesOver(plan, 2, 0)); // d reads b again
  expectDisjoint(plan);
  EXPECT_EQ(plan.arena_bytes(), 2 * 448u);
  EXPECT_EQ(plan.memory().lower_bound(), 2 * 448u);
  EXPECT_EQ(plan.memory().without_reuse(), 2 * 448u);
  EXPECT_EQ(plan.memory().written_in_place(), 1u);
  EXPECT_EQ(plan.memory().largest_size(), 2);
  // In kernels with several launches a later one may read operands after the
  // first has written results.
  plan = planOf(chain, 2);
  EXPECT_FALSE(writesOver(plan, 2, 0));
  EXPECT_EQ(plan.memory().written_in_place(), 0u);
  expectDisjoint(plan);
}

/// A step with a parameter and its momentum, which outputs 0 and 1 replace;
/// `reader` follows it and returns a loss.
static std::string makeStep(const std::string &reader) {
  return R"(
  module attributes {gensyn.donated = array<i64: 0, 1, -1>} {
  func.func @main(%w: tensor<64xf32>, %m: tensor<64xf32>, %g: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
    %n = repro.kernel "momentum" (%a = %m : tensor<64xf32>, %b = %g : tensor<64xf32>) -> tensor<64xf32> {
      %c = repro.add %a, %b : tensor<64xf32>
      repro.yield %c : tensor<64xf32>
    }
    %v = repro.kernel "update" (%a = %w : tensor<64xf32>, %b = %n : tensor<64xf32>) -> tensor<64xf32> {
      %c = repro.sub %a, %b : tensor<64xf32>
      repro.yield %c : tensor<64xf32>
    }
    %l = repro.kernel "loss" (%a = )" +
         reader + R"( : tensor<64xf32>) -> tensor<64xf32> {
      %c = repro.neg %a : tensor<64xf32>
      repro.yield %c : tensor<64xf32>
    }
    return %v, %n, %l : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  }
  })";
}

TEST_F(InPlace, outputsOverWhatTheyReplace) {
  auto inPlace = [&](const std::string &reader) {
    plan::Plan plan = planOf(makeStep(reader));
    return std::vector<bool>(plan.in_place().begin(), plan.in_place().end());
  };
  EXPECT_EQ(inPlace("%g"), (std::vector<bool>{true, true, false}));
  EXPECT_EQ(inPlace("%v"), (std::vector<bool>{true, true, false}));
  // The old parameter is read after the new one was written.
  EXPECT_EQ(inPlace("%w"), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(inPlace("%m"), (std::vector<bool>{true, false, false}));
}
