// The sizes and flags of a `schedule` attribute.

#include "gensyn/Codegen/Schedule/ScheduleFields.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::codegen {
namespace {

class ScheduleFields : public ::testing::Test {
protected:
  bool read(ArrayRef<NamedAttribute> fields) {
    return readScheduleFields(builder.getDictionaryAttr(fields),
                              {{"rows", &rows}, {"columns", &columns}},
                              {{"swizzle", &swizzle}}, error);
  }

  MLIRContext context;
  Builder builder{&context};
  int64_t rows = 1, columns = 2;
  bool swizzle = false;
  std::string error;
};

TEST_F(ScheduleFields, NamedFieldsAreOverriddenAndOthersKept) {
  EXPECT_TRUE(
      read({builder.getNamedAttr("rows", builder.getI64IntegerAttr(7)),
            builder.getNamedAttr("swizzle", builder.getBoolAttr(true))}));
  EXPECT_EQ(rows, 7);
  EXPECT_EQ(columns, 2);
  EXPECT_TRUE(swizzle);
  EXPECT_EQ(error, "");
}

TEST_F(ScheduleFields, AnUnknownNameIsAnError) {
  EXPECT_FALSE(
      read({builder.getNamedAttr("depth", builder.getI64IntegerAttr(7))}));
  EXPECT_EQ(error, "no size or flag 'depth'");
}

TEST_F(ScheduleFields, AFlagIsNoSize) {
  EXPECT_FALSE(
      read({builder.getNamedAttr("rows", builder.getStringAttr("7"))}));
  EXPECT_EQ(rows, 1);
}

} // namespace
} // namespace gensyn::codegen
