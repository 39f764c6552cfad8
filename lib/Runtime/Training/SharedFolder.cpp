// See SharedFolder.h.

#include "SharedFolder.h"

#include <array>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace gensyn::runtime {

namespace fs = std::filesystem;

static constexpr size_t kTokenSize = 32;

namespace {

/// A file of a random name with random text, removed in the end.
class Token {
public:
  explicit Token(const fs::path &folder)
      : path((folder / ".shared.XXXXXX").string()),
        descriptor(::mkostemp(path.data(), O_CLOEXEC)) {
    if (descriptor < 0)
      return;
    std::random_device random;
    while (text.size() < kTokenSize)
      text += "0123456789abcdef"[random() % 16];
    // On a file system of a network, others see what was flushed.
    if (::write(descriptor, text.data(), text.size()) != ssize_t(kTokenSize) ||
        ::fsync(descriptor) != 0)
      text.clear();
  }
  ~Token() {
    if (descriptor < 0)
      return;
    ::close(descriptor);
    ::unlink(path.c_str());
  }
  Token(const Token &) = delete;
  Token &operator=(const Token &) = delete;

  /// The name and the text; empty if there is no such file.
  std::string describe() const {
    return text.empty() ? "" : text + fs::path(path).filename().string();
  }

private:
  std::string path, text;
  int descriptor;
};

} // namespace

/// True if the file has that text and can be written.
static bool sees(const fs::path &file, std::string_view text) {
  const int descriptor =
      ::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0)
    return false;
  std::array<char, kTokenSize + 1> found;
  const ssize_t size = ::read(descriptor, found.data(), found.size());
  ::close(descriptor);
  return size == ssize_t(text.size()) &&
         std::string_view(found.data(), text.size()) == text;
}

std::vector<bool> findSharers(communication::Communicator &ranks,
                              const fs::path &folder) {
  std::optional<Token> token;
  if (ranks.rank() == 0 && !folder.empty())
    token.emplace(folder);
  const std::string wanted = ranks.broadcast(token ? token->describe() : "", 0);
  std::string answer = ranks.rank() == 0 && !wanted.empty() ? "yes" : "no";
  if (folder.empty())
    answer = "none";
  else if (ranks.rank() != 0 && wanted.size() > kTokenSize &&
           sees(folder / wanted.substr(kTokenSize),
                std::string_view(wanted).substr(0, kTokenSize)))
    answer = "yes";
  std::vector<bool> sharers;
  for (const std::string &one : ranks.gather(answer)) {
    sharers.push_back(one == "yes");
    if (one == "none")
      return {};
  }
  return sharers.front() ? sharers : std::vector<bool>();
}

} // namespace gensyn::runtime
