// See PemFile.h.

#include "gensyn/Proof/Sign/PemFile.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gensyn::proof {

namespace fs = std::filesystem;

/// The most bytes of a PEM file.
static constexpr size_t kMostPem = size_t(1) << 20;

std::string readPem(const fs::path &path, const std::string &kind) {
  std::error_code ignored;
  if (const uintmax_t size = fs::file_size(path, ignored);
      !ignored && size > kMostPem)
    failBadInput(path.string() + ": has " + std::to_string(size) +
                 " bytes, expected a " + kind + " of at most " +
                 std::to_string(kMostPem));
  std::string text = readText(path, kMostPem);
  if (text.find("-----BEGIN ") == std::string::npos ||
      text.find(kind + "-----") == std::string::npos)
    failBadInput(path.string() + ": has no " + kind + " in PEM form");
  return text;
}

std::string readPrivatePem(const fs::path &path) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && (status.st_mode & 077) != 0) {
    char mode[8];
    std::snprintf(mode, sizeof mode, "%04o", status.st_mode & 07777U);
    failBadInput(path.string() + ": has mode " + mode +
                 ", so others may use the key; expected 0600");
  }
  std::string text = readPem(path, "PRIVATE KEY");
  // OpenSSL would ask for its passphrase on the terminal.
  if (text.find("ENCRYPTED PRIVATE KEY") != std::string::npos ||
      text.find(",ENCRYPTED") != std::string::npos)
    failBadInput(path.string() + ": the key is encrypted, expected one that "
                                 "is not");
  return text;
}

[[noreturn]] static void failPem(const fs::path &path, int number) {
  failInputOutput(path.string() +
                  ": cannot be written: " + std::strerror(number));
}

static bool writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    text.remove_prefix(size_t(written));
  }
  return true;
}

void createPem(const fs::path &path, std::string_view text, int mode) {
  // Made under another name by O_EXCL with mode 0600, and then linked: a link
  // never replaces a file, and nobody sees a part of one.
  std::string temporary = path.string() + ".XXXXXX";
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0)
    failPem(path, errno);
  int number = 0;
  if (!writeAll(file, text) || ::fchmod(file, mode_t(mode)) != 0 ||
      ::fsync(file) != 0 || ::link(temporary.c_str(), path.c_str()) != 0)
    number = errno;
  ::close(file);
  ::unlink(temporary.c_str());
  if (number == EEXIST)
    failInputOutput(path.string() + ": exists, and a key is never overwritten");
  if (number != 0)
    failPem(path, number);
}

} // namespace gensyn::proof
