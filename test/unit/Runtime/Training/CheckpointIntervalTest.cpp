// Parsing of checkpoint intervals.

#include "gensyn/Runtime/Training/CheckpointInterval.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using Unit = CheckpointInterval::Unit;

TEST(CheckpointInterval, unitsAndNumbers) {
  struct Row {
    const char *text;
    Unit unit;
    double count;
  };
  for (const Row &row : {Row{"500", Unit::Steps, 500},
                         {"1step", Unit::Steps, 1},
                         {"7steps", Unit::Steps, 7},
                         {"1epoch", Unit::Epochs, 1},
                         {"20epochs", Unit::Epochs, 20},
                         {"60s", Unit::Seconds, 60},
                         {"0.5seconds", Unit::Seconds, 0.5}}) {
    const auto interval = parseCheckpointInterval(row.text);
    ASSERT_TRUE(interval) << row.text;
    EXPECT_EQ(interval->unit, row.unit) << row.text;
    EXPECT_EQ(interval->count, row.count) << row.text;
  }
  for (const char *text : {"", "0", "-1", "epochs", "1.5", "0.5epochs", "3x",
                           "3 s", "nan", "inf", "1e400", "1e3", "0s"})
    EXPECT_FALSE(parseCheckpointInterval(text)) << text;
}
