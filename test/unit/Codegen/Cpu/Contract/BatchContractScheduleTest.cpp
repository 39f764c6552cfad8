// The schedule for vectors along a batch against the op's own evaluation, bit
// for bit: grouped convolutions and their gradients with strides, dilations and
// pads, products of a batch, odd sizes, special values, all targets.

#include "Contract/BatchContractSchedule.h"
#include "ProgramText.h"
#include "RunProgram.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace mlir;

namespace gensyn::cpu {
namespace {

using testing::ContractCase;
using testing::mapsOf;
using testing::tensorOf;

/// A grouped convolution of square images.
struct Convolution {
  int64_t images, groups, filters, channels, extent, taps, stride, dilation,
      pad;

  int64_t outputs() const {
    return (extent + 2 * pad - dilation * (taps - 1) - 1) / stride + 1;
  }
  std::string input() const {
    return tensorOf({images, groups, channels, extent, extent});
  }
  std::string weight() const {
    return tensorOf({groups, filters, channels, taps, taps});
  }
  std::string output() const {
    return tensorOf({images, groups, filters, outputs(), outputs()});
  }
  /// "a * x + b * y + c".
  static std::string sum(int64_t a, const char *x, int64_t b, const char *y,
                         int64_t c) {
    return std::to_string(a) + " * " + x + " + " + std::to_string(b) + " * " +
           y + " + " + std::to_string(c);
  }

  ContractCase forward(const std::string &order) const {
    const std::string x = "d0, d1, d5, " +
                          sum(stride, "d3", dilation, "d6", -pad) + ", " +
                          sum(stride, "d4", dilation, "d7", -pad);
    return {
        "forward", input(), weight(), output(),
        "domain <" +
            testing::listOf({images, groups, filters, outputs(), outputs(),
                             channels, taps, taps}) +
            ", reduce [5, 6, 7]>" +
            mapsOf(8, {x.c_str(), "d1, d2, d5, d6, d7", "d0, d1, d2, d3, d4"}) +
            " bounds [" + (pad ? "zero" : "in") + ", in] order " + order};
  }

  /// By phases of the stride (domain_c4), so that no tap is off the lattice.
  ContractCase dataGradient(const std::string &order) const {
    const int64_t gcd = std::gcd(stride, dilation), phases = stride / gcd,
                  step = dilation / gcd;
    const int64_t low = -((dilation * (phases - 1) + stride - 1) / stride) - 1;
    const int64_t high = (extent - 1 + pad) / stride, places = high - low + 1;
    const int64_t kept = (taps + phases - 1) / phases;
    const std::string y = "d0, d1, d7, " + sum(1, "d3", -step, "d8", low) +
                          ", " + sum(1, "d5", -step, "d9", low),
                      w = "d1, d7, d2, " + sum(phases, "d8", 1, "d4", 0) +
                          ", " + sum(phases, "d9", 1, "d6", 0),
                      x = "d0, d1, d2, " +
                          sum(stride, "d3", dilation, "d4",
                              stride * low - pad) +
                          ", " +
                          sum(stride, "d5", dilation, "d6", stride * low - pad);
    return {"data gradient", output(), weight(), input(),
            "domain <" +
                testing::listOf({images, groups, channels, places, phases,
                                 places, phases, filters, kept, kept}) +
                ", reduce [7, 8, 9]>" +
                mapsOf(10, {y.c_str(), w.c_str(), x.c_str()}) +
                " bounds [zero, " + (taps % phases ? "skip" : "in") +
                "] order " + order};
  }

  ContractCase weightGradient(const std::string &order) const {
    const std::string x = "d5, d0, d2, " +
                          sum(stride, "d6", dilation, "d3", -pad) + ", " +
                          sum(stride, "d7", dilation, "d4", -pad);
    return {
        "weight gradient", output(), input(), weight(),
        "domain <" +
            testing::listOf({groups, filters, channels, taps, taps, images,
                             outputs(), outputs()}) +
            ", reduce [5, 6, 7]>" +
            mapsOf(8, {"d5, d0, d1, d6, d7", x.c_str(), "d0, d1, d2, d3, d4"}) +
            " bounds [in, " + (pad ? "zero" : "in") + "] order " + order};
  }
};

std::string blocks(int64_t size) {
  return "blocked<" + std::to_string(size) + ", sequential, sequential>";
}

std::vector<ContractCase> convolutions() {
  std::vector<ContractCase> all;
  // Visits are whole, whole rows, and parts of rows.
  auto add = [&](const Convolution &conv) {
    const std::string orders[] = {"sequential", blocks(conv.outputs()),
                                  blocks(7)};
    const size_t first = all.size() / 3;
    all.push_back(conv.forward(orders[first % 3]));
    all.push_back(conv.dataGradient(orders[(first + 1) % 3]));
    all.push_back(conv.weightGradient(orders[(first + 2 + first / 3) % 3]));
  };
  // images, groups, filters, channels, extent, taps, stride, dilation, pad
  add({2, 19, 1, 1, 9, 3, 1, 1, 1});  // depthwise
  add({1, 16, 1, 1, 20, 3, 2, 1, 1}); // strided
  add({3, 5, 1, 1, 11, 5, 2, 1, 2});
  add({1, 33, 1, 1, 10, 3, 1, 2, 2}); // dilated
  add({1, 7, 1, 1, 13, 3, 3, 2, 1});
  add({1, 4, 1, 1, 9, 7, 1, 1, 3});
  add({2, 6, 2, 1, 7, 3, 1, 1, 1}); // two filters a channel
  add({2, 5, 3, 4, 6, 3, 1, 1, 1}); // grouped
  add({1, 8, 4, 2, 8, 3, 2, 1, 1});
  add({2, 3, 2, 2, 5, 2, 2, 1, 0}); // without a pad
  add({1, 17, 2, 3, 4, 1, 1, 1, 0});
  add({1, 6, 2, 3, 9, 1, 2, 1, 0}); // most elements are not read
  return all;
}

std::vector<ContractCase> products() {
  std::vector<ContractCase> all;
  auto add = [&](const char *name, const std::string &lhs,
                 const std::string &rhs, const std::string &result,
                 const std::string &domain, int rank,
                 ArrayRef<const char *> maps) {
    all.push_back({name, lhs, rhs, result,
                   "domain " + domain + mapsOf(rank, maps) +
                       " bounds [in, in] order " + blocks(5)});
  };
  add("4x4", tensorOf({37, 4, 4}), tensorOf({37, 4, 4}), tensorOf({37, 4, 4}),
      "<[37, 4, 4, 4], reduce [3]>", 4,
      {"d0, d1, d3", "d0, d3, d2", "d0, d1, d2"});
  add("the batch last", tensorOf({4, 3, 21}), tensorOf({3, 5, 21}),
      tensorOf({4, 5, 21}), "<[21, 4, 5, 3], reduce [3]>", 4,
      {"d1, d3, d0", "d3, d2, d0", "d1, d2, d0"});
  add("the batch last in an operand", tensorOf({4, 3, 21}),
      tensorOf({21, 3, 5}), tensorOf({21, 5, 4}), "<[21, 4, 5, 3], reduce [3]>",
      4, {"d1, d3, d0", "d0, d3, d2", "d0, d2, d1"});
  add("heads", tensorOf({2, 7, 3, 16}), tensorOf({2, 9, 3, 16}),
      tensorOf({2, 3, 7, 9}), "<[2, 3, 7, 9, 16], reduce [4]>", 5,
      {"d0, d2, d1, d4", "d0, d3, d1, d4", "d0, d1, d2, d3"});
  add("dots", tensorOf({18, 30}), tensorOf({18, 30}), tensorOf({18}),
      "<[18, 30], reduce [1]>", 2, {"d0, d1", "d0, d1", "d0"});
  add("no sums", tensorOf({18, 3}), tensorOf({18, 4}), tensorOf({18, 4, 3}),
      "<[18, 3, 4], reduce []>", 3, {"d0, d1", "d0, d2", "d0, d2, d1"});
  add("columns of a batch", tensorOf({2, 30, 3, 5}), tensorOf({3, 5}),
      tensorOf({2, 3, 30}), "<[2, 30, 3, 5], reduce [3]>", 4,
      {"d0, d1, d2, d3", "d2, d3", "d0, d2, d1"});
  auto ofBytes = [&](const char *name, int64_t columns) {
    all.push_back(
        {name, tensorOf({4, 17}, "i8"), tensorOf({columns, 4, 17}, "i8"),
         tensorOf({4, columns}, "i8"),
         "domain <" + testing::listOf({4, columns, 17}) + ", reduce [2]>" +
             mapsOf(3, {"d0, d2", "d1, d0, d2", "d0, d1"}) +
             " bounds [in, in] "});
  };
  // Narrow operands, whose blocks are not a whole number of visits, f64, and
  // integers, whose sums have no order.
  auto ofTypes = [&](const char *name, const char *lhs, const char *rhs,
                     const char *result, const std::string &order) {
    all.push_back({name, tensorOf({19, 5, 6}, lhs), tensorOf({19, 6, 3}, rhs),
                   tensorOf({19, 5, 3}, result),
                   "domain <[19, 5, 3, 6], reduce [3]>" +
                       mapsOf(4, {"d0, d1, d3", "d0, d3, d2", "d0, d1, d2"}) +
                       " bounds [in, in] " + order});
  };
  ofTypes("bf16", "bf16", "f32", "f32", "order " + blocks(4));
  ofTypes("f16", "f16", "bf16", "f32", "order sequential");
  ofTypes("f64", "f64", "f32", "f64", "order " + blocks(4));
  ofTypes("i8", "i8", "i8", "i32", "");
  ofTypes("i16", "i4", "i16", "i16", "");
  // Tiles that begin inside a narrow result.
  ofBytes("tiles of i8", 300);
  // Rows of results all of whose points are skipped: none may be multiplied.
  all.push_back({"skipped", tensorOf({10, 4, 13, 9}),
                 tensorOf({10, 2, 4, 1, 3}), tensorOf({10, 2, 9, 5}),
                 "domain <[10, 2, 9, 5, 4, 1, 3], reduce [4, 5, 6]>" +
                     mapsOf(7, {"d0, d4, d2 * 2 + d5 * 3 - 2, d3 * 2 + d6 - 1",
                                "d0, d1, d4, d5, d6", "d0, d1, d2, d3"}) +
                     " bounds [skip, in] order sequential"});
  all.push_back({"images of i8", tensorOf({4, 1, 62}, "i8"),
                 tensorOf({4, 1, 1, 4}, "i8"), tensorOf({4, 1, 65}, "i8"),
                 "domain <[4, 1, 66, 1, 4], reduce [3, 4]>" +
                     mapsOf(5, {"d0, d3, d2 - d4 - 1", "d0, d3, d1, d4",
                                "d0, d1, d2 - 1"}) +
                     " bounds [zero, zero] "});
  return all;
}

std::vector<ContractCase> forms() {
  std::vector<ContractCase> all = convolutions();
  for (const ContractCase &form : products())
    all.push_back(form);
  return all;
}

/// Sizes at random; the schedule fits them to the shapes.
BatchSizes randomSizes(const ContractBox &box, int64_t lanes, uint32_t seed) {
  std::mt19937 random(seed);
  BatchSizes sizes;
  sizes.lanes = lanes;
  SmallVector<unsigned> candidates = findLaneIterators(box);
  while (!candidates.empty()) {
    unsigned *picked = candidates.begin() + random() % candidates.size();
    sizes.laneIterators.push_back(*picked);
    candidates.erase(picked);
    if (random() % 2)
      break;
  }
  for (int64_t extent : box.extents) {
    sizes.blocks.push_back(
        random() % 3 ? 1 + int64_t(random() % std::max<int64_t>(extent, 1))
                     : extent);
    sizes.factors.push_back(1 + int64_t(random() % 3));
  }
  sizes.unroll = 1 + int64_t(random() % 5);
  return sizes;
}

BatchSizes tableSizes(const ContractBox &box, const Target &target) {
  return chooseBatchSizes(box, 4, target)->sizes;
}

void check(const ContractCase &form, const Target &target,
           const std::function<BatchSizes(const ContractBox &)> &choose,
           uint32_t seed) {
  SCOPED_TRACE(std::string(form.name) + " " + form.form + " seed " +
               std::to_string(seed));
  testing::Program program(form.text());
  std::unique_ptr<Schedule> schedule = createBatchContractSchedule(choose);
  OwningOpRef<ModuleOp> kernels = program.formKernels();
  kernels->walk([&](repro::KernelOp kernel) {
    EXPECT_TRUE(schedule->match(kernel, target));
  });
  testing::expectBits(
      program, std::move(schedule), target,
      {program.makeInputs(seed), program.makeFiniteInputs(seed)});
}

TEST(BatchContractSchedule, TableHasTheOpsBitsOnEveryTarget) {
  uint32_t seed = 1;
  const std::vector<const Target *> targets = testing::getRunnableTargets();
  for (const auto &[number, target] : llvm::enumerate(targets))
    for (const auto &[i, form] : llvm::enumerate(forms()))
      if (++seed; testing::isInTurn(i + number, targets.size()))
        check(
            form, *target,
            [&target = *target](const ContractBox &box) {
              return tableSizes(box, target);
            },
            seed);
}

TEST(BatchContractSchedule, OddSizesHaveTheOpsBits) {
  const Target &target = *testing::getRunnableTargets().back();
  uint32_t seed = 1;
  for (const ContractCase &form : forms()) {
    const int64_t lanes = 4 << seed % 3;
    check(
        form, target,
        [&](const ContractBox &box) { return randomSizes(box, lanes, seed); },
        seed);
    ++seed;
  }
}

// contract_r3: every product underflows to -0, and so does the chain.
TEST(BatchContractSchedule, ZeroResultsArePositive) {
  testing::Program program(products().front().text());
  std::vector<Tensor> inputs = program.makeInputs(1);
  std::fill_n(inputs[0].as<float>(), inputs[0].numElements(), -1e-30f);
  std::fill_n(inputs[1].as<float>(), inputs[1].numElements(), 1e-30f);
  for (const Target *target : testing::getRunnableTargets()) {
    Schedules schedules;
    schedules.push_back(createBatchContractSchedule(
        [&](const ContractBox &box) { return tableSizes(box, *target); }));
    schedules.push_back(createBaselineSchedule());
    CompileOptions options;
    options.target = target;
    options.schedules = &schedules;
    std::vector<Tensor> actual = program.run(inputs, options);
    ASSERT_EQ(actual.size(), 1u);
    EXPECT_TRUE(actual[0].bitEqual(Tensor(ElementType::F32, {37, 4, 4})))
        << target->name;
  }
}

TEST(BatchContractSchedule, TakesWhatIsFasterWithVectorsAlongTheBatch) {
  auto depthwise = Convolution{1, 64, 1, 1, 10, 3, 1, 1, 1};
  for (const ContractCase &form :
       {depthwise.forward("sequential"), depthwise.dataGradient("sequential"),
        depthwise.weightGradient("sequential")})
    EXPECT_EQ(testing::schedulesOf(form.text()),
              std::vector<std::string>{"batch-contract"})
        << form.name;
  // Products that fill vectors by themselves, and one without a batch.
  auto wide = Convolution{1, 2, 64, 64, 28, 3, 1, 1, 1};
  for (const ContractCase &form :
       {wide.forward("sequential"),
        testing::matmul("matmul", 64, 64, 64, false, false)})
    EXPECT_EQ(testing::schedulesOf(form.text()),
              std::vector<std::string>{"contract"})
        << form.name;
}

} // namespace
} // namespace gensyn::cpu
