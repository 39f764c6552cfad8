// Figures of evaluations, against their definitions by hand.

#include "Training/Metrics.h"

#include "../../Executable/TestFiles.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

static LossSpec lossOf(const std::string &kind) {
  LossSpec loss;
  loss.kind = kind;
  if (loss.hasClasses())
    loss.ignoreIndex = kDefaultIgnoreIndex;
  return loss;
}

/// Adds a batch; false if the metric cannot measure it.
static bool add(Metric &metric, const Tensor &prediction,
                const Tensor &target) {
  const auto figures = metric.measure(prediction, target);
  if (figures)
    metric.add(*figures);
  return figures.has_value();
}

static double valueOf(const std::string &name, const Tensor &prediction,
                      const Tensor &target) {
  const LossSpec loss = lossOf(isInteger(target.elementType()) ? "nll" : "mse");
  auto metric = makeMetric(name, loss);
  EXPECT_TRUE(add(*metric, prediction, target));
  return metric->value().value_or(-1);
}

// Rows 0 to 5, of which the last is ignored.
static const Tensor logits = Tensor::of<float>(
    {6, 3}, {3, 2, 1, 1, 3, 2, 2, 2, 2, 0, 1, 5, 9, 8, 7, 0, 0, 1});
static const Tensor classes = Tensor::of<int64_t>({6}, {0, 2, 2, 2, 1, -100});

TEST(Metrics, TopK) {
  EXPECT_EQ(valueOf("top_1", logits, classes), 2.0 / 5);
  // Among the three equal scores of row 2, that of class 2 is the third.
  EXPECT_EQ(valueOf("top_2", logits, classes), 4.0 / 5);
  EXPECT_EQ(valueOf("top_3", logits, classes), 1);
  EXPECT_EQ(valueOf("top_99", logits, classes), 1);
}

TEST(Metrics, F1) {
  // Found: 0, 1, 0, 2, 0. Class 0: 1 right, 2 wrong; 1: 1 wrong, 1 missed;
  // 2: 1 right, 2 missed.
  EXPECT_EQ(valueOf("f1", logits, classes), (2.0 / 4 + 0.0 / 2 + 2.0 / 4) / 3);
  // A class without samples does not count.
  EXPECT_EQ(valueOf("f1", Tensor::of<float>({2, 3}, {1, 0, 0, 0, 1, 0}),
                    Tensor::of<int64_t>({2}, {0, 1})),
            1);
}

TEST(Metrics, MeanAbsoluteError) {
  EXPECT_EQ(valueOf("mae", Tensor::of<float>({2, 2}, {1, 2, 3, 4}),
                    Tensor::of<float>({2, 2}, {1.5, 2, 1, 4.25})),
            2.75 / 4);
}

TEST(Metrics, R2) {
  const Tensor found = Tensor::of<double>({4, 1}, {2.5, 0.0, 2, 8});
  const Tensor wanted = Tensor::of<double>({4, 1}, {3, -0.5, 2, 7});
  EXPECT_DOUBLE_EQ(valueOf("r2", found, wanted), 1 - 1.5 / 29.1875);
  // A mean over columns; one without spread is 1 where it is met, else 0.
  EXPECT_EQ(valueOf("r2", Tensor::of<double>({2, 2}, {1, 5, 3, 5}),
                    Tensor::of<double>({2, 2}, {1, 5, 3, 5})),
            1);
  EXPECT_EQ(valueOf("r2", Tensor::of<double>({2, 2}, {1, 5, 3, 6}),
                    Tensor::of<double>({2, 2}, {1, 5, 3, 5})),
            0.5);
}

TEST(Metrics, SumsDoNotDependOnTheBatch) {
  for (std::string name : {"mae", "r2"}) {
    std::vector<double> found, wanted;
    for (int i = 0; i < 30; ++i) {
      found.push_back(1e6 + i * 0.37);
      wanted.push_back(1e6 + (i * 7 % 30) * 0.41);
    }
    const double whole = valueOf(name, Tensor::of<double>({30}, found),
                                 Tensor::of<double>({30}, wanted));
    for (int64_t batch : {1, 7, 29}) {
      auto metric = makeMetric(name, lossOf("mse"));
      for (int64_t i = 0; i < 30; i += batch) {
        const int64_t n = std::min<int64_t>(batch, 30 - i);
        auto part = [&](const std::vector<double> &all) {
          return Tensor::of<double>(
              {n}, std::vector<double>(all.begin() + i, all.begin() + i + n));
        };
        EXPECT_TRUE(add(*metric, part(found), part(wanted)));
      }
      EXPECT_EQ(metric->value(), whole) << name << " by " << batch;
    }
  }
}

TEST(Metrics, NothingToMeasure) {
  auto metric = makeMetric("top_1", lossOf("nll"));
  EXPECT_TRUE(add(*metric, Tensor::of<float>({1, 2}, {0, 1}),
                  Tensor::of<int64_t>({1}, {-100})));
  EXPECT_FALSE(metric->value());
  EXPECT_FALSE(add(*metric, logits, Tensor::of<int64_t>({1}, {0})));
  EXPECT_FALSE(add(*makeMetric("mae", lossOf("mse")),
                   Tensor::of<float>({2}, {0, 1}),
                   Tensor::of<float>({2, 1}, {0, 1})));
  // Nor has a batch without samples, whatever its shape.
  metric = makeMetric("r2", lossOf("mse"));
  EXPECT_TRUE(add(*metric, Tensor(ElementType::F32, {0, 3}),
                  Tensor(ElementType::F32, {0, 3})));
  EXPECT_FALSE(metric->value());
}

TEST(Metrics, RecipesNameThem) {
  auto parse = [](const std::string &kind, const std::string &metric) {
    return failureOf([&] {
      parseRecipe(R"({"loss": {"kind": ")" + kind + R"("}, "metrics": [")" +
                      metric + "\"]}",
                  "r");
    });
  };
  EXPECT_EQ(parse("nll", "top_5"), "");
  EXPECT_EQ(parse("mse", "r2"), "");
  EXPECT_EQ(
      parse("nll", "r2"),
      "3: r: 'metrics': 'r2' is not a metric of the loss 'nll'; its metrics "
      "are 'top_K' (such as top_5) and 'f1'");
  EXPECT_EQ(parse("mse", "top_0").substr(0, 24), "3: r: 'metrics': 'top_0'");
  EXPECT_EQ(parse("bce", "f1"),
            "3: r: 'metrics': 'f1' is not a metric of the loss 'bce'");
}
