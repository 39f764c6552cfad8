// Shared memory, and messages that transfer it between processes.
#ifndef GENSYN_RUNTIME_SHAREDBYTES_H
#define GENSYN_RUNTIME_SHAREDBYTES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace gensyn::runtime {

/// Owns an open file descriptor.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number(number) {}
  Descriptor(Descriptor &&other) noexcept : number(other.release()) {}
  Descriptor &operator=(Descriptor &&other) noexcept;
  ~Descriptor();

  int get() const { return number; }
  int release();

private:
  int number;
};

/// A mapped anonymous file in memory.
class SharedBytes {
public:
  /// Allocates `size` bytes. Throws std::bad_alloc if that fails.
  explicit SharedBytes(size_t size);
  /// Maps `size` bytes of a file that another process sent. Throws
  /// std::bad_alloc if that fails.
  SharedBytes(Descriptor file, size_t size);
  ~SharedBytes();
  SharedBytes(const SharedBytes &) = delete;
  SharedBytes &operator=(const SharedBytes &) = delete;

  uint8_t *data() const { return bytes; }
  size_t size() const { return length; }
  const Descriptor &descriptor() const { return file; }

private:
  void map();

  Descriptor file;
  size_t length;
  uint8_t *bytes = nullptr;
};

/// A message over a packet socket: a word or a method's name, a number, and
/// bytes in shared memory.
struct SharedMessage {
  std::string word; ///< at most 200 bytes
  int status = 0;
  size_t size = 0;
  Descriptor file; ///< holds the bytes; none if `size` is 0
};

/// Returns false if the other end is closed.
bool sendMessage(int socket, const std::string &word, int status,
                 const SharedBytes *bytes);
/// Returns std::nullopt if the other end is closed.
std::optional<SharedMessage> receiveMessage(int socket);

} // namespace gensyn::runtime

#endif
