// A folder for one test, and messages of failures.
#ifndef GENSYN_TEST_UNIT_EXECUTABLE_TESTFILES_H
#define GENSYN_TEST_UNIT_EXECUTABLE_TESTFILES_H

#include "gensyn/Executable/Support/Error.h"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace gensyn::test {

/// Made empty, removed with all that is in it.
class ScratchFolder {
public:
  ScratchFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "gensyn-test.XXXXXX")
            .string();
    if (!::mkdtemp(name.data()))
      std::abort();
    folder = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  std::filesystem::path operator/(const std::string &name) const {
    return folder / name;
  }
  size_t files() const {
    size_t count = 0;
    for ([[maybe_unused]] const auto &item :
         std::filesystem::directory_iterator(folder))
      ++count;
    return count;
  }
  std::filesystem::path folder;
};

/// The bytes of a file with one to three changed, and cut short in every fifth
/// `round`.
template <class Generator>
std::string damaged(std::string bytes, Generator &random, int round) {
  for (int change = 0; change < 1 + round % 3; ++change)
    bytes[random() % bytes.size()] = char(random());
  if (round % 5 == 0)
    bytes.resize(random() % bytes.size());
  return bytes;
}

/// Processor time for some 10^5 things in a file, of which linear work takes a
/// hundredth, and comparing all with all more, also where sanitizers slow it.
#ifdef __SANITIZE_ADDRESS__
inline constexpr std::clock_t kTooLong = 200 * CLOCKS_PER_SEC;
#else
inline constexpr std::clock_t kTooLong = 20 * CLOCKS_PER_SEC;
#endif

/// A variable of the environment while a test runs.
class Setting {
public:
  Setting(const char *name, const std::string &value) : name(name) {
    if (const char *text = std::getenv(name))
      before = text;
    ::setenv(name, value.c_str(), 1);
  }
  ~Setting() {
    if (before)
      ::setenv(name, before->c_str(), 1);
    else
      ::unsetenv(name);
  }

private:
  const char *name;
  std::optional<std::string> before;
};

inline std::string readFile(const std::filesystem::path &path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline void writeFile(const std::filesystem::path &path,
                      const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// "3: message" of the Failure that `body` throws; "" where it throws none.
template <class Body> std::string failureOf(Body &&body) {
  try {
    body();
  } catch (const Failure &failure) {
    return std::to_string(int(failure.code)) + ": " + failure.what();
  }
  return "";
}

} // namespace gensyn::test

#endif
