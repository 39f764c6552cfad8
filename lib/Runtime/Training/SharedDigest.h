// Digests of files that several ranks read together.
#ifndef GENSYN_LIB_RUNTIME_SHAREDDIGEST_H
#define GENSYN_LIB_RUNTIME_SHAREDDIGEST_H

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Hash.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// The first rank asks for digests of files in a folder; those that see it hash
/// a part of each.
class SharedDigest {
public:
  /// `sharers` and `folder` are those of findSharers(). Ranks whose files are
  /// smaller are not asked for help.
  SharedDigest(communication::Communicator &ranks, std::filesystem::path folder,
               std::vector<bool> sharers,
               uint64_t smallest = uint64_t(1) << 24);

  /// On the first rank: returns the digest of a file in the folder. Throws a
  /// Failure (I/O) if it cannot be read here; what another rank cannot read,
  /// this one does.
  std::string compute(const std::filesystem::path &file);
  /// On the first rank: no file follows.
  void finish();
  /// On the others: returns after finish().
  void help();

private:
  /// Blocks of a file, one after another; what is left has a byte at least.
  struct Blocks {
    uint64_t size, count;
  };
  Blocks divide(uint64_t bytes) const;
  /// The first block of a rank that shares files, by its number among them.
  uint64_t firstOf(size_t number, const Blocks &blocks) const {
    return blocks.count * number / sharing;
  }
  std::string digestOwn(const std::filesystem::path &name,
                        uint64_t bytes) const;

  communication::Communicator &ranks;
  std::filesystem::path folder;
  std::vector<bool> sharers;
  uint64_t smallest;
  size_t sharing;
};

/// Returns the digest of a file that the program wrote. Few of its pages are in
/// memory at a time.
std::string digestFile(const std::filesystem::path &path);

} // namespace gensyn::runtime

#endif
