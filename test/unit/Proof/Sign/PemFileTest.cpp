// PEM files: who may read them, and how they are made.

#include "gensyn/Proof/Sign/PemFile.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Files.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

using namespace gensyn;
using namespace gensyn::proof;

namespace fs = std::filesystem;

namespace {

class PemFile : public testing::Test {
protected:
  PemFile() { fs::create_directories(folder); }
  ~PemFile() override { fs::remove_all(folder); }

  template <class Function> static std::string errorOf(Function function) {
    try {
      function();
    } catch (const Failure &failure) {
      return std::to_string(int(failure.code)) + " " + failure.what();
    }
    return "";
  }
  static int modeOf(const fs::path &path) {
    struct stat status = {};
    ::stat(path.c_str(), &status);
    return int(status.st_mode & 07777);
  }

  const fs::path folder =
      fs::path(testing::TempDir()) / ("pem-" + std::to_string(::getpid()));
  const fs::path file = folder / "a.key";
  const std::string text =
      "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n";
};

} // namespace

TEST_F(PemFile, IsMadeWithItsMode) {
  const mode_t mask = ::umask(0);
  createPem(file, text, 0600);
  createPem(folder / "a.pub", text, 0644);
  ::umask(mask);
  EXPECT_EQ(modeOf(file), 0600);
  EXPECT_EQ(modeOf(folder / "a.pub"), 0644);
  EXPECT_EQ(readPrivatePem(file), text);
  // Nothing else is left.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
}

TEST_F(PemFile, IsNeverOverwritten) {
  createPem(file, text, 0600);
  const std::string problem =
      "5 " + file.string() + ": exists, and a key is never overwritten";
  EXPECT_EQ(errorOf([&] { createPem(file, "other", 0600); }), problem);
  EXPECT_EQ(readText(file, 1000), text);
  // Nor is what a link leads to, or the link.
  const fs::path link = folder / "link";
  fs::create_symlink(folder / "absent", link);
  EXPECT_NE(errorOf([&] { createPem(link, "other", 0600); }), "");
  EXPECT_FALSE(fs::exists(folder / "absent"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
  EXPECT_EQ(errorOf([&] {
              createPem(folder / "no" / "a.key", text, 0600);
            }).substr(0, 2),
            "5 ");
}

TEST_F(PemFile, OfOthers) {
  createPem(file, text, 0600);
  for (int mode : {0640, 0604, 0610, 0602, 0660, 0644}) {
    fs::permissions(file, fs::perms(mode));
    char shown[8];
    std::snprintf(shown, sizeof shown, "%04o", unsigned(mode));
    EXPECT_EQ(errorOf([&] { readPrivatePem(file); }),
              "3 " + file.string() + ": has mode " + shown +
                  ", so others may use the key; expected 0600");
  }
  fs::permissions(file, fs::perms(0400));
  EXPECT_EQ(errorOf([&] { readPrivatePem(file); }), "");
}

TEST_F(PemFile, OtherFiles) {
  writeText(file, std::string((1 << 20) + 1, 'x'));
  EXPECT_EQ(errorOf([&] { readPem(file, "PUBLIC KEY"); }),
            "3 " + file.string() +
                ": has 1048577 bytes, expected a PUBLIC KEY of at most "
                "1048576");
  writeText(file, "x");
  EXPECT_EQ(errorOf([&] { readPem(file, "PUBLIC KEY"); }),
            "3 " + file.string() + ": has no PUBLIC KEY in PEM form");
  EXPECT_EQ(errorOf([&] { readPem(folder, "PUBLIC KEY"); }).substr(0, 2), "5 ");
}
