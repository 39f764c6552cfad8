// Numbers as C's printf writes them where the decimal point is one.

#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <limits>

using namespace gensyn;
using namespace gensyn::runtime;

TEST(NumberFormatting, IsWhatPrintfWrites) {
  for (double value : {0.0, -0.0, 0.1, 1.0 / 3, 2.5, 1e-7, 123456789.0, 1e300,
                       -4.9e-324, std::numeric_limits<double>::infinity()})
    for (int digits : {1, 4, 9, 17}) {
      char general[400], fixed[400];
      std::snprintf(general, sizeof(general), "%.*g", digits, value);
      std::snprintf(fixed, sizeof(fixed), "%.*f", digits, value);
      EXPECT_EQ(shortText(value, digits), general);
      EXPECT_EQ(fixedText(value, digits), fixed);
    }
}

TEST(NumberFormatting, DigitsInGroupsOfThree) {
  EXPECT_EQ(groupDigits(0), "0");
  EXPECT_EQ(groupDigits(999), "999");
  EXPECT_EQ(groupDigits(1234567), "1,234,567");
  EXPECT_EQ(groupDigits(-123), "-123");
  EXPECT_EQ(groupDigits(-1234), "-1,234");
  EXPECT_EQ(groupDigits(std::numeric_limits<int64_t>::min()),
            "-9,223,372,036,854,775,808");
}
