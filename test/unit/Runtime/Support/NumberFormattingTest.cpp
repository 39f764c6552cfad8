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
