// An entry is a digest of the states of the files that the response lists, and
// the response.

#include "ResponseCache.h"

#include "gensyn/Executable/Support/FileSet.h"
#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Executable/plan.pb.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <limits>

#include <sys/stat.h>

namespace gensyn::runtime {

std::string digestOf(std::initializer_list<std::string_view> parts) {
  Hasher hasher;
  for (std::string_view part : parts) {
    hasher.updateNumber(part.size());
    hasher.update(part);
  }
  return hasher.hex();
}

static constexpr size_t kDigits = 64;

/// A file that changed this short a time before a request may have the time of
/// a later change, too.
static constexpr std::chrono::seconds kSettled{2};

static int64_t nanoseconds(const timespec &time) {
  return int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

static std::string describeState(const struct stat &status) {
  std::string text;
  for (int64_t number :
       {int64_t(status.st_dev), int64_t(status.st_ino), int64_t(status.st_size),
        nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)})
    text += std::to_string(number) + " ";
  return text;
}

std::string describeFile(const std::filesystem::path &path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 ? describeState(status) : "";
}

/// Returns a digest of the files that a response lists, by their states now;
/// std::nullopt if it lists none, one is missing or has changed since `latest`,
/// in nanoseconds, or one is there that was absent.
static std::optional<std::string>
digestFiles(const plan::Attached &attached,
            int64_t latest = std::numeric_limits<int64_t>::max()) {
  std::string text;
  for (const plan::FileRead &file : attached.files_read()) {
    struct stat status;
    if (::stat(file.path().c_str(), &status) != 0 ||
        uint64_t(status.st_dev) != file.device() ||
        uint64_t(status.st_ino) != file.inode() ||
        nanoseconds(status.st_ctim) > latest)
      return std::nullopt;
    text += file.path() + "\n" + describeState(status) + "\n";
  }
  if (text.empty())
    return std::nullopt;
  for (const std::string &path : attached.files_absent())
    if (struct stat status; ::stat(path.c_str(), &status) == 0)
      return std::nullopt;
  return digestOf({text});
}

/// The common part of all responses; other fields are skipped.
static std::optional<plan::Attached>
readAttached(std::span<const uint8_t> response) {
  plan::LoadResponse common;
  if (response.size() > size_t(std::numeric_limits<int>::max()) ||
      !common.ParseFromArray(response.data(), int(response.size())) ||
      common.error().exit_code() != 0 || common.attached().warnings_size() != 0)
    return std::nullopt;
  return std::move(*common.mutable_attached());
}

ResponseCache::ResponseCache(const std::filesystem::path &folder,
                             const std::filesystem::path &library)
    : folder(folder.empty() ? "" : (folder / "programs").string(), ".gxr",
             digestOf) {
  this->library = describeFile(library);
}

std::string
ResponseCache::keyOf(const std::string &method,
                     const google::protobuf::MessageLite &request) const {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    request.SerializePartialToCodedStream(&coded);
  }
  return digestOf({library, absolutePath("."), method, bytes});
}

std::optional<std::string> ResponseCache::load(const std::string &key) const {
  std::optional<std::string> entry = folder.load(key);
  if (!entry || entry->size() < kDigits)
    return std::nullopt;
  std::string response = entry->substr(kDigits);
  const auto attached = readAttached(
      {reinterpret_cast<const uint8_t *>(response.data()), response.size()});
  if (!attached || digestFiles(*attached) != entry->substr(0, kDigits))
    return std::nullopt;
  return response;
}

void ResponseCache::store(const std::string &key,
                          std::span<const uint8_t> response,
                          std::chrono::system_clock::time_point start) {
  using std::chrono::nanoseconds;
  const auto attached = readAttached(response);
  if (!attached)
    return;
  const int64_t latest = std::chrono::duration_cast<nanoseconds>(
                             (start - kSettled).time_since_epoch())
                             .count();
  const std::optional<std::string> files = digestFiles(*attached, latest);
  if (!files)
    return;
  folder.store(key, *files + std::string(response.begin(), response.end()));
  folder.trim(kCacheBytes);
}

} // namespace gensyn::runtime
