// Reads packages. Nothing in a file is used before its hash is verified, and no
// number before it is checked: a hash detects accidental changes, but does not
// authenticate the writer.

#include "gensyn/Executable/Packages/Package.h"

#include "PackageFormat.h"
#include "gensyn/Executable/Signature.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/plan.pb.h"

#if GOOGLE_PROTOBUF_VERSION < 4022000
#include <google/protobuf/stubs/logging.h>
#endif

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <set>

namespace gensyn {

namespace fs = std::filesystem;

static bool hasMagic(const MappedFile &file) {
  constexpr auto &magic = PackageHeader::magic;
  return file.size() >= magic.size() &&
         std::memcmp(file.data(), magic.data(), magic.size()) == 0;
}

bool isPackage(const fs::path &path) { return hasMagic(MappedFile(path)); }

static uint64_t readNumber(const uint8_t *bytes, int width) {
  uint64_t number = 0;
  for (int i = width; i-- > 0;)
    number = number << 8 | bytes[i];
  return number;
}

/// Checks everything but the message. `where` begins messages.
static PackageHeader checkFile(const MappedFile &file,
                               const std::string &where) {
  if (!hasMagic(file))
    failBadInput(where + "is not a compiled model");
  const std::string size = std::to_string(file.size());
  if (file.size() < PackageHeader::bytes)
    failBadInput(where + "is truncated: it has " + size + " bytes");
  if (uint64_t version = readNumber(file.data() + 8, 4);
      version != PackageHeader::knownVersion)
    failUnsupported(
        where + "has format version " + std::to_string(version) + "; version " +
            std::to_string(PackageHeader::knownVersion) + " is known",
        "compile the model again");
  PackageHeader header;
  header.messageBytes = readNumber(file.data() + 16, 8);
  header.dataBytes = readNumber(file.data() + 24, 8);
  constexpr uint64_t most = uint64_t(1) << 60;
  if (header.messageBytes > most || header.dataBytes > most)
    failBadInput(where + "its header is damaged");
  if (header.fileBytes() != file.size())
    failBadInput(where +
                 (header.fileBytes() > file.size()
                      ? "is truncated: it has "
                      : "has bytes behind its end: it has ") +
                 size + " bytes, its header says " +
                 std::to_string(header.fileBytes()));
  if (header.messageBytes > uint64_t(std::numeric_limits<int>::max()))
    failBadInput(where + "its programs are larger than 2 GiB");
  Hasher hasher;
  hasher.update(file.data(), PackageHeader::hashed);
  hasher.update(file.data() + PackageHeader::bytes,
                file.size() - PackageHeader::bytes);
  if (std::memcmp(packHash(hasher.hex()).data(),
                  file.data() + PackageHeader::hashed,
                  PackageHeader::bytes - PackageHeader::hashed) != 0)
    failBadInput(where + "is damaged: its bytes do not have the hash that "
                         "they had when it was written");
  return header;
}

Package::Package(const fs::path &path)
    : place(path), contents(std::make_shared<plan::Package>()) {
  const std::string where = path.string() + ": ";
  MappedFile file(path);
  PackageHeader header = checkFile(file, where);
#if GOOGLE_PROTOBUF_VERSION < 4022000
  google::protobuf::LogSilencer quiet; // the error is reported once, below
#endif
  if (!contents->ParseFromArray(file.data() + PackageHeader::bytes,
                                static_cast<int>(header.messageBytes)))
    failBadInput(where + "its programs cannot be decoded");
  if (contents->programs().empty())
    failBadInput(where + "there is no program in it");
  resolveFiles(header.dataBegin(), header.dataBytes);
  checkPrograms();
}

/// Checks all programs at once, so that no number is used unchecked.
void Package::checkPrograms() {
  for (plan::PackedProgram &program : *contents->mutable_programs()) {
    plan::Executable &executable = *program.mutable_executable();
    try {
      readSignature(executable);
    } catch (const Failure &failure) {
      throw Failure(failure.code, place.string() + ": " + failure.what(),
                    failure.note);
    }
    if (program.batch_size() < 0)
      failBadInput(place.string() +
                   ": the program is malformed: its batch has " +
                   std::to_string(program.batch_size()) + " samples");
  }
}

/// Converts ranges of the data to ranges of this file, and names to paths in
/// its folder; a name cannot lead elsewhere.
void Package::resolveFiles(uint64_t dataBegin, uint64_t dataBytes) {
  const std::string where = place.string() + ": the program is malformed: ";
  for (plan::PackedProgram &program : *contents->mutable_programs())
    for (plan::TensorSpec &spec :
         *program.mutable_executable()->mutable_plan()->mutable_inputs()) {
      if (!spec.initial().has_file())
        continue;
      plan::Initial::File &file = *spec.mutable_initial()->mutable_file();
      if (!file.path().empty()) {
        if (file.path().find('/') != std::string::npos ||
            file.path().find('\0') != std::string::npos || file.path() == "..")
          failBadInput(where + quote(spec.name()) + " lies in " +
                       quote(file.path()));
        file.set_path((place.parent_path() / file.path()).string());
        continue;
      }
      if (file.offset() > dataBytes ||
          file.length() > dataBytes - file.offset())
        failBadInput(where + quote(spec.name()) +
                     " lies outside of the file's data");
      file.set_path(place.string());
      file.set_offset(file.offset() + dataBegin);
    }
}

std::vector<std::string> Package::targets() const {
  std::vector<std::string> result;
  for (const plan::PackedProgram &program : contents->programs())
    if (std::find(result.begin(), result.end(), program.target()) ==
        result.end())
      result.push_back(program.target());
  return result;
}

std::string
Package::chooseTarget(const std::vector<std::string> &wanted) const {
  const std::vector<std::string> known = targets();
  for (const std::string &target : wanted)
    if (std::find(known.begin(), known.end(), target) != known.end())
      return target;
  return wanted.empty() ? "" : wanted.front();
}

std::string Package::describePrograms() const {
  // Kinds and batches by target; equal targets are described together.
  std::map<std::string, std::map<std::string, std::set<int64_t>>> byTarget;
  for (const plan::PackedProgram &program : contents->programs())
    byTarget[program.target()][program.executable().kind()].insert(
        program.batch_size());
  std::map<std::string, std::vector<std::string>> targetsOf;
  for (const auto &[target, kinds] : byTarget) {
    std::string text;
    for (const auto &[kind, batches] : kinds) {
      text += (text.empty() ? "" : ", ") + quote(kind);
      std::string sizes;
      for (int64_t batch : batches)
        if (batch > 0)
          sizes +=
              (sizes.empty() ? " of batch " : ", ") + std::to_string(batch);
      text += sizes;
    }
    targetsOf[text].push_back(target);
  }
  std::string text;
  for (const auto &[programs, targets] : targetsOf)
    text += (text.empty() ? "" : "; ") + programs + " for " + listed(targets);
  return text;
}

std::shared_ptr<const plan::Executable> Package::find(ProgramKind kind,
                                                      const std::string &target,
                                                      int64_t batchSize) const {
  const plan::PackedProgram *found = nullptr;
  int candidates = 0;
  for (const plan::PackedProgram &program : contents->programs()) {
    if (program.executable().kind() != name(kind) || program.target() != target)
      continue;
    const bool fits = batchSize == 0 || contents->fixed_batch() ||
                      program.batch_size() == batchSize ||
                      program.batch_size() == 0;
    if (!fits)
      continue;
    found = &program;
    ++candidates;
  }
  if (candidates == 1)
    return {contents, &found->executable()};
  std::string wanted =
      quote(std::string(name(kind))) + " program for " + quote(target);
  if (batchSize > 0)
    wanted += " and a batch of " + std::to_string(batchSize);
  failUnsupported(place.string() + (candidates ? ": more than one " : ": no ") +
                      wanted,
                  "it has " + describePrograms());
}

} // namespace gensyn
