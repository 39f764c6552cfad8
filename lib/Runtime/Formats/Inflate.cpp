// Decompresses deflated bytes with zlib into an unlinked file, which can be
// mapped even if it exceeds memory.

#include "NumpyFiles.h"

#include "gensyn/Executable/Support/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

namespace gensyn::runtime {

namespace {

/// An unlinked file, which disappears with its descriptor and its mapping.
class NamelessFile {
public:
  explicit NamelessFile(const std::string &where) : where(where) {
    std::error_code error;
    folder = std::filesystem::temp_directory_path(error).string();
    std::string name = folder + "/gensyn-unpacked.XXXXXX";
    descriptor = error ? -1 : ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0)
      fail(errno);
    ::unlink(name.c_str());
  }
  ~NamelessFile() { ::close(descriptor); }
  NamelessFile(const NamelessFile &) = delete;
  NamelessFile &operator=(const NamelessFile &) = delete;

  void write(const uint8_t *bytes, size_t size) {
    while (size) {
      const ssize_t written = ::write(descriptor, bytes, size);
      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        fail(errno);
      bytes += written;
      size -= size_t(written);
    }
  }
  std::shared_ptr<MappedFile> map() const {
    return std::make_shared<MappedFile>(descriptor, folder);
  }

private:
  [[noreturn]] void fail(int number) const {
    failInputOutput(where + "cannot be unpacked in " + folder + ": " +
                        std::strerror(number),
                    "TMPDIR names another folder; what numpy.savez writes "
                    "needs no unpacking");
  }

  std::string where;
  std::string folder;
  int descriptor = -1;
};

/// zlib's state for a raw deflate stream.
class Inflater {
public:
  Inflater() {
    if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK)
      throw std::bad_alloc();
  }
  ~Inflater() { ::inflateEnd(&stream); }
  Inflater(const Inflater &) = delete;
  Inflater &operator=(const Inflater &) = delete;

  z_stream stream = {};
};

} // namespace

std::shared_ptr<MappedFile> unpackDeflated(const uint8_t *bytes, size_t size,
                                           uint64_t unpackedSize,
                                           uint32_t checksum,
                                           const std::string &where) {
  // Deflate expands two bits to at most 258 bytes.
  if (unpackedSize / 1032 > size)
    failBadInput(where + "cannot unpack to " + std::to_string(unpackedSize) +
                 " bytes");
  NamelessFile file(where);
  Inflater inflater;
  z_stream &stream = inflater.stream;
  std::vector<uint8_t> piece(1 << 20);
  uint64_t made = 0;
  uLong found = ::crc32(0, nullptr, 0);
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      stream.next_in = const_cast<uint8_t *>(bytes);
      stream.avail_in = uInt(std::min<size_t>(size, 1 << 30));
      bytes += stream.avail_in;
      size -= stream.avail_in;
    }
    stream.next_out = piece.data();
    stream.avail_out = uInt(piece.size());
    state = ::inflate(&stream, Z_NO_FLUSH);
    if (state == Z_MEM_ERROR)
      throw std::bad_alloc();
    const size_t count = piece.size() - stream.avail_out;
    if ((state != Z_OK && state != Z_STREAM_END) || count > unpackedSize - made)
      failBadInput(where + "its compressed data are damaged");
    made += count;
    found = ::crc32(found, piece.data(), uInt(count));
    file.write(piece.data(), count);
  }
  if (made != unpackedSize || stream.avail_in || size || found != checksum)
    failBadInput(where + "its compressed data are damaged");
  return file.map();
}

} // namespace gensyn::runtime
