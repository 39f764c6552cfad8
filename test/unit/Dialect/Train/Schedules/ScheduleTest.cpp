// Schedules beside torch.optim.lr_scheduler and transformers
// (torch_schedules.py), and what they are exactly (schedule_r1 to schedule_r8).

#include "../../Harness.h"

#include "gensyn/Dialect/Train/IR/Registry.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using namespace gensyn::train::test;

namespace {
struct ScheduleRow {
  std::string recipe;
  /// True if errors are relative to the factor, and not to 1.
  bool isProduct;
  std::vector<double> factors;
};

/// Collects the errors of what a recipe says.
struct Errors {
  std::string text;
  ScopedDiagnosticHandler handler{&context(), [this](Diagnostic &diagnostic) {
                                    text += diagnostic.str() + ";";
                                    return success();
                                  }};
};
} // namespace

static const ScheduleRow scheduleRows[] = {
#include "TorchSchedules.inc"
};
static const int64_t scheduleSteps[] = {0,  1,  2,  4,  9,  10, 11, 29,
                                        30, 31, 50, 58, 77, 80, 98, 99};
static constexpr double kUlp = 0x1.0p-53;

static ScheduleInterface readScheduleText(const std::string &recipe) {
  const nlohmann::json json = nlohmann::json::parse(recipe);
  RecipeObject object("recipe: schedule", json, UnknownLoc::get(&context()));
  return readSchedule(object);
}

/// The function of a schedule, from a step to its factor.
class Schedule {
public:
  explicit Schedule(const std::string &recipe) {
    ScheduleInterface schedule = readScheduleText(recipe);
    OpBuilder builder(&context());
    Location location = builder.getUnknownLoc();
    module = ModuleOp::create(location);
    builder.setInsertionPointToEnd(module->getBody());
    auto step = RankedTensorType::get({}, builder.getI64Type());
    auto factor = RankedTensorType::get({}, builder.getF64Type());
    auto main = func::FuncOp::create(builder, location, "main",
                                     builder.getFunctionType({step}, {factor}));
    builder.setInsertionPointToEnd(main.addEntryBlock());
    if (!schedule)
      return;
    Value value = schedule.buildFactor(builder, location, main.getArgument(0),
                                       mlir::ValueRange());
    func::ReturnOp::create(builder, location, value);
    EXPECT_TRUE(succeeded(verify(*module))) << recipe;
  }

  double operator()(int64_t step) {
    std::vector<Tensor> results = run(*module, "main", {Tensor::scalar(step)});
    return results.empty() ? NAN : std::as_const(results[0]).as<double>()[0];
  }

private:
  OwningOpRef<ModuleOp> module;
};

// PyTorch goes from step to step by products, each a few roundings off.
TEST(Schedules, ArePyTorchs) {
  for (const ScheduleRow &row : scheduleRows) {
    Schedule schedule(row.recipe);
    for (size_t i = 0; i < std::size(scheduleSteps); ++i) {
      double scale = row.isProduct ? row.factors[i] : 1.0;
      double bound = 8 * kUlp * double(scheduleSteps[i] + 4) * scale;
      EXPECT_NEAR(schedule(scheduleSteps[i]), row.factors[i], bound)
          << row.recipe << " at " << scheduleSteps[i];
    }
  }
}

// A warm-up starts and ends at the stated values, whatever follows.
TEST(Schedules, BeginAndEndExactly) {
  for (std::string kind : {"cosine", "linear", "polynomial"}) {
    Schedule schedule(R"({"kind": ")" + kind +
                      R"(", "total_steps": 77, "final": 0.1})");
    EXPECT_EQ(schedule(0), 1.0);
    for (int64_t step : {77, 78, 1000, 1 << 30})
      EXPECT_EQ(schedule(step), 0.1) << kind << " at " << step;
    Schedule late(R"({"kind": ")" + kind +
                  R"(", "total_steps": 77, "warmup_steps": 7,
                     "warmup_start": 0.5})");
    EXPECT_EQ(late(0), 0.5);
    EXPECT_EQ(late(7), 1.0);
    EXPECT_EQ(late(77), 0.0);
  }
}

// Near the end half a cosine is a square of something small: it keeps its
// digits, where (1 + cos) / 2 has none left.
TEST(Schedules, HalfCosinesKeepTheirDigits) {
  constexpr int64_t length = 100'000;
  Schedule schedule(R"({"kind": "cosine", "total_steps": 100000})");
  const long double turn = std::acos(-1.0L) / 2;
  for (int64_t left : {1L, 2L, 3L, 1000L, 33'333L, 49'999L, 50'000L, 50'001L,
                       66'667L, 99'999L}) {
    long double sine = std::sin(turn * left / length);
    double exact = double(sine * sine);
    EXPECT_NEAR(schedule(length - left), exact, 16 * kUlp * exact) << left;
  }
}

// Products of the constants that the step's bits pick: of the first powers as
// exact as a product can be, and 0 or infinite beyond the range.
TEST(Schedules, PowersAreProducts) {
  Schedule fall(R"({"kind": "exponential", "gamma": 0.1})");
  EXPECT_EQ(fall(0), 1.0);
  EXPECT_EQ(fall(1), 0.1);
  EXPECT_EQ(fall(2), 0.1 * 0.1);
  EXPECT_EQ(fall(3), 0.1 * (0.1 * 0.1));
  EXPECT_EQ(fall(400), 0.0);
  EXPECT_EQ(fall(1023), 0.0);
  EXPECT_EQ(fall(int64_t(1) << 40), 0.0);
  Schedule rise(R"({"kind": "exponential", "gamma": 2.0})");
  EXPECT_EQ(rise(1023), 0x1.0p1023);
  EXPECT_EQ(rise(1024), INFINITY);
  EXPECT_EQ(rise(int64_t(1) << 40), INFINITY);
  Schedule level(R"({"kind": "exponential", "gamma": 1.0})");
  EXPECT_EQ(level(12345), 1.0);
  Schedule slow(R"({"kind": "exponential", "gamma": 0.9999999})");
  double exact = std::pow(0.9999999, 1e6);
  EXPECT_NEAR(slow(1'000'000), exact, 1e6 * kUlp * exact);
}

TEST(Schedules, ErrorsNameTheKey) {
  auto errorOf = [](const std::string &recipe) {
    Errors errors;
    EXPECT_FALSE(readScheduleText(recipe)) << recipe;
    return errors.text;
  };
  EXPECT_EQ(
      errorOf(R"({"kind": "cosin"})"),
      "recipe: schedule: schedule 'cosin' is not known; the nearest known "
      "one is 'cosine';");
  EXPECT_EQ(errorOf(R"({"kind": "cosine"})"),
            "recipe: schedule: no 'total_steps';");
  EXPECT_EQ(
      errorOf(R"({"kind": "cosine", "total_steps": 9, "finale": 1})"),
      "recipe: schedule: key 'finale' is not known; the nearest known one "
      "is 'final';");
  EXPECT_EQ(
      errorOf(R"({"kind": "linear", "total_steps": 9,
                        "warmup_steps": 9})"),
      "recipe: schedule: 'total_steps' is 9, no more than 'warmup_steps', "
      "which it counts too;");
  EXPECT_EQ(errorOf(R"({"kind": "exponential", "gamma": 0})"),
            "recipe: schedule: 'gamma' is 0; a number above 0 is wanted;");
  EXPECT_EQ(errorOf(R"({"kind": "multi_step", "milestones": [1, 2.5]})"),
            "recipe: schedule: 'milestones' is [1,2.5]; a list, each entry an "
            "integer from 0 to 9007199254740992, is wanted;");
  EXPECT_EQ(errorOf(R"({"kind": "one_cycle", "total_steps": 9,
                        "warmup_steps": 2})"),
            "recipe: schedule: 'one_cycle' rises by itself; 'warmup_steps' is "
            "not for it;");
  EXPECT_EQ(
      errorOf(R"({"kind": "one_cycle", "total_steps": 3})"),
      "recipe: schedule: a rise in 3.000000e-01 of 3 steps leaves a phase "
      "without a step;");
}

/// h of schedule_r4, in the same operations.
static double halfCosine(double done, double left) {
  const double series[] = {
      0x1.921fb54442d18p+0,  -0x1.4abbce625be53p-1,  0x1.466bc6775aae2p-4,
      -0x1.32d2cce62bd86p-8, 0x1.50783487ee782p-13,  -0x1.e3074fde8871fp-19,
      0x1.e8f434d018d63p-25, -0x1.6fadb9f155744p-31, 0x1.aaec32af93359p-38};
  double x = done < left ? done : left, square = x * x, sum = series[8];
  for (int k = 7; k >= 0; --k)
    sum = sum * square + series[k];
  double sine = x * sum, below = sine * sine;
  return done < left ? 1.0 - below : below;
}

// The rules bit by bit.
TEST(Schedules, AreTheRules) {
  Schedule cosine(R"({"kind": "cosine", "total_steps": 1007,
                      "warmup_steps": 7, "warmup_start": 0.3, "final": 0.1})");
  Schedule linear(R"({"kind": "linear", "total_steps": 1000, "final": 0.1})");
  Schedule slow(R"({"kind": "inverse_sqrt", "timescale": 77})");
  Schedule cycle(R"({"kind": "one_cycle", "total_steps": 1000,
                     "pct_start": 0.3337})");
  double start = 1.0 / 25.0, end = start / 1e4, peak = 0.3337 * 1000.0 - 1.0;
  for (int64_t s = 0; s < 1100; s += 3) {
    double step = double(s), late = std::max(0.0, step - 7.0);
    double done = std::min(late, 1000.0);
    EXPECT_EQ(cosine(s),
              s < 7 ? (1.0 - 0.3) * (step / 7.0) + 0.3
                    : (1.0 - 0.1) * halfCosine(done / 1000.0,
                                               (1000.0 - done) / 1000.0) +
                          0.1)
        << s;
    double left = 1000.0 - std::min(step, 1000.0);
    EXPECT_EQ(linear(s), (1.0 - 0.1) * (left / 1000.0) + 0.1) << s;
    EXPECT_EQ(slow(s), 1.0 / std::sqrt(step / 77.0 + 1.0)) << s;
    double last = std::min(step, 999.0);
    double x = last <= peak ? last / peak : (last - peak) / (999.0 - peak);
    double from = last <= peak ? start : 1.0, to = last <= peak ? 1.0 : end;
    EXPECT_EQ(cycle(s), (from - to) * halfCosine(x, 1.0 - x) + to) << s;
  }
}
