// Reads safetensors files; their header is untrusted input.

#include "gensyn/Executable/Formats/SafeTensors.h"

#include "SafeTensorsTypes.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"

#include <algorithm>
#include <optional>

namespace gensyn {

using nlohmann::json;

namespace {

/// The entries of the header for one tensor.
struct Extent {
  std::string name;
  uint64_t begin;
  uint64_t end;
};

/// The limit of the format's own library.
constexpr uint64_t longestHeader = 100'000'000;

} // namespace

static uint64_t readLittleEndian64(const uint8_t *bytes) {
  uint64_t value = 0;
  for (int i = 7; i >= 0; --i)
    value = value << 8 | bytes[i];
  return value;
}

static std::vector<int64_t> readShape(const json &entry,
                                      const std::string &where) {
  auto found = entry.find("shape");
  if (found == entry.end() || !found->is_array() || found->size() > 64)
    failBadInput(where + "no shape");
  std::vector<int64_t> shape;
  for (const json &extent : *found) {
    if (!extent.is_number_unsigned() ||
        extent.get<uint64_t>() > uint64_t(INT64_MAX))
      failBadInput(where + "an extent of its shape is not a size");
    shape.push_back(extent.get<int64_t>());
  }
  return shape;
}

static ElementType readType(const json &entry, const std::string &where) {
  auto found = entry.find("dtype");
  if (found == entry.end() || !found->is_string())
    failBadInput(where + "no dtype");
  std::string name = found->get<std::string>();
  if (std::optional<ElementType> type = typeOfDtype(name))
    return *type;
  if (isForeignDtype(name))
    failUnsupported(where + "dtype " + name + " is not supported");
  failBadInput(where + "dtype " + quote(name) + " is not known");
}

static Extent readOffsets(const json &entry, const std::string &name,
                          const std::string &where) {
  auto found = entry.find("data_offsets");
  if (found == entry.end() || !found->is_array() || found->size() != 2 ||
      !(*found)[0].is_number_unsigned() || !(*found)[1].is_number_unsigned())
    failBadInput(where + "no data_offsets");
  Extent extent{name, (*found)[0].get<uint64_t>(), (*found)[1].get<uint64_t>()};
  if (extent.begin > extent.end)
    failBadInput(where + "its data ends before it begins");
  return extent;
}

/// Checks that every byte of the body belongs to exactly one tensor.
static void checkCover(std::vector<Extent> extents, uint64_t bodySize,
                       const std::string &file) {
  std::sort(extents.begin(), extents.end(),
            [](const Extent &a, const Extent &b) {
              return std::tie(a.begin, a.end, a.name) <
                     std::tie(b.begin, b.end, b.name);
            });
  uint64_t covered = 0;
  const Extent *last = nullptr;
  for (const Extent &extent : extents) {
    if (extent.begin < covered)
      failBadInput(file + quote(last->name) + " and " + quote(extent.name) +
                   " overlap");
    if (extent.begin > covered)
      failBadInput(file + "bytes " + std::to_string(covered) + " to " +
                   std::to_string(extent.begin) + " belong to no tensor");
    covered = extent.end;
    last = &extent;
  }
  if (covered != bodySize)
    failBadInput(file + "bytes " + std::to_string(covered) + " to " +
                 std::to_string(bodySize) + " belong to no tensor");
}

SafeTensors::SafeTensors(const std::filesystem::path &path) : TensorFile(path) {
  auto file = std::make_shared<MappedFile>(path);
  owners.push_back(file);
  std::string where = place.string() + ": ";
  if (file->size() == 0)
    failBadInput(where + "the file is empty");
  if (file->size() < 8)
    failBadInput(where + "not a safetensors file: it has " +
                 std::to_string(file->size()) + " bytes");
  uint64_t headerSize = readLittleEndian64(file->data());
  if (headerSize > file->size() - 8)
    failBadInput(where + "the header is longer than the file",
                 "is it a safetensors file?");
  if (headerSize > longestHeader)
    failBadInput(where + "the header has " + std::to_string(headerSize) +
                 " bytes, at most " + std::to_string(longestHeader) +
                 " are read");
  std::string header(reinterpret_cast<const char *>(file->data() + 8),
                     headerSize);
  readEntries(header, file->data() + 8 + headerSize,
              file->size() - 8 - headerSize);
}

void SafeTensors::readEntries(const std::string &header, const uint8_t *body,
                              size_t bodySize) {
  std::string where = place.string() + ": ";
  json entries = parseJson(header, place.string(), "the header");
  if (!entries.is_object())
    failBadInput(where + "the header is not a JSON object");
  std::vector<Extent> extents;
  for (const auto &[name, entry] : entries.items()) {
    if (name == "__metadata__")
      continue;
    std::string which = where + quote(name) + ": ";
    if (!entry.is_object())
      failBadInput(which + "not a JSON object");
    TensorEntry tensor;
    tensor.type = readType(entry, which);
    tensor.shape = readShape(entry, which);
    Extent extent = readOffsets(entry, name, which);
    int64_t wanted = tensorBytes(tensor.type, tensor.shape);
    if (wanted < 0)
      failBadInput(which + "the size of shape " + describeShape(tensor.shape) +
                   " overflows");
    const auto elements = static_cast<size_t>(wanted);
    const bool isPacked = isPackedInFiles(tensor.type);
    if (isPacked) {
      // The size in memory fits in 62 bits, so this does too.
      const uint64_t bits = uint64_t(wanted) * uint64_t(bitWidth(tensor.type));
      if (bits % 8 != 0)
        failBadInput(which + "its elements do not fill whole bytes");
      wanted = int64_t(bits / 8);
    }
    if (extent.end - extent.begin != uint64_t(wanted))
      failBadInput(which + std::to_string(wanted) + " bytes are wanted, " +
                   std::to_string(extent.end - extent.begin) + " are there");
    if (extent.end > bodySize)
      failBadInput(which + "the file ends before its data");
    tensor.data = body + extent.begin;
    tensor.size = elements;
    tensor.isMapped = !isPacked;
    if (isPacked) {
      auto unpacked = std::make_shared<std::vector<uint8_t>>(
          unpackElements(tensor.data, bitWidth(tensor.type), elements));
      tensor.data = unpacked->data();
      owners.push_back(std::move(unpacked));
    }
    extents.push_back(extent);
    tensors.emplace(name, std::move(tensor));
  }
  checkCover(std::move(extents), bodySize, where);
}

} // namespace gensyn
