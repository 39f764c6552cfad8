// Memory of many bytes asks for large pages.

#include "gensyn/Executable/Support/AlignedMemory.h"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace gensyn {
namespace {

/// The flags of the mapping that has an address, as /proc/self/smaps has them.
std::string flagsOf(const void *address) {
  std::ifstream file("/proc/self/smaps");
  bool isInside = false;
  for (std::string line; std::getline(file, line);) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) {
      const auto at = reinterpret_cast<uintptr_t>(address);
      isInside = begin <= at && at < end;
    } else if (isInside && line.starts_with("VmFlags:")) {
      return line + " ";
    }
  }
  return {};
}

TEST(AlignedMemory, ManyBytesAskForLargePages) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage"))
    return;
  constexpr size_t size = size_t(9) << 20;
  const AlignedBytes bytes = allocateInLargePages(size);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes.get()) % 64, 0u);
  std::memset(bytes.get(), 1, size);
  EXPECT_NE(flagsOf(bytes.get() + size / 2).find(" hg "), std::string::npos);
}

TEST(AlignedMemory, FewBytesDoNot) {
  for (size_t size : {0, 1, 4096}) {
    const AlignedBytes bytes = allocateInLargePages(size);
    EXPECT_NE(bytes, nullptr);
    std::memset(bytes.get(), 1, size);
  }
}

TEST(AlignedMemory, PagesAroundARangeStay) {
  constexpr size_t page = 4096, size = size_t(1) << 16;
  const AlignedBytes bytes = allocateAligned(size);
  std::memset(bytes.get(), 1, size);
  const size_t toPage = page - reinterpret_cast<uintptr_t>(bytes.get()) % page;
  const size_t begin = toPage + page + 100, end = toPage + 5 * page - 100;
  releasePages(bytes.get() + begin, end - begin);
  for (size_t i = 0; i < size; ++i)
    if (i < toPage + 2 * page || i >= toPage + 4 * page)
      ASSERT_EQ(bytes[i], 1) << i;
  EXPECT_EQ(bytes[toPage + 3 * page], 0);
}

TEST(AlignedMemory, ARangeWithoutAWholePageStays) {
  const AlignedBytes bytes = allocateAligned(5000);
  std::memset(bytes.get(), 1, 5000);
  releasePages(bytes.get() + 1, 0);
  releasePages(bytes.get() + 1, 900);
  for (size_t i = 0; i < 5000; ++i)
    ASSERT_EQ(bytes[i], 1) << i;
}

} // namespace
} // namespace gensyn
