// Exit codes of errors.

#include "Report.h"

#include "gensyn/Dialect/InternalError.h"
#include "gensyn/Dialect/SizeError.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace gensyn;

namespace {
TEST(Report, InternalErrorsAreBugs) {
  MLIRContext context;
  const Location location = UnknownLoc::get(&context);
  Report report(&context);
  (void)LogicalResult(emitError(location, "first"));
  plan::Error error;
  report.fill("m.onnx", ExitCode::Unsupported, error);
  EXPECT_EQ(error.exit_code(), int(ExitCode::Unsupported));
  EXPECT_EQ(error.note(), "");
  (void)LogicalResult(asSizeError(emitError(location, "second")));
  report.fill("m.onnx", ExitCode::Unsupported, error);
  EXPECT_EQ(error.exit_code(), int(ExitCode::OutOfResources));
  (void)LogicalResult(asInternalError(emitError(location, "third")));
  report.fill("m.onnx", ExitCode::Unsupported, error);
  EXPECT_EQ(error.exit_code(), int(ExitCode::Bug));
  EXPECT_EQ(error.message(), "m.onnx: first; second; third");
  EXPECT_EQ(error.note(), "this is a bug in the compiler; please report it");
}
} // namespace
