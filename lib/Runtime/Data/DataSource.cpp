// Resolves the user's arguments to shards.

#include "gensyn/Runtime/Data/DataSource.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"

#include "gensyn/Executable/Support/Error.h"

#include <algorithm>

namespace gensyn::runtime {

namespace fs = std::filesystem;

namespace {

/// A file, and the name for its only tensor, or an empty one.
struct NamedFile {
  fs::path path;
  std::string name;
};

} // namespace

std::string DataSource::string() const {
  if (parts.empty())
    return "";
  return parts.front() +
         (parts.size() > 1
              ? " and " + std::to_string(parts.size() - 1) + " more"
              : "");
}

static void listFolder(const fs::path &folder, std::vector<NamedFile> &files) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator item(folder, error), end; !error && item != end;
       item.increment(error)) {
    const std::string name = item->path().filename().string();
    const std::string kind = item->path().extension().string();
    if (name[0] != '.' &&
        (kind == ".safetensors" || kind == ".npz" || kind == ".npy"))
      names.push_back(name);
  }
  if (error)
    failInputOutput(folder.string() + ": cannot be listed: " + error.message());
  if (names.empty())
    failBadInput(folder.string() + ": the folder has no file that ends in "
                                   ".safetensors, .npz or .npy");
  std::sort(names.begin(), names.end());
  for (const std::string &name : names)
    files.push_back({folder / name, ""});
}

static std::vector<NamedFile> listFiles(const DataSource &source) {
  std::vector<NamedFile> files;
  for (const std::string &part : source.parts) {
    std::error_code ignored;
    const size_t equals = part.find('=');
    if (fs::is_directory(part, ignored)) {
      listFolder(part, files);
    } else if (equals != std::string::npos && !fs::exists(part, ignored)) {
      const fs::path path = part.substr(equals + 1);
      if (equals == 0 || !path.string().ends_with(".npy"))
        throw Failure(ExitCode::Usage,
                      quote(part) + ": name=file.npy is wanted",
                      "other files have names for their tensors");
      files.push_back({path, part.substr(0, equals)});
    } else {
      files.push_back({part, ""});
    }
  }
  return files;
}

std::vector<TensorFile> openShards(const DataSource &source) {
  std::vector<TensorFile> shards;
  const std::vector<NamedFile> files = listFiles(source);
  const bool areArrays =
      std::all_of(files.begin(), files.end(), [](const NamedFile &file) {
        return file.path.extension() == ".npy";
      });
  for (const NamedFile &file : files) {
    if (!areArrays && file.path.extension() == ".npy" && !source.sequenceLength)
      failBadInput(file.path.string() +
                       ": an array among files that have every tensor",
                   "give .npy files only, or files of another kind only");
    TensorFile opened = openTensors(file.path);
    if (!file.name.empty())
      opened.rename(file.name);
    if (areArrays && !source.sequenceLength && !shards.empty())
      shards.front().add(opened);
    else
      shards.push_back(std::move(opened));
  }
  return shards;
}

} // namespace gensyn::runtime
