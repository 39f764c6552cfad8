// Reads .npz files: zip files (PKWARE's APPNOTE, with its 64-bit records) whose
// members are .npy files. The directory at the end is untrusted. Members that
// share bytes are rejected, so that a small file cannot expand into a large
// one.

#include "NumpyFiles.h"

#include "gensyn/Executable/Support/Error.h"

#include <algorithm>
#include <cstring>

namespace gensyn::runtime {

namespace {

/// A member as the directory describes it.
struct Member {
  std::string name;
  int flags = 0;
  int method = 0;
  uint32_t checksum = 0;
  uint64_t size = 0;
  uint64_t unpackedSize = 0;
  uint64_t header = 0;
  /// Range of its data, after its own header; set by locate().
  uint64_t begin = 0;
  uint64_t end = 0;
};

constexpr uint32_t noNumber32 = 0xffffffff;
constexpr int noNumber16 = 0xffff;
constexpr int storedMethod = 0, deflatedMethod = 8;

/// Bounds-checked reads of little-endian numbers.
class Archive {
public:
  Archive(const uint8_t *bytes, uint64_t size, std::string where)
      : bytes(bytes), size(size), where(std::move(where)) {}

  std::vector<Member> members() const;
  const uint8_t *at(uint64_t offset) const { return bytes + offset; }

private:
  [[noreturn]] void fail(const std::string &reason) const {
    failBadInput(where + reason);
  }
  void need(uint64_t offset, uint64_t length) const {
    if (offset > size || length > size - offset)
      fail("a part of the zip file is outside of it");
  }
  uint64_t number(uint64_t offset, int width) const {
    need(offset, uint64_t(width));
    uint64_t value = 0;
    for (int i = width - 1; i >= 0; --i)
      value = value << 8 | bytes[offset + uint64_t(i)];
    return value;
  }
  uint32_t word(uint64_t offset) const { return uint32_t(number(offset, 4)); }
  int half(uint64_t offset) const { return int(number(offset, 2)); }
  std::string text(uint64_t offset, uint64_t length) const {
    need(offset, length);
    return {reinterpret_cast<const char *>(bytes + offset), size_t(length)};
  }
  uint64_t findEnd() const;
  Member readMember(uint64_t &offset) const;
  void readWideNumbers(uint64_t extra, uint64_t length, Member &member) const;
  void locate(Member &member, uint64_t limit) const;

  const uint8_t *bytes;
  uint64_t size;
  std::string where;
};

} // namespace

/// Returns the offset of the end-of-directory record, which a comment may
/// follow.
uint64_t Archive::findEnd() const {
  if (size >= 22) {
    const uint64_t first = size - 22;
    const uint64_t last = first > noNumber16 ? first - noNumber16 : 0;
    for (uint64_t offset = first + 1; offset-- > last;)
      if (word(offset) == 0x06054b50 &&
          offset + 22 + uint64_t(half(offset + 20)) == size)
        return offset;
  }
  fail("the zip file has no end record: is it complete?");
}

/// Numbers that do not fit in 32 bits are in an extra field, in this order.
void Archive::readWideNumbers(uint64_t extra, uint64_t length,
                              Member &member) const {
  need(extra, length);
  const uint64_t end = extra + length;
  while (end - extra >= 4) {
    const int kind = half(extra);
    const uint64_t next = extra + 4 + uint64_t(half(extra + 2));
    if (next > end)
      fail("a field of " + quote(member.name) + " is outside of its record");
    uint64_t place = extra + 4;
    extra = next;
    if (kind != 1)
      continue;
    for (uint64_t *value : {&member.unpackedSize, &member.size, &member.header})
      if (*value == noNumber32 && next - place >= 8) {
        *value = number(place, 8);
        place += 8;
      }
  }
}

Member Archive::readMember(uint64_t &offset) const {
  if (word(offset) != 0x02014b50)
    fail("the zip file's directory is damaged");
  Member member;
  member.flags = half(offset + 8);
  member.method = half(offset + 10);
  member.checksum = word(offset + 16);
  member.size = word(offset + 20);
  member.unpackedSize = word(offset + 24);
  member.header = word(offset + 42);
  const auto nameLength = uint64_t(half(offset + 28));
  const auto extraLength = uint64_t(half(offset + 30));
  member.name = text(offset + 46, nameLength);
  readWideNumbers(offset + 46 + nameLength, extraLength, member);
  offset += 46 + nameLength + extraLength + uint64_t(half(offset + 32));
  need(offset, 0);
  return member;
}

/// Finds the data after the member's own header, whose length may differ from
/// that of the directory's record.
void Archive::locate(Member &member, uint64_t limit) const {
  const std::string which = quote(member.name) + ": ";
  need(member.header, 30);
  if (word(member.header) != 0x04034b50)
    fail(which + "its header is damaged");
  const auto nameLength = uint64_t(half(member.header + 26));
  if (text(member.header + 30, nameLength) != member.name)
    fail(which + "its header has another name");
  member.begin =
      member.header + 30 + nameLength + uint64_t(half(member.header + 28));
  if (member.begin > limit || member.size > limit - member.begin)
    fail(which + "its data end outside of the file");
  member.end = member.begin + member.size;
}

std::vector<Member> Archive::members() const {
  const uint64_t end = findEnd();
  uint64_t count = uint64_t(half(end + 10));
  uint64_t directory = word(end + 16);
  int disk = half(end + 4), directoryDisk = half(end + 6);
  if (end >= 20 && word(end - 20) == 0x07064b50) {
    const uint64_t wide = number(end - 12, 8);
    if (word(wide) != 0x06064b50)
      fail("the zip file's end record is damaged");
    disk = int(word(wide + 16));
    directoryDisk = int(word(wide + 20));
    count = number(wide + 32, 8);
    directory = number(wide + 48, 8);
  }
  if (disk != 0 || directoryDisk != 0)
    fail("the zip file has several parts");
  if (count > size / 46)
    fail("the zip file's directory is longer than the file");
  std::vector<Member> result;
  uint64_t offset = directory;
  for (uint64_t i = 0; i < count; ++i)
    result.push_back(readMember(offset));
  for (Member &member : result)
    locate(member, directory);
  std::vector<const Member *> sorted;
  for (const Member &member : result)
    sorted.push_back(&member);
  std::sort(sorted.begin(), sorted.end(), [](const Member *a, const Member *b) {
    return a->header < b->header;
  });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i]->header < sorted[i - 1]->end)
      fail(quote(sorted[i - 1]->name) + " and " + quote(sorted[i]->name) +
           " overlap");
  return result;
}

NpzFile::NpzFile(const std::filesystem::path &path) : TensorFile(path) {
  auto file = std::make_shared<MappedFile>(path);
  owners.push_back(file);
  const std::string where = path.string() + ": ";
  const Archive archive(file->data(), file->size(), where);
  // torch.save also writes zip files: a pickle and its storages.
  for (const Member &member : archive.members())
    if (member.name.ends_with("/data.pkl"))
      failBadInput(where + "is a torch.save archive (a Python pickle), not a "
                           "file of tensors",
                   "write tensors with safetensors.torch.save_file, or "
                   "numpy.savez");
  for (const Member &member : archive.members()) {
    const std::string which = where + quote(member.name) + ": ";
    if (!member.name.ends_with(".npy") || member.name.size() == 4)
      failBadInput(which + "not an .npy file");
    if (member.flags & 1)
      failUnsupported(which + "encrypted");
    const uint8_t *bytes = archive.at(member.begin);
    size_t size = size_t(member.size);
    if (member.method == deflatedMethod) {
      auto unpacked = unpackDeflated(bytes, size, member.unpackedSize,
                                     member.checksum, which);
      bytes = unpacked->data();
      size = unpacked->size();
      owners.push_back(std::move(unpacked));
    } else if (member.method != storedMethod) {
      failUnsupported(which + "compressed by method " +
                          std::to_string(member.method),
                      "numpy.savez stores, numpy.savez_compressed deflates");
    } else if (member.size != member.unpackedSize) {
      failBadInput(which + "stored, and of two sizes");
    }
    const std::string name = member.name.substr(0, member.name.size() - 4);
    if (!tensors.emplace(name, readNumpy(bytes, size, which)).second)
      failBadInput(which + "is there twice");
  }
}

} // namespace gensyn::runtime
