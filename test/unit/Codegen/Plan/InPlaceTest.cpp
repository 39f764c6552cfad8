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

/// A scatter of a slice; `base` and `updates` are arguments of the kernel.
static std::string makeScatter(const std::string &updates) {
  return R"(
      %n = repro.kernel "write" (%b = %t : tensor<4x8xf32>, %u = %s : tensor<8xf32>, %j = %i : tensor<i64>) -> tensor<4x8xf32> {
        %z = repro.slice %b start [0, 0] limit [1, 8] stride [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
        %v = repro.reshape %z : tensor<1x8xf32> to tensor<8xf32>
        %w = repro.scatter set %b, )" +
         updates +
         R"([%j] maps [affine_map<(d0)[s0] -> (s0, d0)>, affine_map<(d0) -> ()>]
            bounds zero : tensor<4x8xf32>, tensor<8xf32>, tensor<i64>
        repro.yield %w : tensor<4x8xf32>
      }
)";
}

TEST_F(InPlace, scattersOverTheirBase) {
  auto inFunction = [](const std::string &updates) {
    return "func.func @main(%t: tensor<4x8xf32>, %s: tensor<8xf32>, %i: "
           "tensor<i64>) -> tensor<4x8xf32> {" +
           makeScatter(updates) + "return %n : tensor<4x8xf32> }";
  };
  std::string own = inFunction("%u");
  own.erase(own.find("%z = "), own.find("%w = ") - own.find("%z = "));
  EXPECT_EQ(pairsOf(own), "0>0 ");
  // The base's other elements are read for the updates.
  EXPECT_EQ(pairsOf(inFunction("%v")), "");
}

/// A loop that writes a slice of a carried value; `last` follows the scatter.
static std::string makeLoop(const std::string &last) {
  std::string write = makeScatter("%u");
  write.erase(write.find("%z = "), write.find("%w = ") - write.find("%z = "));
  const std::string read = R"(
      %m = repro.kernel "read" (%b = )" +
                           last + R"( : tensor<4x8xf32>) -> tensor<8xf32> {
        %z = repro.slice %b start [0, 0] limit [1, 8] stride [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
        %v = repro.reshape %z : tensor<1x8xf32> to tensor<8xf32>
        repro.yield %v : tensor<8xf32>
      }
)";
  return R"(
  func.func @main(%x: tensor<8xf32>, %y: tensor<4x8xf32>) -> tensor<8xf32> {
    %r:2 = repro.loop trips 3 (%i, %s = %x : tensor<8xf32>, %t = %y : tensor<4x8xf32>) {)" +
         write + read + R"(
      repro.yield %m, %n : tensor<8xf32>, tensor<4x8xf32>
    }
    %c = repro.kernel "copy" (%b = %r#1 : tensor<4x8xf32>) -> tensor<8xf32> {
      %z = repro.slice %b start [0, 0] limit [1, 8] stride [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
      %v = repro.reshape %z : tensor<1x8xf32> to tensor<8xf32>
      repro.yield %v : tensor<8xf32>
    }
    return %c : tensor<8xf32>
  })";
}

TEST_F(InPlace, carriedValues) {
  auto isInPlace = [](const plan::Plan &plan, int carried) {
    for (const plan::Step &step : plan.steps())
      if (step.has_loop())
        return step.loop().carries(carried).current() ==
               step.loop().carries(carried).next();
    return false;
  };
  plan::Plan plan = planOf(makeLoop("%n"));
  EXPECT_FALSE(isInPlace(plan, 0));
  EXPECT_TRUE(isInPlace(plan, 1));
  EXPECT_EQ(plan.memory().written_in_place(), 1u);
  // The old value is read after the scatter, or the scatter is two launches.
  EXPECT_FALSE(isInPlace(planOf(makeLoop("%t")), 1));
  EXPECT_FALSE(isInPlace(planOf(makeLoop("%n"), 2), 1));
}
