// Checkpoints: folders of four files that are created atomically.

#include "Checkpoint.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>

#include <fcntl.h>
#include <unistd.h>

namespace gensyn::runtime {

namespace fs = std::filesystem;

static constexpr const char *parametersFile = "parameters.safetensors";
static constexpr const char *optimizerFile = "optimizer.safetensors";
static constexpr const char *stateFile = "state.json";
static constexpr const char *digestsFile = "B3SUMS";

static constexpr size_t largestState = size_t(16) << 20;

[[noreturn]] static void failCheckpoint(const fs::path &path,
                                        const std::string &reason) {
  failInputOutput(path.string() + ": cannot be written: " + reason);
}

/// The entries of a folder are durable only after the folder itself is flushed.
static void flushFolder(const fs::path &path) {
  int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Some file systems cannot flush a folder and return EINVAL.
  bool failed = folder < 0 || (::fsync(folder) != 0 && errno != EINVAL);
  int number = errno;
  if (folder >= 0)
    ::close(folder);
  if (failed)
    failCheckpoint(path, std::strerror(number));
}

/// Returns the lines of B3SUMS for the files in a folder.
static std::string digestsOf(const fs::path &folder, const FileDigest &digest) {
  std::string text;
  for (const char *name : {optimizerFile, parametersFile, stateFile})
    text += digest(folder / name) + "  " + name + "\n";
  return text;
}

static fs::path hidden(const fs::path &place, const char *suffix) {
  return place.parent_path() / ("." + place.filename().string() + suffix);
}

void writeCheckpoint(const fs::path &place, const Checkpoint &checkpoint) {
  auto write = [](const TensorMap &tensors) {
    return [&](const fs::path &file) {
      writeSafeTensors(file, tensors);
      return std::string();
    };
  };
  writeCheckpoint(place, write(checkpoint.model), write(checkpoint.optimizer),
                  checkpoint.state);
}

void writeCheckpoint(const fs::path &place, const TensorsWriter &model,
                     const TensorsWriter &optimizer, const OrderedJson &state) {
  const fs::path partial = hidden(place, ".partial");
  std::error_code error, ignored;
  fs::remove_all(partial, ignored);
  fs::create_directory(partial, error);
  if (error)
    failCheckpoint(partial, error.message());
  try {
    std::map<fs::path, std::string> known;
    for (const auto &[name, writer] :
         {std::pair(parametersFile, &model), {optimizerFile, &optimizer}})
      known[partial / name] = (*writer)(partial / name);
    writeText(partial / stateFile,
              state.dump(2, ' ', false, OrderedJson::error_handler_t::replace) +
                  "\n");
    writeText(partial / digestsFile,
              digestsOf(partial, [&](const fs::path &file) {
                const std::string &digest = known[file];
                return digest.empty() ? digestFile(file) : digest;
              }));
    flushFolder(partial);
    // A folder cannot be renamed onto one that is not empty.
    if (fs::exists(place, ignored))
      removeCheckpoint(place);
    fs::rename(partial, place, error);
    if (error)
      failCheckpoint(place, error.message());
    flushFolder(place.has_parent_path() ? place.parent_path() : ".");
  } catch (...) {
    fs::remove_all(partial, ignored);
    throw;
  }
}

/// Throws if a file is missing or its bytes changed since it was written.
/// B3SUMS must be exactly what would be written now.
static void requireUnaltered(const fs::path &place, const FileDigest &digest) {
  const std::string where = place.string() + ": ";
  for (const char *name :
       {digestsFile, optimizerFile, parametersFile, stateFile})
    if (std::error_code ignored; !fs::is_regular_file(place / name, ignored))
      failBadInput(where + name + " is missing");
  const std::string written = readText(place / digestsFile, 4096);
  const std::string found = digestsOf(place, digest);
  if (written == found)
    return;
  // Names the file whose line differs; if several lines differ, the list itself
  // was altered.
  std::vector<std::string> altered;
  for (size_t begin = 0; begin < found.size();) {
    size_t end = found.find('\n', begin) + 1;
    if (written.find(found.substr(begin, end - begin)) == std::string::npos)
      altered.push_back(found.substr(begin + 66, end - begin - 67));
    begin = end;
  }
  if (altered.size() == 1 && written.size() == found.size())
    failBadInput(where + altered.front() + " or its line in " + digestsFile +
                 " is truncated or altered");
  if (altered.empty() || written.size() != found.size())
    altered.insert(altered.begin(), digestsFile);
  failBadInput(where + listed(altered) + " is truncated or altered");
}

CheckpointFiles openCheckpoint(const fs::path &place,
                               const FileDigest &digest) {
  requireUnaltered(place, digest);
  return openVerified(place);
}

CheckpointFiles openVerified(const fs::path &place) {
  OrderedJson state = parseJson(readText(place / stateFile, largestState),
                                (place / stateFile).string(), "the state");
  return {SafeTensors(place / parametersFile),
          SafeTensors(place / optimizerFile), std::move(state)};
}

static TensorMap readTensors(const TensorFile &file) {
  TensorMap tensors;
  for (const std::string &name : file.names())
    tensors.emplace(name, file.tensor(name));
  return tensors;
}

Checkpoint readCheckpoint(const fs::path &place) {
  CheckpointFiles files = openCheckpoint(place);
  return {readTensors(files.model), readTensors(files.optimizer),
          std::move(files.state)};
}

std::vector<std::pair<int64_t, fs::path>>
listCheckpoints(const fs::path &folder) {
  std::vector<std::pair<int64_t, fs::path>> found;
  std::error_code error;
  for (const auto &item : fs::directory_iterator(folder, error)) {
    const std::string name = item.path().filename().string();
    if (!name.starts_with("step-"))
      continue;
    int64_t step = 0;
    const char *end = name.data() + name.size();
    auto [rest, problem] = std::from_chars(name.data() + 5, end, step);
    if (problem == std::errc() && rest == end && step >= 0)
      found.emplace_back(step, item.path());
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

void removeCheckpoint(const fs::path &place) {
  const fs::path old = hidden(place, ".old");
  std::error_code error, ignored;
  fs::remove_all(old, ignored);
  // Renaming first: a partly removed folder is not taken for a checkpoint.
  fs::rename(place, old, error);
  if (!error)
    fs::remove_all(old, ignored);
  else if (fs::remove_all(place, error); error)
    failInputOutput(place.string() + ": cannot be removed: " + error.message());
}

void removeLeftovers(const fs::path &folder) {
  std::vector<fs::path> old;
  std::error_code ignored;
  for (const auto &item : fs::directory_iterator(folder, ignored)) {
    const std::string name = item.path().filename().string();
    if (name.starts_with(".step-") || name.starts_with(".probe."))
      old.push_back(item.path());
  }
  for (const fs::path &path : old)
    fs::remove_all(path, ignored);
}

} // namespace gensyn::runtime
