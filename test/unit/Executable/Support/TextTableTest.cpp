// Tables of plain text.

#include "gensyn/Executable/Support/TextTable.h"

#include <gtest/gtest.h>

using namespace gensyn;

TEST(TextTable, AlignsColumns) {
  TextTable table(1, 2);
  table.add({"name", "time", "note"});
  table.add({"a", "12 ms"});
  table.add({"longer", "1 s", "x"});
  EXPECT_EQ(table.print(), "  name     time  note\n"
                           "  a       12 ms\n"
                           "  longer    1 s     x\n");
}

TEST(TextTable, IsEmptyWithoutRows) { EXPECT_EQ(TextTable(1).print(), ""); }
