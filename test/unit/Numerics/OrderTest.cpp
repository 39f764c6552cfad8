// Orders as values and as text.

#include "gensyn/Numerics/Order.h"

#include <gtest/gtest.h>

#include <unordered_set>

using namespace gensyn;

TEST(Order, PrintsWhatItParses) {
  for (const char *text :
       {"sequential", "exact", "lanes<32>",
        "blocked<1024, lanes<32>, sequential>",
        "blocked<7, blocked<3, sequential, lanes<2>>, lanes<1024>>",
        "blocked<1, sequential, blocked<2, sequential, blocked<3, "
        "sequential, sequential>>>"}) {
    auto order = Order::parse(text);
    ASSERT_TRUE(order) << text;
    EXPECT_EQ(order->print(), text);
  }
  EXPECT_EQ(Order::parse(" blocked < 8,lanes<4> ,sequential >  ")->print(),
            "blocked<8, lanes<4>, sequential>");
}

TEST(Order, EqualityAndHashAreByContent) {
  const Order a = Order::blocked(8, Order::lanes(4), Order::sequential());
  EXPECT_EQ(a, *Order::parse("blocked<8, lanes<4>, sequential>"));
  EXPECT_EQ(a.hash(), Order::parse(a.print())->hash());
  std::unordered_set<Order> set{a};
  for (const char *text :
       {"sequential", "lanes<8>", "lanes<4>",
        "blocked<4, lanes<8>, sequential>", "blocked<8, sequential, lanes<4>>",
        "blocked<8, lanes<4>, lanes<4>>"}) {
    EXPECT_NE(a, *Order::parse(text));
    EXPECT_NE(a.hash(), Order::parse(text)->hash());
    EXPECT_TRUE(set.insert(*Order::parse(text)).second);
  }
  EXPECT_FALSE(set.insert(a).second);
}

TEST(Order, ErrorsNameWhatIsWrong) {
  const std::pair<const char *, const char *> cases[] = {
      {"", "expected 'sequential', 'lanes', 'blocked' or 'exact', found ''"},
      {"tree",
       "expected 'sequential', 'lanes', 'blocked' or 'exact', found 'tree'"},
      {"exact<4>", "unexpected text '<4>' after the order"},
      {"blocked<8, exact, sequential>",
       "exact cannot be part of a blocked order: its blocks would be rounded"},
      {"blocked<8, sequential, blocked<2, sequential, exact>>",
       "exact cannot be part of a blocked order: its blocks would be rounded"},
      {"lanes<3>", "lanes<3>: expected a power of two from 2 to 1024"},
      {"lanes<1>", "lanes<1>: expected a power of two from 2 to 1024"},
      {"lanes<2048>", "lanes<2048>: expected a power of two from 2 to 1024"},
      {"lanes<-4>", "lanes<-4>: expected a power of two from 2 to 1024"},
      {"lanes<99999999999999999999>", "expected a number"},
      {"lanes 4", "expected '<'"},
      {"lanes<4", "expected '>'"},
      {"blocked<0, sequential, sequential>",
       "blocked<0, ...>: expected a block of at least 1"},
      {"blocked<4, sequential>", "expected ','"},
      {"sequential x", "unexpected text 'x' after the order"},
      {"blocked<2, blocked<2, blocked<2, blocked<2, sequential, sequential>, "
       "sequential>, sequential>, sequential>",
       "more than 4 levels of orders"},
  };
  for (auto [text, message] : cases) {
    std::string error;
    EXPECT_FALSE(Order::parse(text, &error)) << text;
    EXPECT_EQ(error, message) << text;
  }
}

TEST(Order, CheckFindsWhatTheConstructorsAllow) {
  EXPECT_FALSE(Order::lanes(32).check());
  EXPECT_TRUE(Order::lanes(33).check());
  Order deep;
  for (int i = 0; i < 3; ++i)
    deep = Order::blocked(2, deep, Order());
  EXPECT_EQ(deep.levels(), 4);
  EXPECT_FALSE(deep.check());
  deep = Order::blocked(2, Order(), deep);
  EXPECT_EQ(*deep.check(), "order has 5 levels, expected at most 4");
}
