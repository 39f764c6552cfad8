// Reactions of a run to the metrics of its epochs.

#include "Training/Monitors.h"

#include "../../Executable/TestFiles.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {
struct PlateauRow {
  const char *schedule;
  std::vector<double> rates;
};

const std::vector<PlateauRow> rows = {
#include "TorchPlateau.inc"
};

// As in torch_plateau.py.
const std::vector<double> figures = {
    5,    4,    4.5,  4.25, 3.75, 3.7499, 3.7498, 3.9, 4, 3.6, 3.61, 3.62,
    3.63, 3.64, 3.65, 3.66, 3,    3,      3,      3,   3, 3,   3};

Recipe withKeys(const std::string &keys) {
  return parseRecipe(
      R"({"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "lr": 1}, )" +
          keys + "}",
      "r");
}

Monitors::Verdict offer(Monitors &monitors, double figure, double rate = 1) {
  return monitors.offer({{"eval_loss", figure}}, rate);
}
} // namespace

TEST(Monitors, PlateauIsPyTorchs) {
  for (const PlateauRow &row : rows) {
    Monitors monitors(withKeys(std::string("\"schedule\": ") + row.schedule));
    ASSERT_EQ(row.rates.size(), figures.size());
    double before = 1;
    for (size_t i = 0; i < figures.size(); ++i) {
      const bool lowered =
          offer(monitors, figures[i], monitors.factor()).isLowered;
      EXPECT_EQ(monitors.factor(), row.rates[i]) << row.schedule << " at " << i;
      EXPECT_EQ(lowered, row.rates[i] != before) << row.schedule << " at " << i;
      before = row.rates[i];
    }
  }
}

TEST(Monitors, TheirStateIsAllThereIs) {
  const Recipe recipe = withKeys(
      R"("best": {}, "early_stopping": {"patience": 9}, "schedule":
         {"kind": "reduce_on_plateau", "patience": 1, "cooldown": 2})");
  Monitors whole(recipe);
  for (size_t cut = 0; cut < figures.size(); ++cut) {
    Monitors again(recipe);
    again.restore(nlohmann::json::parse(whole.state().dump()));
    EXPECT_EQ(again.state(), whole.state());
    for (Monitors *each : {&again, &whole})
      offer(*each, figures[cut]);
    EXPECT_EQ(again.state(), whole.state()) << cut;
  }
  whole.restore(nullptr);
  EXPECT_EQ(whole.state(), Monitors(recipe).state());
}

TEST(Monitors, BestIsTheFirstOfEquals) {
  Monitors least(withKeys(R"("best": {})"));
  EXPECT_FALSE(offer(least, NAN).isBest);
  EXPECT_TRUE(offer(least, 2).isBest);
  EXPECT_FALSE(offer(least, 2).isBest);
  EXPECT_FALSE(offer(least, NAN).isBest);
  EXPECT_TRUE(offer(least, 1).isBest);
  Monitors most(
      withKeys(R"("metrics": ["r2"], "best": {"metric": "eval_r2"})"));
  EXPECT_TRUE(most.offer({{"eval_r2", 0.5}}, 1).isBest);
  EXPECT_FALSE(most.offer({{"eval_r2", 0.25}}, 1).isBest);
  EXPECT_TRUE(most.offer({{"eval_r2", 0.75}}, 1).isBest);
}

TEST(Monitors, StopsAfterSoManyEpochs) {
  Monitors monitors(
      withKeys(R"("early_stopping": {"patience": 2, "min_delta": 0.5})"));
  for (double figure : {5.0, 4.75, 4.0, 3.75}) {
    offer(monitors, figure);
    EXPECT_EQ(monitors.stops(), "") << figure;
  }
  offer(monitors, 3.5); // not less than 4 - 0.5
  EXPECT_EQ(monitors.stops(), "'eval_loss' has not become better for 2 epochs");
}

TEST(Monitors, MissingFigures) {
  Monitors monitors(withKeys(R"("best": {})"));
  EXPECT_EQ(failureOf([&] { monitors.offer({{"loss", 1}}, 1); }),
            "3: the evaluation has no 'eval_loss', which the recipe watches");
}
