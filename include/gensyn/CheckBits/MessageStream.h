// Messages of bytes between two processes, over a socket or two pipes.

#ifndef GENSYN_CHECKBITS_MESSAGESTREAM_H
#define GENSYN_CHECKBITS_MESSAGESTREAM_H

#include "gensyn/Executable/Support/Error.h"

#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/socket.h>
#include <unistd.h>

namespace gensyn::checkbits {

/// Both ends are processes on this machine, so numbers need no byte order.
class MessageStream {
public:
  MessageStream(int input, int output) : input(input), output(output) {}

  /// Throws a Failure if the other process has ended.
  void send(std::string_view bytes) const {
    const uint64_t size = bytes.size();
    write({reinterpret_cast<const char *>(&size), sizeof size});
    write(bytes);
  }
  /// Returns std::nullopt if the other process has ended.
  std::optional<std::string> receive() const {
    uint64_t size = 0;
    if (!read(reinterpret_cast<char *>(&size), sizeof size))
      return std::nullopt;
    std::string bytes(size, 0);
    if (!read(bytes.data(), size))
      return std::nullopt;
    return bytes;
  }

private:
  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      // An end that is closed is an error and no signal.
      ssize_t count = ::send(output, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count < 0 && errno == ENOTSOCK)
        count = ::write(output, bytes.data(), bytes.size());
      if (count < 0 && errno != EINTR)
        failBadInput("the other process has ended");
      bytes.remove_prefix(count < 0 ? 0 : static_cast<size_t>(count));
    }
  }
  bool read(char *bytes, uint64_t size) const {
    while (size > 0) {
      const ssize_t count = ::read(input, bytes, size);
      if (count == 0 || (count < 0 && errno != EINTR))
        return false;
      bytes += count < 0 ? 0 : count;
      size -= count < 0 ? 0 : static_cast<uint64_t>(count);
    }
    return true;
  }

  int input, output;
};

} // namespace gensyn::checkbits

#endif
