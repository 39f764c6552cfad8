// The schedule of contractions over windows against the op's own evaluation,
// bit for bit: strides, dilations, pads, flipped taps, several filters, one
// dimension, narrow types, epilogues, odd sizes, all targets.

#include "Contract/WindowContractSchedule.h"
#include "ProgramText.h"
#include "RunProgram.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;

namespace gensyn::cpu {
namespace {

using testing::ContractCase;
using testing::mapsOf;
using testing::tensorOf;

/// A depthwise convolution with several filters a channel.
struct Depthwise {
  int64_t images, channels, filters, height, width, taps, stride, dilation, pad;
  bool isFlipped = false;
  const char *image = "f32", *weight = "f32", *result = "f32";

  int64_t outputs(int64_t extent) const {
    return (extent + 2 * pad - dilation * (taps - 1) - 1) / stride + 1;
  }
  std::vector<int64_t> shape() const {
    return {images, channels, filters, outputs(height), outputs(width)};
  }
  std::string index(const char *output, const char *tap) const {
    const int64_t step = isFlipped ? -dilation : dilation,
                  low = isFlipped ? dilation * (taps - 1) - pad : -pad;
    return std::to_string(stride) + " * " + output + " + " +
           std::to_string(step) + " * " + tap + " + " + std::to_string(low);
  }
  ContractCase text(const char *name) const {
    const std::string x =
        "d0, d1, " + index("d3", "d5") + ", " + index("d4", "d6");
    std::vector<int64_t> domain = shape();
    domain.insert(domain.end(), {taps, taps});
    const bool isFloat = result[0] != 'i';
    return {name, tensorOf({images, channels, height, width}, image),
            tensorOf({channels, filters, taps, taps}, weight),
            tensorOf(shape(), result),
            "domain <" + testing::listOf(domain) + ", reduce [5, 6]>" +
                mapsOf(7, {x.c_str(), "d1, d2, d5, d6", "d0, d1, d2, d3, d4"}) +
                " bounds [" + (pad ? "zero" : "in") + ", in]" +
                (isFloat ? " order sequential" : "")};
  }
};

std::vector<ContractCase> windows() {
  std::vector<ContractCase> all;
  auto add = [&](const char *name, const Depthwise &of) {
    all.push_back(of.text(name));
  };
  add("whole vectors", {2, 3, 1, 9, 32, 3, 1, 1, 1});
  add("narrow rows", {1, 5, 1, 13, 7, 3, 1, 1, 1});
  add("two vectors", {1, 2, 1, 11, 28, 5, 1, 1, 2});
  add("strided", {1, 3, 1, 20, 37, 3, 2, 1, 1});
  add("strided, many taps", {2, 2, 1, 15, 61, 5, 2, 1, 2});
  add("strided, one tap", {1, 2, 1, 9, 40, 1, 2, 1, 0});
  add("dilated", {1, 2, 1, 12, 35, 3, 1, 2, 2});
  add("strided and dilated", {1, 2, 1, 17, 50, 3, 2, 3, 3});
  add("without a pad", {1, 3, 1, 8, 21, 3, 1, 1, 0});
  add("a pad of more than the image", {1, 2, 1, 3, 4, 7, 1, 1, 3});
  add("filters", {2, 2, 3, 7, 19, 3, 1, 1, 1});
  add("49 taps", {1, 2, 1, 14, 33, 7, 1, 1, 3});
  add("flipped", {1, 3, 1, 10, 26, 3, 1, 1, 1, true});
  add("bf16", {1, 2, 1, 9, 21, 3, 1, 1, 1, false, "bf16", "bf16"});
  add("f16", {1, 2, 1, 9, 45, 3, 2, 1, 1, false, "f16", "f32"});
  add("f64", {1, 2, 1, 9, 21, 3, 2, 1, 1, false, "f32", "f64", "f64"});
  add("i8", {1, 2, 1, 9, 41, 3, 2, 1, 1, false, "i8", "i8", "i32"});
  add("i8 results", {2, 2, 1, 9, 22, 3, 1, 1, 1, false, "i8", "i8", "i8"});
  const char *row = "d0, d1, d2 * 2 + d3 - 1";
  all.push_back({"one dimension", tensorOf({3, 4, 67}), tensorOf({4, 3}),
                 tensorOf({3, 4, 34}),
                 "domain <[3, 4, 34, 3], reduce [3]>" +
                     mapsOf(4, {row, "d1, d3", "d0, d1, d2"}) +
                     " bounds [zero, in] order sequential"});
  const char *transposed = "d0, d1 + d3 - 1, d2 + d4 - 1";
  all.push_back({"rows of the result apart", tensorOf({2, 9, 20}),
                 tensorOf({2, 3, 3}), tensorOf({9, 2, 20}),
                 "domain <[2, 9, 20, 3, 3], reduce [3, 4]>" +
                     mapsOf(5, {transposed, "d0, d3, d4", "d1, d0, d2"}) +
                     " bounds [zero, in] order sequential"});
  all.push_back({"weights on the left", tensorOf({2, 3, 3}),
                 tensorOf({2, 9, 20}), tensorOf({2, 9, 20}),
                 "domain <[2, 9, 20, 3, 3], reduce [3, 4]>" +
                     mapsOf(5, {"d0, d3, d4", transposed, "d0, d1, d2"}) +
                     " bounds [in, zero] order sequential"});
  return all;
}

WindowSizes tableSizes(WindowSizes sizes, const WindowContraction &) {
  return sizes;
}

void check(
    const std::string &text, const Target &target,
    std::function<WindowSizes(WindowSizes, const WindowContraction &)> choose,
    uint32_t seed) {
  SCOPED_TRACE(text + " seed " + std::to_string(seed));
  testing::Program program(text);
  program.forms = {"nearby", "epilogues", "pointwise"};
  std::unique_ptr<Schedule> schedule =
      createWindowContractSchedule(std::move(choose));
  OwningOpRef<ModuleOp> kernels = program.formKernels();
  bool isTaken = false;
  kernels->walk([&](repro::KernelOp kernel) {
    isTaken |= schedule->match(kernel, target).has_value();
  });
  EXPECT_TRUE(isTaken);
  testing::expectBits(
      program, std::move(schedule), target,
      {program.makeInputs(seed), program.makeFiniteInputs(seed)});
}

TEST(WindowContractSchedule, TableHasTheOpsBitsOnEveryTarget) {
  uint32_t seed = 1;
  for (const Target *target : testing::getRunnableTargets())
    for (const ContractCase &form : windows())
      check(form.text(), *target, tableSizes, seed++);
}

TEST(WindowContractSchedule, OddSizesHaveTheOpsBits) {
  const Target &target = *testing::getRunnableTargets().back();
  for (uint32_t seed = 1; seed <= 2; ++seed)
    for (const ContractCase &form : windows())
      check(
          form.text(), target,
          [&](WindowSizes sizes, const WindowContraction &view) {
            std::mt19937 random(seed);
            sizes.lanes = 4 << random() % 2;
            const int64_t vectors =
                (view.columns.results + sizes.lanes - 1) / sizes.lanes;
            sizes.vectors = vectors % 3 == 0 ? 3 : vectors % 2 == 0 ? 2 : 1;
            sizes.rows = 1 + int64_t(random() % 3);
            sizes.rows = std::min(sizes.rows, view.rows.results);
            sizes.tileRows = std::min(sizes.rows * (1 + int64_t(random() % 2)),
                                      view.rows.results);
            return sizes;
          },
          seed);
}

// An activation, a bias of each channel, another tensor, and the contraction's
// own value as a result.
TEST(WindowContractSchedule, EpiloguesHaveTheOpsBits) {
  uint32_t seed = 1;
  for (const Target *target : testing::getRunnableTargets())
    for (const Depthwise &of : {Depthwise{2, 3, 1, 9, 30, 3, 1, 1, 1},
                                Depthwise{1, 4, 2, 21, 14, 5, 2, 1, 2},
                                Depthwise{1, 2, 1, 9, 70, 3, 1, 1, 1}}) {
      const ContractCase form = of.text("");
      const std::vector<int64_t> shape = of.shape();
      const std::string bias = tensorOf({shape[1], shape[2]}),
                        flat = tensorOf({shape[0], shape[1] * shape[2],
                                         shape[3], shape[4]});
      check("func.func @f(%a: " + form.lhs + ", %b: " + form.rhs +
                ", %bias: " + bias + ", %x: " + flat + ") -> (" + flat + ", " +
                form.result + ") {\n  %c = repro.contract %a, %b " + form.form +
                " : " + form.lhs + ", " + form.rhs + " -> " + form.result +
                "\n  %w = repro.broadcast %bias dims [1, 2] : " + bias +
                " to " + form.result + "\n  %s = repro.add %c, %w : " +
                form.result + "\n  %r = repro.reshape %s : " + form.result +
                " to " + flat + "\n  %g = repro.sigmoid %r : " + flat +
                "\n  %p = repro.mul %r, %g : " + flat +
                "\n  %y = repro.add %p, %x : " + flat +
                "\n  return %y, %c : " + flat + ", " + form.result + "\n}\n",
            *target, tableSizes, seed++);
    }
}

// contract_r3: every product underflows to -0, and so does the chain.
TEST(WindowContractSchedule, ZeroResultsArePositive) {
  testing::Program program(windows().front().text());
  std::vector<Tensor> inputs = program.makeInputs(1);
  std::fill_n(inputs[0].as<float>(), inputs[0].numElements(), -1e-30f);
  std::fill_n(inputs[1].as<float>(), inputs[1].numElements(), 1e-30f);
  for (const Target *target : testing::getRunnableTargets()) {
    Schedules schedules;
    schedules.push_back(createWindowContractSchedule(tableSizes));
    schedules.push_back(createBaselineSchedule());
    CompileOptions options;
    options.target = target;
    options.schedules = &schedules;
    std::vector<Tensor> actual = program.run(inputs, options);
    ASSERT_EQ(actual.size(), 1u);
    EXPECT_TRUE(actual[0].bitEqual(Tensor(ElementType::F32, {2, 3, 1, 9, 32})))
        << target->name;
  }
}

TEST(WindowContractSchedule, TakesWideImages) {
  auto scheduleOf = [](const Depthwise &of) {
    return testing::schedulesOf(of.text("").text());
  };
  EXPECT_EQ(scheduleOf({1, 32, 1, 112, 112, 3, 1, 1, 1}),
            std::vector<std::string>{"window-contract"});
  EXPECT_EQ(scheduleOf({1, 960, 1, 7, 7, 5, 1, 1, 2}),
            std::vector<std::string>{"batch-contract"});
}

} // namespace
} // namespace gensyn::cpu
