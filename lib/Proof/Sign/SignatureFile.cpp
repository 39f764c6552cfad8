// The file of a run's signatures; see Signature.h.

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Proof/Sign/Signature.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace gensyn::proof {

namespace fs = std::filesystem;
using nlohmann::json;

/// The most bytes of the file.
static constexpr size_t kMostSignatures = size_t(1) << 20;

static std::string digitsOf(std::string_view bytes) {
  std::string text;
  for (char byte : bytes) {
    text += "0123456789abcdef"[uint8_t(byte) >> 4];
    text += "0123456789abcdef"[uint8_t(byte) & 15];
  }
  return text;
}

namespace {

class SignatureReader {
public:
  explicit SignatureReader(const fs::path &path) : path(path) {}

  std::vector<RunSignature> read();

private:
  [[noreturn]] void fail(const std::string &problem) const {
    failBadInput(path.string() + ": line " + std::to_string(line) + " " +
                 problem);
  }
  RunSignature readLine(std::string_view text) const;
  /// The text of a key of the line.
  std::string textAt(const json &row, const char *key) const {
    const auto found = row.find(key);
    if (found == row.end() || !found->is_string())
      fail("has no text " + quote(key));
    return found->get<std::string>();
  }
  Digest digestAt(const json &row, const char *key) const {
    return parse(textAt(row, key), key, 64);
  }
  Digest parse(std::string_view digits, const char *key,
               size_t expected) const {
    const std::optional<Digest> digest = parseDigest(digits);
    if (!digest)
      fail("has something else than " + std::to_string(expected) +
           " hexadecimal digits as " + quote(key));
    return *digest;
  }

  fs::path path;
  int64_t line = 0;
};

} // namespace

RunSignature SignatureReader::readLine(std::string_view text) const {
  const json row = parseJson(
      text, path.string() + ": line " + std::to_string(line), "the line");
  if (!row.is_object() || row.size() != 5)
    fail("is not an object of 5 members: root, step, public_key, time and "
         "signature");
  RunSignature result;
  result.root = digestAt(row, "root");
  if (!row.contains("step") || !row["step"].is_number_unsigned() ||
      row["step"].get<uint64_t>() > uint64_t(INT64_MAX))
    fail("has no step");
  result.step = row["step"].get<int64_t>();
  result.key.bytes = digestAt(row, "public_key");
  result.time = textAt(row, "time");
  if (!isTime(result.time))
    fail("has the time " + quote(result.time) +
         ", expected one as 2026-12-02T09:30:00Z");
  const std::string digits = textAt(row, "signature");
  const size_t half = std::min(digits.size(), kSignatureBytes);
  for (std::string_view part : {std::string_view(digits).substr(0, half),
                                std::string_view(digits).substr(half)}) {
    const Digest bytes = parse(part, "signature", 2 * kSignatureBytes);
    result.signature.append(bytes.begin(), bytes.end());
  }
  return result;
}

std::vector<RunSignature> SignatureReader::read() {
  std::error_code error;
  if (const uintmax_t size = fs::file_size(path, error);
      !error && size > kMostSignatures)
    failBadInput(path.string() + ": has " + std::to_string(size) +
                 " bytes, expected at most " + std::to_string(kMostSignatures));
  const std::string text = readText(path, kMostSignatures);
  std::vector<RunSignature> signatures;
  for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    ++line;
    end = text.find('\n', begin);
    if (end == text.npos)
      fail("is incomplete");
    signatures.push_back(
        readLine(std::string_view(text).substr(begin, end - begin)));
  }
  return signatures;
}

std::vector<RunSignature> readSignatures(const fs::path &folder) {
  const fs::path path = folder / kSignaturesFile;
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    return {};
  return SignatureReader(path).read();
}

void appendSignature(const fs::path &folder, const RunSignature &signature) {
  const fs::path path = folder / kSignaturesFile;
  // A line behind an incomplete one would be a part of it.
  (void)readSignatures(folder);
  const std::string text =
      printJson({{"root", toHex(signature.root)},
                 {"step", signature.step},
                 {"public_key", hexOf(signature.key)},
                 {"time", signature.time},
                 {"signature", digitsOf(signature.signature)}}) +
      "\n";
  const int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0)
    failInputOutput(path.string() +
                    ": cannot be written: " + std::strerror(errno));
  const off_t length = ::lseek(file, 0, SEEK_END);
  std::string problem;
  if (size_t(length) + text.size() > kMostSignatures)
    problem =
        "it would have more than " + std::to_string(kMostSignatures) + " bytes";
  else if (const ssize_t written = ::write(file, text.data(), text.size());
           written != ssize_t(text.size()) || ::fsync(file) != 0) {
    problem = std::strerror(
        written >= 0 && written < ssize_t(text.size()) ? ENOSPC : errno);
    // Removes the part of the line that was written.
    (void)!::ftruncate(file, length);
  }
  ::close(file);
  if (!problem.empty())
    failInputOutput(path.string() + ": cannot be written: " + problem);
}

} // namespace gensyn::proof
