// The header of a package file.
#ifndef GENSYN_LIB_EXECUTABLE_PACKAGEFORMAT_H
#define GENSYN_LIB_EXECUTABLE_PACKAGEFORMAT_H

#include "gensyn/Executable/Support/Hash.h"

#include <array>
#include <cstdint>
#include <string>

namespace gensyn {

/// Numbers are little-endian. The message follows the header, then zeros up to
/// a multiple of 64, then the data.
struct PackageHeader {
  /// Cannot be the beginning of a text file, and detects a transfer in text
  /// mode.
  static constexpr std::array<uint8_t, 8> magic = {0x89, 'G',  'X',  'E',
                                                   '\r', '\n', 0x1a, '\n'};
  static constexpr uint32_t knownVersion = 1;
  static constexpr size_t bytes = 64;
  /// Offset of the hash, which covers the bytes before and after it.
  static constexpr size_t hashed = 32;

  uint64_t messageBytes = 0;
  uint64_t dataBytes = 0;

  static uint64_t padded(uint64_t bytes) { return (bytes + 63) / 64 * 64; }
  uint64_t dataBegin() const { return bytes + padded(messageBytes); }
  uint64_t fileBytes() const { return dataBegin() + dataBytes; }

  /// Returns the first `hashed` bytes.
  std::string encode() const {
    std::string text(magic.begin(), magic.end());
    auto add = [&](uint64_t number, int width) {
      for (int i = 0; i < width; ++i)
        text += static_cast<char>(number >> (8 * i));
    };
    add(knownVersion, 4);
    add(0, 4);
    add(messageBytes, 8);
    add(dataBytes, 8);
    return text;
  }
};

/// Returns the bytes of 64 hexadecimal digits.
inline std::string packHash(const std::string &hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

} // namespace gensyn

#endif
