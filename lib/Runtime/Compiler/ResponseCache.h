// Responses of the compiler on disk, so that a program that was compiled once
// starts without it.

#ifndef GENSYN_LIB_RUNTIME_COMPILER_RESPONSECACHE_H
#define GENSYN_LIB_RUNTIME_COMPILER_RESPONSECACHE_H

#include "gensyn/Executable/Support/CacheFolder.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace google::protobuf {
class MessageLite;
} // namespace google::protobuf

namespace gensyn::runtime {

/// Returns the BLAKE3 digest of a list of texts.
std::string digestOf(std::initializer_list<std::string_view> parts);

/// Returns what changes when a file is replaced: its numbers, size and times;
/// empty if there is none.
std::string describeFile(const std::filesystem::path &path);

/// A folder of responses. One is used as long as every file that the compiler
/// read for it is the same file, unchanged by its size and its times.
class ResponseCache {
public:
  ResponseCache(const std::filesystem::path &folder,
                const std::filesystem::path &library);

  /// Returns the key of a request to this build of the compiler from this
  /// working directory.
  std::string keyOf(const std::string &method,
                    const google::protobuf::MessageLite &request) const;

  /// Returns the serialized response with that key; std::nullopt if there is
  /// none, or a file was changed.
  std::optional<std::string> load(const std::string &key) const;

  /// Stores the response to a request that was sent at `start`, unless a file
  /// may have changed since then. Responses about no file are not stored.
  void store(const std::string &key, std::span<const uint8_t> response,
             std::chrono::system_clock::time_point start);

private:
  std::string library;
  CacheFolder folder;
};

} // namespace gensyn::runtime

#endif
