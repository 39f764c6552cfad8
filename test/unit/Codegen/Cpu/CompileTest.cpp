// Code that is not optimized: the same bits, and entries of its own in the
// cache.

#include "RunProgram.h"

#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// A function with `count` kernels, no two of them equal, which has so many
/// results.
std::string sumsOf(unsigned count) {
  std::string body, results, types;
  for (unsigned i = 0; i < count; ++i) {
    const std::string n = std::to_string(i), points = std::to_string(i + 1);
    body += "  %s" + n + " = repro.slice %x start [0, 0] limit [3, " + points +
            "] stride [1, 1] : tensor<3x100xf32> to tensor<3x" + points +
            "xf32>\n  %y" + n + " = repro.reduce sum %s" + n + " domain <[3, " +
            points +
            "], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, "
            "affine_map<(d0, d1) -> (d0)>] order sequential : tensor<3x" +
            points + "xf32> -> tensor<3xf32>\n";
    results += (i ? ", %y" : "%y") + n;
    types += i ? ", tensor<3xf32>" : "tensor<3xf32>";
  }
  return "func.func @f(%x: tensor<3x100xf32>) -> (" + types + ") {\n" + body +
         "  return " + results + " : " + types + "\n}";
}

std::string compileOnce(testing::Program &program,
                        const CompileOptions &options) {
  OwningOpRef<ModuleOp> kernels = program.formKernels();
  plan::Plan plan;
  auto library =
      compile(*kernels->getOps<func::FuncOp>().begin(), options, plan);
  EXPECT_TRUE(succeeded(library));
  return succeeded(library) ? *library : "";
}

size_t countObjects(const std::string &folder) {
  std::error_code error;
  size_t count = 0;
  for (llvm::sys::fs::directory_iterator file(folder, error), end;
       file != end && !error; file.increment(error))
    count += StringRef(file->path()).ends_with(".o");
  return count;
}

// More kernels than one object has.
TEST(Unoptimized, ManyKernelsHaveTheSameBits) {
  testing::Program program(sumsOf(70));
  const std::vector<Tensor> inputs = program.makeFiniteInputs(1);
  const std::vector<Tensor> expected = program.interpret(inputs);
  CompileOptions options;
  options.target = testing::getRunnableTargets().back();
  options.optimize = false;
  for (unsigned threads : {1, 2}) {
    options.threads = threads;
    const std::vector<Tensor> actual = program.run(inputs, options);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(testing::firstDifference(expected[i], actual[i]), "") << i;
  }
}

TEST(Unoptimized, IsPartOfTheKey) {
  SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("gensyn-compile", folder));
  testing::Program program(sumsOf(2));
  CompileOptions options;
  options.target = testing::getRunnableTargets().back();
  const std::string optimized = compileOnce(program, options);
  options.cacheFolder = folder.str().str();
  EXPECT_EQ(compileOnce(program, options), optimized);
  const size_t entries = countObjects(options.cacheFolder + "/kernels");
  EXPECT_GE(entries, 2u);
  options.optimize = false;
  const std::string quick = compileOnce(program, options);
  EXPECT_NE(quick, optimized);
  EXPECT_EQ(countObjects(options.cacheFolder + "/kernels"), 2 * entries);
  EXPECT_EQ(compileOnce(program, options), quick);
  options.optimize = true;
  EXPECT_EQ(compileOnce(program, options), optimized);
  llvm::sys::fs::remove_directories(folder);
}

// They are no part of the key.
TEST(Compile, OtherSchedulesUseNoCache) {
  SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("gensyn-compile", folder));
  Schedules schedules;
  schedules.push_back(createBaselineSchedule());
  testing::Program program(sumsOf(2));
  CompileOptions options;
  options.target = testing::getRunnableTargets().back();
  options.cacheFolder = folder.str().str();
  options.schedules = &schedules;
  compileOnce(program, options);
  EXPECT_EQ(countObjects(options.cacheFolder + "/kernels"), 0u);
  llvm::sys::fs::remove_directories(folder);
}

} // namespace
} // namespace gensyn::cpu
