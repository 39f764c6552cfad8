// Kernels on disk: what is kept comes back, what is damaged does not.

#include "KernelCache.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace gensyn::cpu;

namespace {

class KernelCacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("cache-test", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string onlyFile() {
    std::error_code code;
    llvm::sys::fs::directory_iterator files(folder, code);
    return files->path();
  }

  llvm::SmallString<128> folder;
};

TEST_F(KernelCacheTest, KeepsObjects) {
  KernelCache cache((folder + "/deep").str());
  const std::string key = KernelCache::keyOf("kernel", "x86-64");
  EXPECT_FALSE(cache.load(key));
  cache.store(key, llvm::StringRef("\0object", 7));
  EXPECT_EQ(cache.load(key), std::string("\0object", 7));
}

TEST_F(KernelCacheTest, KeysTellPartsApart) {
  EXPECT_EQ(KernelCache::keyOf("a", "b"), KernelCache::keyOf("a", "b"));
  EXPECT_NE(KernelCache::keyOf("a", "b"), KernelCache::keyOf("b", "a"));
  EXPECT_NE(KernelCache::keyOf("ab", "c"), KernelCache::keyOf("a", "bc"));
}

TEST_F(KernelCacheTest, IgnoresDamage) {
  KernelCache cache(folder.str().str());
  const std::string key = KernelCache::keyOf("kernel", "x86-64");
  cache.store(key, "object");
  {
    std::error_code code;
    llvm::raw_fd_ostream file(onlyFile(), code, llvm::sys::fs::CD_OpenExisting,
                              llvm::sys::fs::FA_Write, llvm::sys::fs::OF_None);
    ASSERT_FALSE(code);
    file.pwrite("x", 1, 66);
  }
  EXPECT_FALSE(cache.load(key));
  cache.store(key, "object");
  EXPECT_EQ(cache.load(key), "object");
}

TEST_F(KernelCacheTest, TrimsToHalf) {
  KernelCache cache(folder.str().str());
  for (char name : {'a', 'b', 'c', 'd'})
    cache.store(std::string(64, name), "object");
  auto kept = [&] {
    int count = 0;
    for (char name : {'a', 'b', 'c', 'd'})
      count += cache.load(std::string(64, name)).has_value();
    return count;
  };
  cache.trim(4);
  EXPECT_EQ(kept(), 4);
  cache.trim(3);
  EXPECT_EQ(kept(), 2);
}

TEST_F(KernelCacheTest, IsNoErrorWhereItCannotWrite) {
  KernelCache cache("/proc/none");
  cache.store(KernelCache::keyOf("kernel", "x86-64"), "object");
  KernelCache nothing("");
  nothing.store("key", "object");
  EXPECT_FALSE(nothing.load("key"));
}

} // namespace
