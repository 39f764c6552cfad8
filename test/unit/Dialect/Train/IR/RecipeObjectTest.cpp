// Objects of a recipe: valid keys, and the errors of invalid ones.

#include "../../Harness.h"

#include "gensyn/Dialect/Train/IR/RecipeObject.h"
#include "gtest/gtest.h"

#include <nlohmann/json.hpp>

using namespace mlir;
using namespace gensyn::train;
using namespace gensyn::train::test;

namespace {
/// An object, and what went wrong with it: errors and their notes.
class Recipe {
public:
  explicit Recipe(const std::string &text)
      : json(nlohmann::json::parse(text)),
        object("recipe: part", json, UnknownLoc::get(&context())) {}

  RecipeObject *operator->() { return &object; }
  /// Errors up to now, and that of finish().
  std::string finish() {
    (void)object.finish();
    return errors;
  }

private:
  std::string errors;
  ScopedDiagnosticHandler handler{&context(), [this](Diagnostic &diagnostic) {
                                    errors += diagnostic.str();
                                    for (Diagnostic &note :
                                         diagnostic.getNotes())
                                      errors += " [" + note.str() + "]";
                                    return success();
                                  }};
  nlohmann::json json;
  RecipeObject object;
};
} // namespace

TEST(RecipeObject, ReadsItsMembers) {
  Recipe recipe(R"({"text": "a", "number": 0.5, "flag": true, "integer": 7,
                    "whole": 3.0, "pair": [1, null], "numbers": [1, 2.5], "integers": [3], "single": 8,
                    "one": "x", "more": ["x", "y"], "null": null,
                    "object": {"key": 1}, "objects": [{"key": 2}, {}]})");
  EXPECT_EQ(recipe->text("text", "b"), "a");
  EXPECT_EQ(recipe->number("number", 1.0), 0.5);
  EXPECT_TRUE(recipe->flag("flag", false));
  EXPECT_EQ(recipe->integer("integer"), 7);
  EXPECT_EQ(recipe->integer("whole"), 3);
  EXPECT_EQ(recipe->pair("pair", {3, 4}), std::pair(1.0, 4.0));
  EXPECT_EQ(recipe->numbers("numbers"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(recipe->numbers("single"), (std::vector<double>{8}));
  EXPECT_EQ(recipe->integers("integers"), (std::vector<int64_t>{3}));
  EXPECT_EQ(recipe->texts("one"), (std::vector<std::string>{"x"}));
  EXPECT_EQ(recipe->texts("more"), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(recipe->object("object")->integer("key"), 1);
  EXPECT_EQ(recipe->objects("objects").size(), 2u);
  // Missing, or as good as that.
  EXPECT_FALSE(recipe->has("null"));
  EXPECT_EQ(recipe->number("none", 2.0), 2.0);
  EXPECT_EQ(recipe->integer("none"), std::nullopt);
  EXPECT_FALSE(recipe->object("none"));
  EXPECT_TRUE(recipe->texts("none").empty());
  EXPECT_EQ(recipe.finish(), "");
}

TEST(RecipeObject, NamesTheNearestKey) {
  auto finish = [](const std::string &key) {
    Recipe recipe("{\"" + key + "\": 1}");
    recipe->number("lr", 0);
    recipe->number("momentum", 0);
    return recipe.finish();
  };
  EXPECT_EQ(finish("learning_rate"),
            "recipe: part: key 'learning_rate' is not known; the nearest known "
            "one is 'lr' [known are 'lr', 'momentum']");
  EXPECT_EQ(finish("Momentun"),
            "recipe: part: key 'Momentun' is not known; the nearest known one "
            "is 'momentum' [known are 'lr', 'momentum']");
  EXPECT_EQ(finish("rho"),
            "recipe: part: key 'rho' is not known [known are 'lr', "
            "'momentum']");
}

TEST(RecipeObject, SaysWhatIsWanted) {
  auto check = [](const std::string &text, auto ask,
                  const std::string &expected) {
    Recipe recipe("{\"k\": " + text + "}");
    ask(recipe);
    EXPECT_EQ(recipe.finish(), "recipe: part: 'k' is " + expected);
  };
  auto number = [](NumberRange range) {
    return [range](Recipe &recipe) { recipe->number("k", 0, range); };
  };
  check("-1", number(kNotNegative), "-1; a number of at least 0 is wanted");
  check("0", number(NumberRange::above(0)), "0; a number above 0 is wanted");
  check("1", number(NumberRange::from(0, 1)),
        "1; a number of at least 0 and below 1 is wanted");
  check("1.5", number(NumberRange::between(0, 1)),
        "1.5; a number of at least 0 and at most 1 is wanted");
  check("0.1", number(NumberRange::above(0.25)),
        "0.1; a number above 0.25 is wanted");
  check("\"x\"", number({}), "\"x\"; a number is wanted");
  check("1.5", [](Recipe &r) { r->integer("k"); }, "1.5; an integer is wanted");
  check(
      "3", [](Recipe &r) { r->integer("k", 4, 9); },
      "3; an integer from 4 to 9 is wanted");
  check(
      "[1, \"x\"]", [](Recipe &r) { r->texts("k"); },
      "[1,\"x\"]; a list of names is wanted");
  check(
      "[1]", [](Recipe &r) { r->pair("k", {0, 0}, kNotNegative); },
      "[1]; a list of two, each a number of at least 0, is wanted");
  check(
      "[-1]", [](Recipe &r) { r->numbers("k", kNotNegative); },
      "[-1]; a list, each entry a number of at least 0, is wanted");
  check(
      "{}", [](Recipe &r) { r->objects("k"); },
      "{}; a list of objects is wanted");
  check("[]", [](Recipe &r) { r->object("k"); }, "[]; an object is wanted");
  check("\"" + std::string(60, 'a') + "\"", number({}),
        "\"" + std::string(39, 'a') + "...; a number is wanted");
}

TEST(RecipeObject, ChoosesAmongWords) {
  auto choose = [](const std::string &text) {
    Recipe recipe("{" + text + "}");
    auto index = recipe->choice("kind", "rule", {"Adam", "SGD"});
    return index ? std::to_string(*index) : recipe.finish();
  };
  EXPECT_EQ(choose(R"("kind": "SGD")"), "1");
  EXPECT_EQ(choose(R"("kind": "Addam")"),
            "recipe: part: rule 'Addam' is not known; the nearest known one is "
            "'Adam' [known are 'Adam', 'SGD']");
  EXPECT_EQ(choose(""), "recipe: part: no 'kind'");
  EXPECT_EQ(choose(R"("kind": 3)"),
            "recipe: part: 'kind' is 3; a name is wanted");
}

// One error is enough, and what comes after it does not crash.
TEST(RecipeObject, SaysOneThing) {
  Recipe recipe(R"({"a": "x", "b": "y", "c": 1})");
  recipe->number("a", 0);
  recipe->number("b", 0);
  EXPECT_EQ(recipe.finish(), "recipe: part: 'a' is \"x\"; a number is wanted");
}
