// The log grows by whole lines, and is truncated to whole lines.

#include "gensyn/Runtime/Training/RunLog.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace gensyn::runtime {

namespace fs = std::filesystem;

[[noreturn]] static void failLog(const fs::path &path,
                                 const std::string &reason) {
  failInputOutput(path.string() + ": cannot be written: " + reason);
}

RunLog::~RunLog() { close(); }

void RunLog::close() {
  if (file >= 0)
    ::close(file);
  file = -1;
}

void RunLog::create(const fs::path &path) {
  close();
  place = path;
  length = 0;
  file = ::open(path.c_str(),
                O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0)
    failLog(path, std::strerror(errno));
}

/// True if a line was written up to the point from which a run resumes.
static bool isBefore(const nlohmann::json &row, int64_t step,
                     bool epochComplete) {
  if (!row.is_object() || !row.contains("step") ||
      !row["step"].is_number_integer())
    return false;
  const auto found = row["step"].get<int64_t>();
  return found < step ||
         (found == step && (epochComplete || row.contains("loss")));
}

void RunLog::reopen(const fs::path &path, int64_t step, bool epochComplete,
                    const std::function<void(const nlohmann::json &)> &row) {
  close();
  int64_t end = 0;
  std::error_code ignored;
  if (fs::exists(path, ignored)) {
    MappedFile old(path, MappedFile::Origin::Own);
    std::string_view text(reinterpret_cast<const char *>(old.data()),
                          old.size());
    for (size_t begin = 0, next; begin < text.size(); begin = next) {
      next = text.find('\n', begin) + 1;
      if (next == 0)
        break;
      auto parsed = nlohmann::json::parse(text.substr(begin, next - begin),
                                          nullptr, /*allow_exceptions=*/false);
      if (!isBefore(parsed, step, epochComplete))
        continue;
      row(parsed);
      end = int64_t(next);
    }
  }
  place = path;
  length = end;
  file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0 || ::ftruncate(file, length) != 0)
    failLog(path, std::strerror(errno));
}

void RunLog::append(const OrderedJson &row) {
  // A single write, so that a reader never sees half a line.
  const std::string line = printJson(row) + "\n";
  ssize_t written;
  do {
    written = ::write(file, line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  if (written == ssize_t(line.size())) {
    length += written;
    return;
  }
  const std::string reason =
      written < 0 ? std::strerror(errno) : std::strerror(ENOSPC);
  // Removes the part of the line that was written.
  (void)!::ftruncate(file, length);
  failLog(place, reason);
}

void RunLog::flush() {
  // Devices and pipes cannot be flushed and need no flush.
  if (::fsync(file) != 0 && errno != EINVAL)
    failLog(place, std::strerror(errno));
}

} // namespace gensyn::runtime
