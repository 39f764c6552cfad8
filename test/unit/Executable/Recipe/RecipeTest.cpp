// Recipes: valid keys, and the errors of invalid ones.

#include "gensyn/Executable/Recipe/Recipe.h"
#include "../TestFiles.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

static std::string failureOfRecipe(const std::string &text) {
  return failureOf([&] { parseRecipe(text, "r"); });
}

/// With a loss in front.
static std::string failureOfRest(const std::string &rest) {
  return failureOfRecipe("{\"loss\": {\"kind\": \"mse\"}, " + rest + "}");
}

TEST(Recipe, everyKey) {
  Recipe recipe = parseRecipe(
      R"({"loss": {"kind": "softmax_cross_entropy", "logits": "y", "target": "t",
                   "reduction": "sum", "ignore_index": -100, "axis": 1,
                   "label_smoothing": 0.1},
          "optimizer": {"kind": "AdamW", "lr": 3e-4, "betas": [0.9, 0.95]},
          "schedule": {"kind": "cosine", "total_steps": 9}, "accumulate": 4,
          "clip": {"norm": 1.0}, "ema": {"decay": 0.99}, "remat": ["*"],
          "precision": {"compute": "bf16"},
          "epochs": 3, "batch_size": 32, "shuffle": true, "seed": 7,
          "drop_last": true, "frozen": ["embeddings.*"]})",
      "r");
  EXPECT_EQ(recipe.loss.kind, "softmax_cross_entropy");
  EXPECT_TRUE(recipe.loss.hasClasses());
  EXPECT_EQ(recipe.loss.output, "y");
  EXPECT_EQ(recipe.loss.target, "t");
  EXPECT_TRUE(recipe.loss.isSum);
  EXPECT_EQ(recipe.loss.ignoreIndex, -100);
  EXPECT_EQ(recipe.loss.axis, 1);
  ASSERT_TRUE(recipe.optimizer);
  EXPECT_EQ(recipe.optimizer->kind, "AdamW");
  EXPECT_EQ(recipe.optimizer->lr, 3e-4);
  EXPECT_EQ(recipe.accumulate, 4);
  EXPECT_EQ(recipe.epochs, 3);
  EXPECT_EQ(recipe.batchSize, 32);
  EXPECT_TRUE(recipe.shuffle);
  EXPECT_TRUE(recipe.dropLast);
  EXPECT_EQ(recipe.seed, 7u);
  EXPECT_EQ(recipe.frozen, std::vector<std::string>{"embeddings.*"});
}

TEST(Recipe, keysOfTheCompiler) {
  Recipe recipe = parseRecipe(
      R"({"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"},
          "schedule": {"kind": "cosine"}, "ema": {}, "precision": {"compute": "bf16"},
          "remat": "conv*", "batch_norm": "train", "lost_parameters": "ignore"})",
      "r");
  EXPECT_EQ(recipe.objects.loss["kind"], "mse");
  EXPECT_EQ(recipe.objects.optimizer["kind"], "SGD");
  ASSERT_TRUE(recipe.objects.schedule);
  EXPECT_EQ((*recipe.objects.schedule)["kind"], "cosine");
  EXPECT_TRUE(recipe.objects.ema);
  EXPECT_FALSE(recipe.objects.clip);
  ASSERT_TRUE(recipe.objects.precision);
  EXPECT_EQ((*recipe.objects.precision)["compute"], "bf16");
  EXPECT_EQ(recipe.remat, std::vector<std::string>{"conv*"});
  EXPECT_TRUE(recipe.statesBatchNorm);
  EXPECT_TRUE(recipe.trainsBatchNorm);
  EXPECT_TRUE(recipe.ignoresLost);
  EXPECT_FALSE(recipe.statesFrozen);
  EXPECT_EQ(failureOfRest(R"("batch_norm": "trian")"),
            "3: r: batch_norm 'trian' is not known; the nearest known one is "
            "'train'");
  EXPECT_EQ(failureOfRest(R"("remat": 1)"),
            "3: r: 'remat' is 1; a list of names is wanted");
  recipe = parseRecipe(R"({"batch_norm": "as_exported", "frozen": []})", "r");
  EXPECT_TRUE(recipe.usesTrainingInfo);
  EXPECT_TRUE(recipe.statesBatchNorm);
  EXPECT_FALSE(recipe.trainsBatchNorm);
  EXPECT_TRUE(recipe.statesFrozen);
  EXPECT_TRUE(recipe.objects.loss.empty());
}

// PyTorch's None, in an object that the train dialect reads; not elsewhere.
TEST(Recipe, nulls) {
  Recipe recipe = parseRecipe(R"({"loss": {"kind": "mse", "target": null},
                                  "optimizer": {"kind": "Adafactor", "lr": null}})",
                              "r");
  EXPECT_EQ(recipe.loss.target, "target");
  EXPECT_EQ(recipe.optimizer->lr, 0.0);
  EXPECT_EQ(describe(*recipe.optimizer), "Adafactor");
  EXPECT_EQ(failureOfRest(R"("epochs": null)"),
            "3: r: 'epochs' is null; an integer from 1 to 1000000000 is "
            "wanted");
}

TEST(Recipe, differences) {
  auto source = [](const std::string &rest) {
    return parseRecipe(R"({"loss": {"kind": "mse"}, )" + rest + "}", "r")
        .source;
  };
  const nlohmann::json one =
      source(R"("epochs": 1, "optimizer": {"kind": "SGD", "lr": 1})");
  const nlohmann::json longer =
      source(R"("epochs": 2, "optimizer": {"kind": "SGD", "lr": 1})");
  const nlohmann::json faster =
      source(R"("epochs": 2, "optimizer": {"kind": "SGD", "lr": 2})");
  const nlohmann::json watched = source(
      R"("epochs": 1, "best": {}, "optimizer": {"kind": "SGD", "lr": 1})");
  EXPECT_EQ(differenceOfPrograms(one, longer), "");
  EXPECT_EQ(differenceOfPrograms(one, faster), "optimizer/lr");
  EXPECT_EQ(differenceOfPrograms(one, watched), "");
  EXPECT_EQ(differenceOfRuns(one, longer), "");
  EXPECT_EQ(differenceOfRuns(one, faster), "optimizer/lr");
  EXPECT_EQ(differenceOfRuns(one, watched), "best");
  EXPECT_TRUE(haveSameSchedule(one, faster));
  EXPECT_FALSE(
      haveSameSchedule(one, source(R"("schedule": {"kind": "step"})")));
  EXPECT_TRUE(haveSameSchedule(nullptr, one));
}

TEST(Recipe, unknownKeysNameTheNearest) {
  EXPECT_EQ(failureOfRest("\"batchsize\": 3"),
            "3: r: key 'batchsize' is not known; the nearest known one is "
            "'batch_size'");
  EXPECT_EQ(failureOfRest("\"epocs\": 3"),
            "3: r: key 'epocs' is not known; the nearest known one is "
            "'epochs'");
}

TEST(Recipe, typesAndRanges) {
  EXPECT_EQ(failureOfRest("\"epochs\": 0"),
            "3: r: 'epochs' is 0; an integer from 1 to 1000000000 is wanted");
  EXPECT_EQ(failureOfRest("\"epochs\": 1.5"),
            "3: r: 'epochs' is 1.5; an integer from 1 to 1000000000 is wanted");
  EXPECT_EQ(failureOfRest("\"shuffle\": 1"),
            "3: r: 'shuffle' is 1; true or false is wanted");
  EXPECT_EQ(failureOfRest("\"seed\": -1").substr(0, 22),
            "3: r: 'seed' is -1; an");
  EXPECT_EQ(failureOfRest("\"seed\": 18446744073709551615").substr(0, 11),
            "3: r: 'seed");
  EXPECT_EQ(failureOfRest("\"frozen\": [1]"),
            "3: r: 'frozen' is [1]; a list of names is wanted");
  EXPECT_EQ(failureOfRest(R"("optimizer": {"kind": "SGD", "lr": -1})"),
            "3: r: optimizer: 'lr' is -1; a number of at least 0 is wanted");
  EXPECT_EQ(failureOfRest(R"("optimizer": {"lr": 1})"),
            "3: r: optimizer: no 'kind'");
  EXPECT_EQ(failureOfRest("\"optimizer\": 3"),
            "3: r: optimizer: a JSON object is wanted, number is there");
  EXPECT_EQ(failureOfRecipe(R"({"optimizer": {"kind": "SGD"}})"),
            "3: r: no 'loss'");
  EXPECT_EQ(failureOfRecipe("[]"),
            "3: r: a JSON object is wanted, array is there");
  EXPECT_EQ(failureOfRecipe("{").substr(0, 28), "3: r: the recipe is not JSON");
  EXPECT_EQ(failureOfRecipe(R"({"loss": {"kind": "mse"}, "loss": 1})"),
            "3: r: 'loss' is there twice");
}

// Kinds and hyper-parameters are the compiler's: anything is a recipe here.
TEST(Recipe, theRestIsTheCompilers) {
  EXPECT_NO_THROW(parseRecipe(
      R"({"loss": {"kind": "new", "some": 1}, "optimizer": {"kind": "newer",
          "groups": [{}], "betas": "?"}, "schedule": {"kind": 3}, "clip": 7})",
      "r"));
}

TEST(Recipe, words) {
  auto words = [](const std::string &loss, const std::string &optimizer) {
    Recipe recipe = parseRecipe(
        "{\"loss\": " + loss + ", \"optimizer\": " + optimizer + "}", "r");
    return describe(recipe.loss) + " | " + describe(*recipe.optimizer);
  };
  EXPECT_EQ(words(R"({"kind": "huber", "prediction": "y", "delta": 0.5})",
                  R"({"kind": "SGD", "momentum": 0.9, "lr": 0.1})"),
            "huber of 'y' against 'target', mean, delta 0.5 | "
            "SGD (lr 0.1, momentum 0.9)");
  EXPECT_EQ(words(R"({"kind": "graph_output"})",
                  R"({"kind": "AdamW", "betas": [0.9, 0.95], "amsgrad": true,
                      "groups": [{"match": "*.bias"}], "maximize": false})"),
            "graph_output | AdamW (amsgrad, betas 0.9 0.95, groups of 1)");
  EXPECT_EQ(parseRecipe(R"({"loss": {"kind": "mse"},
                            "schedule": {"kind": "cosine", "total_steps": 9}})",
                        "r")
                .schedule,
            "cosine (total_steps 9)");
}

TEST(Recipe, patterns) {
  EXPECT_TRUE(matchesPattern("*.bias", "fc1.bias"));
  EXPECT_FALSE(matchesPattern("*.bias", "fc1.weight"));
  EXPECT_TRUE(matchesPattern("fc?.*", "fc2.weight"));
  EXPECT_TRUE(matchesPattern("*", ""));
  EXPECT_FALSE(matchesPattern("", "x"));
  EXPECT_FALSE(matchesPattern("*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}
