// Recipes: what they may say, and what is said about the rest.

#include "gensyn/Runtime/Recipe.h"
#include "TestFiles.h"

#include <gtest/gtest.h>

using namespace gensyn::runtime;
using namespace gensyn::runtime::test;

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
          "schedule": {"kind": "constant"}, "accumulate": 1,
          "precision": {"compute": "f32", "master": "f32", "loss_scale": "none"},
          "epochs": 3, "batch_size": 32, "shuffle": true, "seed": 7,
          "drop_last": true, "frozen": ["embeddings.*"]})",
      "r");
  EXPECT_EQ(recipe.loss.kind, LossKind::SoftmaxCrossEntropy);
  EXPECT_EQ(recipe.loss.output, "y");
  EXPECT_EQ(recipe.loss.target, "t");
  EXPECT_EQ(recipe.loss.reduction, Reduction::Sum);
  EXPECT_EQ(recipe.loss.ignoreIndex, -100);
  EXPECT_EQ(recipe.loss.axis, 1);
  EXPECT_EQ(recipe.loss.labelSmoothing, 0.1);
  ASSERT_TRUE(recipe.optimizer);
  EXPECT_EQ(recipe.optimizer->kind, OptimizerKind::AdamW);
  EXPECT_EQ(recipe.optimizer->lr, 3e-4);
  EXPECT_EQ(recipe.optimizer->betas[1], 0.95);
  EXPECT_EQ(recipe.epochs, 3);
  EXPECT_EQ(recipe.batchSize, 32);
  EXPECT_TRUE(recipe.shuffle);
  EXPECT_TRUE(recipe.dropLast);
  EXPECT_EQ(recipe.seed, 7u);
  EXPECT_EQ(recipe.frozen, std::vector<std::string>{"embeddings.*"});
}

TEST(Recipe, defaultsArePyTorchs) {
  auto optimizer = [](const std::string &kind) {
    return *parseRecipe(R"({"loss": {"kind": "mse"}, "optimizer": {"kind": ")" +
                            kind + "\"}}",
                        "r")
                .optimizer;
  };
  EXPECT_EQ(optimizer("SGD").lr, 1e-3);
  EXPECT_EQ(optimizer("Adam").weightDecay, 0.0);
  EXPECT_EQ(optimizer("Adam").eps, 1e-8);
  EXPECT_EQ(optimizer("AdamW").weightDecay, 0.01);
  EXPECT_EQ(optimizer("Adagrad").lr, 0.01);
  EXPECT_EQ(optimizer("Adagrad").eps, 1e-10);
  EXPECT_EQ(optimizer("RMSprop").alpha, 0.99);
}

TEST(Recipe, unknownKeysNameTheNearest) {
  EXPECT_EQ(failureOfRest("\"batchsize\": 3"),
            "3: r: key 'batchsize' is not known; the nearest known one is "
            "'batch_size'");
  EXPECT_EQ(failureOfRest("\"epocs\": 3"),
            "3: r: key 'epocs' is not known; the nearest known one is "
            "'epochs'");
  EXPECT_EQ(
      failureOfRest(R"("optimizer": {"kind": "SGD", "learning_rate": 0.1})"),
      "3: r: optimizer: key 'learning_rate' is not known; the nearest "
      "known one is 'lr'");
  EXPECT_EQ(failureOfRest(R"("optimizer": {"kind": "Adam", "momentum": 0.9})"),
            "3: r: optimizer: key 'momentum' is not known");
  EXPECT_EQ(failureOfRecipe(R"({"loss": {"kind": "mse", "logits": "y"}})"),
            "3: r: loss: key 'logits' is not known");
}

TEST(Recipe, unknownKindsNameTheNearest) {
  EXPECT_EQ(failureOfRest(R"("optimizer": {"kind": "Addam"})"),
            "3: r: optimizer: optimizer 'Addam' is not known; the nearest "
            "known one is 'Adam'");
  EXPECT_EQ(failureOfRecipe(R"({"loss": {"kind": "softmax_crossentropy"}})"),
            "3: r: loss: loss 'softmax_crossentropy' is not known; the nearest "
            "known one is 'softmax_cross_entropy'");
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
  EXPECT_EQ(failureOfRest(R"("optimizer": {"kind": "Adam", "betas": [1, 0]})"),
            "3: r: optimizer: an entry of 'betas' is not a number of at least "
            "0 and below 1");
  EXPECT_EQ(failureOfRest(R"("optimizer": {"kind": "SGD", "nesterov": true})"),
            "3: r: optimizer: 'nesterov' needs a momentum and no dampening");
  EXPECT_EQ(failureOfRest("\"optimizer\": 3"),
            "3: r: optimizer: a JSON object is wanted, number is there");
  EXPECT_EQ(failureOfRecipe("{}"), "3: r: no 'loss'");
  EXPECT_EQ(failureOfRecipe("[]"),
            "3: r: a JSON object is wanted, array is there");
  EXPECT_EQ(failureOfRecipe("{").substr(0, 28), "3: r: the recipe is not JSON");
  EXPECT_EQ(failureOfRecipe(R"({"loss": {"kind": "mse"}, "loss": 1})"),
            "3: r: 'loss' is there twice");
}

TEST(Recipe, laterFeaturesAreUnsupported) {
  const char *end = " is not supported in this version";
  auto check = [&](const std::string &rest, const std::string &what) {
    EXPECT_EQ(failureOfRest(rest), "4: r: " + what + end);
  };
  check(R"("schedule": {"kind": "cosine", "total_steps": 9})",
        "a 'schedule' other than constant");
  check(R"("clip": {"norm": 1.0})", "'clip'");
  check("\"accumulate\": 4", "'accumulate'");
  check(R"("precision": {"compute": "bf16"})", "a 'precision' other than f32");
  EXPECT_EQ(failureOfRest(R"("optimizer": {"kind": "SGD", "groups": []})"),
            std::string("4: r: optimizer: 'groups'") + end);
}

TEST(Recipe, words) {
  Recipe recipe = parseRecipe(
      R"({"loss": {"kind": "huber", "prediction": "y", "delta": 0.5},
          "optimizer": {"kind": "SGD", "lr": 0.1, "momentum": 0.9}})",
      "r");
  EXPECT_EQ(describe(recipe.loss),
            "huber of 'y' against 'target', mean, delta 0.5");
  EXPECT_EQ(describe(*recipe.optimizer), "SGD (lr 0.1, momentum 0.9)");
}

TEST(Recipe, patterns) {
  EXPECT_TRUE(matchesPattern("*.bias", "fc1.bias"));
  EXPECT_FALSE(matchesPattern("*.bias", "fc1.weight"));
  EXPECT_TRUE(matchesPattern("fc?.*", "fc2.weight"));
  EXPECT_TRUE(matchesPattern("*", ""));
  EXPECT_FALSE(matchesPattern("", "x"));
  EXPECT_FALSE(matchesPattern("*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}
