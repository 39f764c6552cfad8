// Reads .npy files. The header is a Python dictionary literal with three keys;
// this parser accepts the subset that numpy.save writes.

#include "NumpyFiles.h"

#include "gensyn/Executable/Support/Error.h"

#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

namespace gensyn::runtime {

namespace {

/// A parsed header.
struct NumpyHeader {
  std::optional<std::string> type;
  std::optional<bool> isFortranOrder;
  std::optional<std::vector<int64_t>> shape;
};

/// Tokenizes the dictionary.
class HeaderReader {
public:
  HeaderReader(std::string_view text, const std::string &where)
      : rest(text), where(where) {}

  NumpyHeader read();

private:
  [[noreturn]] void fail() const {
    failBadInput(where + "the header is none that numpy.save writes");
  }
  void skipSpace() {
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\n'))
      rest.remove_prefix(1);
  }
  /// Consumes the word if it comes next, and returns true if it did.
  bool take(std::string_view word) {
    skipSpace();
    if (!rest.starts_with(word))
      return false;
    rest.remove_prefix(word.size());
    return true;
  }
  void expect(std::string_view word) {
    if (!take(word))
      fail();
  }
  std::string readString();
  std::vector<int64_t> readShape();
  void readValue(const std::string &key, NumpyHeader &header);

  std::string_view rest;
  const std::string &where;
};

struct NumpyType {
  const char *code;
  ElementType type;
};

constexpr NumpyType numpyTypes[] = {
    {"b1", ElementType::I1},   {"i1", ElementType::I8},
    {"i2", ElementType::I16},  {"i4", ElementType::I32},
    {"i8", ElementType::I64},  {"u1", ElementType::UI8},
    {"u2", ElementType::UI16}, {"u4", ElementType::UI32},
    {"u8", ElementType::UI64}, {"f2", ElementType::F16},
    {"f4", ElementType::F32},  {"f8", ElementType::F64}};

} // namespace

std::string HeaderReader::readString() {
  skipSpace();
  if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
    fail();
  const char mark = rest[0];
  const size_t end = rest.find(mark, 1);
  if (end == std::string_view::npos)
    fail();
  std::string text(rest.substr(1, end - 1));
  rest.remove_prefix(end + 1);
  return text;
}

std::vector<int64_t> HeaderReader::readShape() {
  expect("(");
  std::vector<int64_t> shape;
  while (!take(")")) {
    skipSpace();
    int64_t extent = 0;
    const char *begin = rest.data(), *end = begin + rest.size();
    auto [stop, error] = std::from_chars(begin, end, extent);
    if (error != std::errc() || extent < 0 || shape.size() == 64)
      failBadInput(where + "an extent of its shape is not a size");
    rest.remove_prefix(size_t(stop - begin));
    shape.push_back(extent);
    // Python 2 wrote long integers with this suffix.
    take("L");
    if (!take(",")) {
      expect(")");
      break;
    }
  }
  return shape;
}

void HeaderReader::readValue(const std::string &key, NumpyHeader &header) {
  if (key == "descr" && !header.type) {
    skipSpace();
    if (rest.starts_with("["))
      failUnsupported(where + "structured arrays are not supported",
                      "save a file for each field");
    header.type = readString();
  } else if (key == "fortran_order" && !header.isFortranOrder) {
    const bool isTrue = take("True");
    if (!isTrue)
      expect("False");
    header.isFortranOrder = isTrue;
  } else if (key == "shape" && !header.shape) {
    header.shape = readShape();
  } else {
    fail();
  }
}

NumpyHeader HeaderReader::read() {
  NumpyHeader header;
  expect("{");
  while (!take("}")) {
    const std::string key = readString();
    expect(":");
    readValue(key, header);
    if (!take(",")) {
      expect("}");
      break;
    }
  }
  skipSpace();
  if (!rest.empty() || !header.type || !header.isFortranOrder || !header.shape)
    fail();
  return header;
}

static ElementType readNumpyType(const std::string &code,
                                 const std::string &where) {
  if (code.size() == 3 && code[0] == '>' && code[2] != '1')
    failUnsupported(where + "its numbers have the big end first",
                    "convert it: array.astype(array.dtype.newbyteorder('<'))");
  if (code.size() == 3)
    for (const NumpyType &known : numpyTypes)
      if (code.substr(1) == known.code &&
          (code[0] == '<' || code[0] == '|' || code[0] == '>'))
        return known.type;
  if (code.ends_with("V2"))
    failUnsupported(where + "a type without a name (" + quote(code) + ")",
                    "NumPy has none for bfloat16; safetensors files do");
  if (code.find('O') != std::string::npos)
    failUnsupported(where + "arrays of Python objects are not supported");
  failUnsupported(where + "dtype " + quote(code) + " is not supported");
}

TensorEntry readNumpy(const uint8_t *bytes, size_t size,
                      const std::string &where) {
  if (size < 10 || std::memcmp(bytes, "\x93NUMPY", 6) != 0)
    failBadInput(where + "not an .npy file");
  const int version = bytes[6];
  if (version < 1 || version > 3 || bytes[7] != 0)
    failUnsupported(where + "version " + std::to_string(version) + "." +
                    std::to_string(bytes[7]) + " of the format is not known");
  const size_t begin = version == 1 ? 10 : 12;
  if (size < begin)
    failBadInput(where + "the file ends before its header");
  size_t length = bytes[8] | size_t(bytes[9]) << 8;
  if (version > 1)
    length |= size_t(bytes[10]) << 16 | size_t(bytes[11]) << 24;
  if (length > size - begin)
    failBadInput(where + "the header is longer than the file");
  if (length > (1 << 20))
    failBadInput(where + "the header has " + std::to_string(length) +
                 " bytes, at most 1048576 are read");
  const std::string_view text(reinterpret_cast<const char *>(bytes + begin),
                              length);
  const NumpyHeader header = HeaderReader(text, where).read();
  TensorEntry entry;
  entry.type = readNumpyType(*header.type, where);
  entry.shape = *header.shape;
  if (*header.isFortranOrder && entry.shape.size() > 1)
    failUnsupported(where + "its columns lie one after the other",
                    "save numpy.ascontiguousarray(array)");
  const int64_t wanted = tensorBytes(entry.type, entry.shape);
  if (wanted < 0)
    failBadInput(where + "the size of shape " + describeShape(entry.shape) +
                 " overflows");
  const size_t there = size - begin - length;
  if (there != size_t(wanted))
    failBadInput(where + std::to_string(wanted) + " bytes are wanted, " +
                 std::to_string(there) + " are there");
  entry.data = bytes + begin + length;
  entry.size = there;
  return entry;
}

NumpyFile::NumpyFile(const std::filesystem::path &path) : TensorFile(path) {
  auto file = std::make_shared<MappedFile>(path);
  std::string name = path.filename().string();
  if (name.ends_with(".npy"))
    name.resize(name.size() - 4);
  tensors.emplace(name,
                  readNumpy(file->data(), file->size(), path.string() + ": "));
  owners.push_back(std::move(file));
}

} // namespace gensyn::runtime
