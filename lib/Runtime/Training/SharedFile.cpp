// See SharedFile.h.

#include "SharedFile.h"

#include "../Ranks/ReportFailures.h"

#include <string>

namespace gensyn::runtime {

namespace fs = std::filesystem;

SharedFile::SharedFile(communication::Communicator &ranks,
                       const fs::path &folder, const fs::path &file,
                       bool usesFiles, std::string_view header, uint64_t size)
    : ranks(ranks) {
  reportFailures(ranks, [&] {
    // Relative to the folder, which ranks may know by other names.
    fs::path name;
    if (ranks.rank() == 0) {
      whole.emplace(file);
      whole->write(header);
      whole->resize(size);
      name = fs::path(whole->temporaryPath()).lexically_relative(folder);
      if (!name.empty() && *name.begin() == "..")
        name.clear();
    }
    name = ranks.broadcast(name.string(), 0);
    shared = !name.empty();
    if (!shared)
      whole.reset();
    else if (usesFiles)
      // Without the suffix of temporary names.
      parts.emplace(folder / name, folder / fs::path(name).replace_extension());
  });
}

void SharedFile::write(uint64_t offset, std::span<const std::byte> bytes) {
  parts->write(offset, bytes.data(), bytes.size());
}

void SharedFile::commit() {
  reportFailures(ranks, [&] {
    if (parts)
      parts->commit();
    ranks.barrier();
    if (whole)
      whole->commit();
  });
}

} // namespace gensyn::runtime
