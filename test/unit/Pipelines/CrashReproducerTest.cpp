// Passes that crash and fail, with and without a folder for reproducers.

#include "CrashReproducer.h"
#include "Report.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace mlir;
namespace fs = std::filesystem;

namespace gensyn {
namespace {

/// Renames @main to @renamed.
struct RenamePass final : PassWrapper<RenamePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RenamePass)
  StringRef getArgument() const override { return "test-rename"; }
  void runOnOperation() override {
    getOperation().lookupSymbol<func::FuncOp>("main").setName("renamed");
  }
};

/// Erases the renamed function and aborts the process.
struct CrashPass final : PassWrapper<CrashPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CrashPass)
  StringRef getArgument() const override { return "test-crash"; }
  void runOnOperation() override {
    getOperation().lookupSymbol("renamed")->erase();
    std::abort();
  }
};

class CrashReproducer : public ::testing::Test {
protected:
  CrashReproducer() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<func::FuncDialect>();
    fs::remove_all(folder);
    module =
        parseSourceString<ModuleOp>("func.func @main() { return }", &context);
  }
  ~CrashReproducer() override { fs::remove_all(folder); }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string folder = (fs::temp_directory_path() /
                        ("gensyn-crash-" + std::to_string(::getpid())))
                           .string();
};

} // namespace

TEST_F(CrashReproducer, HasTheModuleInFrontOfThePassThatCrashed) {
  Report report(&context);
  PassManager pipeline(&context);
  pipeline.addPass(std::make_unique<RenamePass>());
  pipeline.addPass(std::make_unique<CrashPass>());
  addReproducer(pipeline, folder);
  ASSERT_TRUE(failed(pipeline.run(*module)));
  plan::Error error;
  report.fill("model.onnx", ExitCode::Unsupported, error);
  EXPECT_EQ(error.message(), "model.onnx: a pass of the compiler crashed");
  EXPECT_NE(error.note().find(folder + "/reproducer.mlir"), std::string::npos)
      << error.note();
  const std::string text = readText(folder + "/reproducer.mlir", 1 << 20);
  EXPECT_NE(text.find("func.func @renamed()"), std::string::npos) << text;
  EXPECT_NE(text.find("builtin.module(test-crash)"), std::string::npos) << text;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST_F(CrashReproducer, IsNotWrittenWhereNothingFails) {
  PassManager pipeline(&context);
  pipeline.addPass(std::make_unique<RenamePass>());
  addReproducer(pipeline, folder);
  EXPECT_TRUE(succeeded(pipeline.run(*module)));
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(CrashReproducer, ReplacesNothing) {
  plan::Error error;
  EXPECT_TRUE(checkReproducerFolder("", error));
  EXPECT_TRUE(checkReproducerFolder(folder, error));
  fs::create_directories(folder);
  EXPECT_TRUE(checkReproducerFolder(folder, error));
  std::ofstream(folder + "/other") << "x";
  EXPECT_FALSE(checkReproducerFolder(folder, error));
  EXPECT_EQ(error.exit_code(), 2);
  EXPECT_EQ(error.message(),
            "--crash-reproducer " + folder + ": is not an empty folder");
}

} // namespace gensyn
