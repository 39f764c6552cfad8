// The part of the ONNX library's messages that reaches users.

#include "gensyn/Dialect/Onnx/IR/LibraryError.h"

#include "onnx/defs/schema.h"
#include "gtest/gtest.h"

#include <stdexcept>

using gensyn::onnx::describeLibraryError;

TEST(LibraryError, plainMessagesStay) {
  EXPECT_EQ(describeLibraryError("Incompatible dimensions for 'a.b' of x.h"),
            "Incompatible dimensions for 'a.b' of x.h");
}

TEST(LibraryError, firstLineOnly) {
  EXPECT_EQ(describeLibraryError(std::runtime_error("one\ntwo")), "one");
}

TEST(LibraryError, assertionsLeaveTheirExplanation) {
  EXPECT_EQ(describeLibraryError(
                "/build/onnx-1/onnx/version_converter/convert.h:98: debug: "
                "Assertion `a[\"x\"] == b` failed: No adapter for 'Clip'."),
            "No adapter for 'Clip'.");
}

TEST(LibraryError, assertionsWithoutOne) {
  EXPECT_EQ(describeLibraryError("ir.h:1: f: Assertion `it != end` failed."),
            "an internal check of the ONNX library failed");
}

TEST(LibraryError, placesInSourcesAreLeftOut) {
  EXPECT_EQ(describeLibraryError("/a/defs/schema.cc:12: bad, seen at (x.h:7)."),
            "bad, seen at");
  EXPECT_EQ(describeLibraryError("/src/onnx/common/ir.h: gone"), "gone");
  EXPECT_EQ(describeLibraryError("/src/ir.cc:7"),
            "an internal check of the ONNX library failed");
}
