// The memory that a kernel in machine code accesses, as its compiler declared
// it next to the code; launches are checked against it.
#ifndef GENSYN_EXECUTABLE_KERNELACCESS_H
#define GENSYN_EXECUTABLE_KERNELACCESS_H

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn {

/// The data of symbol `NAME.access` next to function `NAME` of a shared object:
/// 64-bit little-endian numbers: a magic number, tiles, bytes of scratch, then
/// one for each buffer.
struct KernelAccess {
  struct Buffer {
    uint64_t bytes = 0;
    bool isWritten = false;
    /// May alias another buffer that has this flag.
    bool isInPlace = false;
  };
  static constexpr const char *suffix = ".access";

  int64_t tiles = 0; ///< the function takes ranges of [0, tiles)
  uint64_t scratchBytes = 0;
  std::vector<Buffer> buffers;

  std::string encode() const {
    std::string text;
    auto add = [&](uint64_t number) {
      for (int i = 0; i < 8; ++i)
        text += static_cast<char>(number >> (8 * i));
    };
    add(mark);
    add(static_cast<uint64_t>(tiles));
    add(scratchBytes);
    for (const Buffer &buffer : buffers)
      add(buffer.bytes << 2 | (buffer.isInPlace ? 2 : 0) |
          (buffer.isWritten ? 1 : 0));
    return text;
  }

  /// std::nullopt if the bytes are not such a list.
  static std::optional<KernelAccess> decode(std::string_view text) {
    if (text.size() < 24 || text.size() % 8 != 0)
      return std::nullopt;
    auto number = [&](size_t i) {
      uint64_t value = 0;
      for (size_t byte = 8; byte-- > 0;)
        value = value << 8 | static_cast<uint8_t>(text[8 * i + byte]);
      return value;
    };
    if (number(0) != mark)
      return std::nullopt;
    KernelAccess access;
    access.tiles = static_cast<int64_t>(number(1));
    access.scratchBytes = number(2);
    for (size_t i = 3; i < text.size() / 8; ++i)
      access.buffers.push_back(
          {number(i) >> 2, (number(i) & 1) != 0, (number(i) & 2) != 0});
    return access;
  }

private:
  static constexpr uint64_t mark = 0x3173736563636167; // "gaccess1"
};

} // namespace gensyn

#endif
