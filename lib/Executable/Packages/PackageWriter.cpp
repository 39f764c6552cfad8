// Writes packages.

#include "../Formats/SafeTensorsTypes.h"
#include "FileRange.h"
#include "PackageFormat.h"
#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Packages/Package.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"

#include "gensyn/Executable/Packages/InitialValues.h"
#include "gensyn/Executable/Role.h"
#include "gensyn/Executable/plan.pb.h"

#include <cstring>
#include <limits>
#include <map>
#include <vector>

namespace gensyn {

namespace fs = std::filesystem;

namespace {

/// Values with fewer bytes stay in the message.
constexpr uint64_t longestLiteral = 64;

/// Moves the initial values of the programs' inputs out of the model's files;
/// equal values share one place.
class ValueMover {
public:
  explicit ValueMover(plan::Package &message) : message(message) {}

  void move(const fs::path &package, ParameterPlace parameters);
  uint64_t dataBytes() const { return end; }
  /// Passes the bytes of the data to `sink`, in order.
  template <class Sink> void writeData(Sink &&sink) const;

private:
  struct Piece {
    uint64_t offset, length;
    /// Exactly one of the two is set.
    std::string file;
    uint64_t fileOffset;
    std::string bytes;
  };

  void embed(plan::Initial &initial, const std::string &which);
  void refer(const fs::path &package);
  const uint8_t *bytesOf(const plan::Initial &initial,
                         const std::string &which);
  template <class Visit> void forEachValue(Visit &&visit);

  plan::Package &message;
  mutable std::map<std::string, std::unique_ptr<MappedFile>> files;
  std::vector<Piece> pieces;
  std::map<std::string, uint64_t> offsetOfHash;
  uint64_t end = 0;
};

} // namespace

/// Visits the inputs with initial values other than a fill.
template <class Visit> void ValueMover::forEachValue(Visit &&visit) {
  for (plan::PackedProgram &program : *message.mutable_programs())
    for (plan::TensorSpec &spec :
         *program.mutable_executable()->mutable_plan()->mutable_inputs())
      if (spec.initial().has_file() ||
          spec.initial().value_case() == plan::Initial::kLiteral)
        visit(spec);
}

const uint8_t *ValueMover::bytesOf(const plan::Initial &initial,
                                   const std::string &which) {
  if (!initial.has_file())
    return reinterpret_cast<const uint8_t *>(initial.literal().data());
  std::unique_ptr<MappedFile> &file = files[initial.file().path()];
  if (!file)
    file = std::make_unique<MappedFile>(initial.file().path());
  return readRange(*file, initial.file(), initial.file().length(), which);
}

void ValueMover::embed(plan::Initial &initial, const std::string &which) {
  if (!initial.has_file() && initial.literal().size() <= longestLiteral)
    return;
  const uint8_t *bytes = bytesOf(initial, which);
  const uint64_t length =
      initial.has_file() ? initial.file().length() : initial.literal().size();
  const std::string hash = hashHex(bytes, length);
  auto [found, isNew] = offsetOfHash.try_emplace(hash, end);
  if (isNew) {
    Piece piece{
        end, length, initial.file().path(), initial.file().offset(), {}};
    if (!initial.has_file())
      piece.bytes = initial.literal();
    pieces.push_back(std::move(piece));
    end += PackageHeader::padded(length);
  }
  plan::Initial::File &range = *initial.mutable_file();
  range.clear_path();
  range.set_offset(found->second);
  range.set_length(length);
  range.set_blake3(hash);
}

/// Returns the offsets of tensors in a safetensors file that was just written.
static std::map<std::string, uint64_t> readOffsets(const fs::path &path) {
  MappedFile file(path, MappedFile::Origin::Own);
  uint64_t length = 0;
  for (int i = 8; i-- > 0;)
    length = length << 8 | file.data()[i];
  const auto *text = reinterpret_cast<const char *>(file.data() + 8);
  const auto header = nlohmann::json::parse(text, text + length);
  std::map<std::string, uint64_t> offsets;
  for (const auto &[name, entry] : header.items())
    if (name != "__metadata__")
      offsets[name] =
          8 + length + entry.at("data_offsets").at(0).get<uint64_t>();
  return offsets;
}

void ValueMover::refer(const fs::path &package) {
  fs::path path = package;
  path.replace_extension(".safetensors");
  TensorMap tensors;
  InitialValues values;
  // Values that a file cannot store with their layout in memory stay in the
  // package, and so do values that are not trained or that change before the
  // first step.
  auto isReferable = [](const plan::TensorSpec &spec) {
    if (roleFromName(spec.role()) == Role::Constant ||
        !spec.initial().file().element_type().empty())
      return false;
    auto type = elementTypeFromName(spec.element_type());
    return type && dtypeOfType(*type) && !isPackedInFiles(*type);
  };
  forEachValue([&](plan::TensorSpec &spec) {
    if (!isReferable(spec) || tensors.count(spec.name()))
      return;
    Port port;
    port.name = spec.name();
    port.type = *elementTypeFromName(spec.element_type());
    port.shape.assign(spec.shape().begin(), spec.shape().end());
    port.initial = &spec.initial();
    tensors.emplace(spec.name(), values.load(port));
  });
  writeSafeTensors(path, tensors);
  const std::map<std::string, uint64_t> offsets = readOffsets(path);
  forEachValue([&](plan::TensorSpec &spec) {
    const std::string which = quote(spec.name()) + ": ";
    if (!isReferable(spec))
      return embed(*spec.mutable_initial(), which);
    const Tensor &tensor = tensors.at(spec.name());
    const auto bytes = static_cast<uint64_t>(tensor.byteSize());
    plan::Initial::File &range = *spec.mutable_initial()->mutable_file();
    range.set_path(path.filename().string());
    range.set_offset(offsets.at(spec.name()));
    range.set_length(bytes);
    range.set_blake3(hashHex(tensor.data(), bytes));
  });
}

void ValueMover::move(const fs::path &package, ParameterPlace parameters) {
  if (parameters == ParameterPlace::Referenced)
    return refer(package);
  forEachValue([&](plan::TensorSpec &spec) {
    embed(*spec.mutable_initial(), quote(spec.name()) + ": ");
  });
}

template <class Sink> void ValueMover::writeData(Sink &&sink) const {
  static constexpr char zeros[64] = {};
  for (const Piece &piece : pieces) {
    if (piece.bytes.empty() && piece.length)
      sink(files.at(piece.file)->data() + piece.fileOffset, piece.length);
    else
      sink(piece.bytes.data(), piece.bytes.size());
    sink(zeros, PackageHeader::padded(piece.length) - piece.length);
  }
}

uint64_t writePackage(const fs::path &path, const plan::Package &given,
                      ParameterPlace parameters) {
  plan::Package message = given;
  AtomicFile file(path);
  ValueMover values(message);
  values.move(path, parameters);
  PackageHeader header;
  header.messageBytes = message.ByteSizeLong();
  header.dataBytes = values.dataBytes();
  if (header.messageBytes > uint64_t(std::numeric_limits<int>::max()))
    throw Failure(ExitCode::OutOfResources,
                  path.string() + ": the programs are larger than 2 GiB",
                  "compile for fewer targets or batch sizes at once");
  std::string text = message.SerializeAsString();
  text.resize(PackageHeader::padded(text.size()), '\0');
  Hasher hasher;
  hasher.update(header.encode());
  hasher.update(text);
  values.writeData(
      [&](const void *bytes, uint64_t size) { hasher.update(bytes, size); });
  file.write(header.encode() + packHash(hasher.hex()));
  file.write(text);
  values.writeData(
      [&](const void *bytes, uint64_t size) { file.write(bytes, size); });
  file.commit();
  return header.fileBytes();
}

} // namespace gensyn
