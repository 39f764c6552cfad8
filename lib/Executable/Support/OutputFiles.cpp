// See OutputFiles.h.

#include "gensyn/Executable/Support/OutputFiles.h"

#include "gensyn/Executable/Support/Error.h"

#include <algorithm>

namespace gensyn {

namespace fs = std::filesystem;

void OutputFiles::claim(const fs::path &path) {
  requireWritableFile(path);
  std::error_code ignored;
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    return;
  const fs::path place = fs::weakly_canonical(fs::absolute(path));
  if (std::find(claimed.begin(), claimed.end(), place) != claimed.end())
    throw Failure(ExitCode::Usage,
                  path.string() + ": two outputs would be written to it");
  claimed.push_back(place);
}

void OutputFiles::add(const fs::path &path, std::string text) {
  contents.push_back({path, std::move(text)});
}

void OutputFiles::write() {
  for (const Content &content : contents) {
    files.push_back(std::make_unique<AtomicFile>(content.path));
    files.back()->write(content.text);
  }
}

void OutputFiles::commit() {
  for (const std::unique_ptr<AtomicFile> &file : files)
    file->commit();
}

} // namespace gensyn
