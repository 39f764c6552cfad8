// Kernels on disk: intact files are used, and damaged ones are not.

#include "KernelCache.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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
  const std::string key = KernelCache::keyOf("kernel", "x86-64", true);
  EXPECT_FALSE(cache.load(key));
  cache.store(key, llvm::StringRef("\0object", 7));
  EXPECT_EQ(cache.load(key), std::string("\0object", 7));
}

TEST_F(KernelCacheTest, KeysTellPartsApart) {
  EXPECT_EQ(KernelCache::keyOf("a", "b", true),
            KernelCache::keyOf("a", "b", true));
  EXPECT_NE(KernelCache::keyOf("a", "b", true),
            KernelCache::keyOf("b", "a", true));
  EXPECT_NE(KernelCache::keyOf("ab", "c", true),
            KernelCache::keyOf("a", "bc", true));
  EXPECT_NE(KernelCache::keyOf("a", "b", true),
            KernelCache::keyOf("a", "b", false));
}

TEST_F(KernelCacheTest, IgnoresDamage) {
  KernelCache cache(folder.str().str());
  const std::string key = KernelCache::keyOf("kernel", "x86-64", true);
  cache.store(key, "object");
  {
    std::error_code code;
    llvm::raw_fd_ostream file(onlyFile(), code, llvm::sys::fs::CD_OpenExisting,
                              llvm::sys::fs::FA_Write, llvm::sys::fs::OF_None);
    ASSERT_FALSE(code);
    file.pwrite("x", 1, 82);
  }
  EXPECT_FALSE(cache.load(key));
  cache.store(key, "object");
  EXPECT_EQ(cache.load(key), "object");
}

TEST_F(KernelCacheTest, IsForItsUserAlone) {
  const std::string place = (folder + "/new/kernels").str();
  KernelCache cache(place);
  cache.store(KernelCache::keyOf("kernel", "x86-64", true), "object");
  struct stat status;
  ASSERT_EQ(::stat(place.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  folder += "/new/kernels";
  ASSERT_EQ(::stat(onlyFile().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  folder.resize(folder.size() - std::strlen("/new/kernels"));
}

TEST_F(KernelCacheTest, DoesNotBelieveOthers) {
  const std::string key = KernelCache::keyOf("kernel", "x86-64", true);
  KernelCache(folder.str().str()).store(key, "object");
  auto load = [&] { return KernelCache(folder.str().str()).load(key); };
  auto problem = [&] { return KernelCache(folder.str().str()).getProblem(); };
  EXPECT_EQ(load(), "object");
  EXPECT_EQ(problem(), "");
  for (mode_t mode : {0722, 0702, 0720}) {
    ASSERT_EQ(::chmod(folder.c_str(), mode), 0);
    EXPECT_FALSE(load());
    EXPECT_EQ(problem(), "the kernel cache '" + folder.str().str() +
                             "' may be written by others; kernels are compiled "
                             "without it");
    // Nor is anything put there.
    KernelCache(folder.str().str())
        .store(KernelCache::keyOf("other", "x86-64", true), "object");
    EXPECT_FALSE(onlyFile().empty());
  }
  ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
  EXPECT_EQ(load(), "object");
  ASSERT_EQ(::chmod(onlyFile().c_str(), 0622), 0);
  EXPECT_FALSE(load());
  ASSERT_EQ(::chmod(onlyFile().c_str(), 0644), 0);
  EXPECT_EQ(load(), "object");
  if (::geteuid() != 0)
    return; // Nobody else can give files away.
  ASSERT_EQ(::chown(onlyFile().c_str(), 12345, 12345), 0);
  EXPECT_FALSE(load());
  KernelCache(folder.str().str()).store(key, "object");
  EXPECT_EQ(load(), "object");
  ASSERT_EQ(::chown(folder.c_str(), 12345, 12345), 0);
  EXPECT_FALSE(load());
  EXPECT_NE(problem().find("belongs to another user"), std::string::npos);
}

TEST_F(KernelCacheTest, AClaimExcludesOthers) {
  const std::string place = (folder + "/new/kernels").str();
  const std::string key = KernelCache::keyOf("kernel", "x86-64", true);
  const std::string other = KernelCache::keyOf("other", "x86-64", true);
  KernelCache cache(place), same(place);
  {
    const auto claim = cache.claim(key);
    ASSERT_TRUE(claim);
    EXPECT_FALSE(cache.claim(key));
    EXPECT_FALSE(same.claim(key));
    EXPECT_TRUE(same.claim(other));
    // Who has no claim may store too.
    same.store(key, "object");
    EXPECT_EQ(cache.load(key), "object");
    same.trim(0);
    EXPECT_FALSE(same.claim(key));
  }
  EXPECT_TRUE(same.claim(key));
}

TEST_F(KernelCacheTest, AClaimEndsWithItsProcess) {
  KernelCache cache(folder.str().str());
  const std::string key = KernelCache::keyOf("kernel", "x86-64", true);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto claim = cache.claim(key);
    const char text = claim ? '1' : '0';
    (void)!::write(ready[1], &text, 1);
    for (;;)
      ::pause();
  }
  char text = 0;
  EXPECT_EQ(::read(ready[0], &text, 1), 1);
  EXPECT_EQ(text, '1');
  EXPECT_FALSE(cache.claim(key));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(cache.claim(key));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(KernelCacheTest, WithoutAFolderAClaimExcludesNobody) {
  const std::string file = (folder + "/file").str();
  ASSERT_EQ(::close(::open(file.c_str(), O_CREAT | O_WRONLY, 0600)), 0);
  for (const std::string &place : {std::string(), file + "/kernels"}) {
    KernelCache cache(place);
    const auto claim = cache.claim("k");
    EXPECT_TRUE(claim);
    EXPECT_TRUE(cache.claim("k"));
  }
}

TEST_F(KernelCacheTest, AFolderThatOthersCanReplace) {
  const std::string place = (folder + "/shared").str();
  ASSERT_EQ(::mkdir(place.c_str(), 0700), 0);
  KernelCache(place + "/kernels").store("k", "object");
  ASSERT_EQ(::chmod(place.c_str(), 0777), 0);
  EXPECT_FALSE(KernelCache(place + "/kernels").load("k"));
  // As in /tmp, where users cannot rename files of others.
  ASSERT_EQ(::chmod(place.c_str(), 01777), 0);
  EXPECT_EQ(KernelCache(place + "/kernels").load("k"), "object");
}

TEST_F(KernelCacheTest, WhatIsNoPlainFile) {
  KernelCache cache(folder.str().str());
  cache.store("k", "object");
  const std::string path = onlyFile();
  ASSERT_EQ(::rename(path.c_str(), (folder + "/elsewhere").str().c_str()), 0);
  ASSERT_EQ(::symlink("elsewhere", path.c_str()), 0);
  EXPECT_FALSE(cache.load("k"));
  // The link is replaced, not its target.
  cache.store("k", "another");
  EXPECT_EQ(cache.load("k"), "another");
  ASSERT_EQ(::unlink(path.c_str()), 0);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(cache.load("k"));
  ASSERT_EQ(::unlink(path.c_str()), 0);
  ASSERT_EQ(::mkdir(path.c_str(), 0700), 0);
  EXPECT_FALSE(cache.load("k"));
  cache.store("k", "object"); // cannot, and leaves nothing behind
  EXPECT_FALSE(cache.load("k"));
  std::error_code code;
  for (llvm::sys::fs::directory_iterator file(folder, code), end;
       !code && file != end; file.increment(code))
    EXPECT_FALSE(llvm::sys::path::filename(file->path()).contains("tmp-"));
}

TEST_F(KernelCacheTest, AnEntryIsThatOfItsKey) {
  KernelCache cache(folder.str().str());
  cache.store("k", "object");
  ASSERT_EQ(::rename(onlyFile().c_str(), (folder + "/l.o").str().c_str()), 0);
  EXPECT_FALSE(cache.load("l"));
}

TEST_F(KernelCacheTest, NoAlteredBitIsMissed) {
  KernelCache cache(folder.str().str());
  cache.store("k", "object");
  auto buffer = llvm::MemoryBuffer::getFile(onlyFile());
  ASSERT_TRUE(bool(buffer));
  const std::string good = (*buffer)->getBuffer().str();
  auto isBelieved = [&](const std::string &bytes) {
    std::error_code code;
    llvm::raw_fd_ostream(onlyFile(), code) << bytes;
    return cache.load("k").has_value();
  };
  EXPECT_TRUE(isBelieved(good));
  for (size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bytes = good;
    bytes[bit / 8] = char(bytes[bit / 8] ^ 1 << bit % 8);
    EXPECT_FALSE(isBelieved(bytes)) << bit;
  }
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(isBelieved(good.substr(0, length))) << length;
}

/// Bytes of an entry with six bytes.
constexpr uint64_t kEntry = 16 + 64 + 6;

TEST_F(KernelCacheTest, TrimsToHalfOfTheBytes) {
  KernelCache cache(folder.str().str());
  for (char name : {'a', 'b', 'c', 'd'})
    cache.store(std::string(64, name), "object");
  auto kept = [&] {
    int count = 0;
    for (char name : {'a', 'b', 'c', 'd'})
      count += cache.load(std::string(64, name)).has_value();
    return count;
  };
  cache.trim(4 * kEntry);
  EXPECT_EQ(kept(), 4);
  cache.trim(4 * kEntry - 1);
  EXPECT_EQ(kept(), 1);
}

TEST_F(KernelCacheTest, TrimsWhatWasNotUsed) {
  KernelCache cache(folder.str().str());
  for (const char *name : {"used", "older", "young"}) {
    cache.store(name, "object");
    const time_t age = name[0] == 'u' ? 4 * 3600 : name[0] == 'o' ? 7200 : 60;
    const timespec then = {::time(nullptr) - age, 0}, times[] = {then, then};
    ASSERT_EQ(::utimensat(AT_FDCWD, (folder + "/" + name + ".o").str().c_str(),
                          times, 0),
              0);
  }
  EXPECT_TRUE(cache.load("used")); // its time is now
  cache.trim(2 * kEntry + 1);
  EXPECT_TRUE(cache.load("used"));
  EXPECT_FALSE(cache.load("older") || cache.load("young"));
}

TEST_F(KernelCacheTest, TrimsNoFileThatIsBeingWritten) {
  KernelCache cache(folder.str().str());
  for (char name : {'a', 'b', 'c', 'd'})
    cache.store(std::string(64, name), "object");
  auto path = [&](const char *name) { return (folder + "/" + name).str(); };
  for (const char *name : {"tmp-1-0.o", "tmp-1-1.o"}) {
    std::error_code code;
    llvm::raw_fd_ostream(path(name), code) << "part";
    // Older than the objects: an hour, and two days.
    const time_t age = name[6] == '0' ? 3600 : 2 * 24 * 3600;
    const timespec then = {::time(nullptr) - age, 0}, times[] = {then, then};
    ASSERT_EQ(::utimensat(AT_FDCWD, path(name).c_str(), times, 0), 0);
  }
  cache.trim(4 * kEntry);
  EXPECT_TRUE(llvm::sys::fs::exists(path("tmp-1-0.o")));
  EXPECT_FALSE(llvm::sys::fs::exists(path("tmp-1-1.o")));
  for (char name : {'a', 'b', 'c', 'd'})
    EXPECT_TRUE(cache.load(std::string(64, name)));
}

/// Trims the folder that was opened, not a later one with the same name.
TEST_F(KernelCacheTest, TrimsTheFolderThatWasChecked) {
  const std::string place = (folder + "/kernels").str();
  KernelCache cache(place);
  for (const char *name : {"a", "b"})
    cache.store(name, "object");
  ASSERT_EQ(::rename(place.c_str(), (folder + "/moved").str().c_str()), 0);
  KernelCache other(place);
  for (const char *name : {"a", "b"})
    other.store(name, "object");
  cache.trim(1);
  EXPECT_FALSE(cache.load("a") || cache.load("b"));
  EXPECT_TRUE(other.load("a") && other.load("b"));
}

TEST_F(KernelCacheTest, IsNoErrorWhereItCannotWrite) {
  KernelCache cache("/proc/none");
  cache.store(KernelCache::keyOf("kernel", "x86-64", true), "object");
  KernelCache nothing("");
  nothing.store("key", "object");
  EXPECT_FALSE(nothing.load("key"));
}

} // namespace
