// See SharedDigest.h.

#include "SharedDigest.h"

#include "gensyn/Executable/Support/Json.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace gensyn::runtime {

namespace fs = std::filesystem;
using Subtree = Hasher::Subtree;

/// What is hashed at once.
static constexpr uint64_t kStep = uint64_t(1) << 24;
/// Blocks of a file, about; a message has the digests of all.
static constexpr uint64_t kBlocks = 1024;

SharedDigest::SharedDigest(communication::Communicator &ranks, fs::path folder,
                           std::vector<bool> sharers, uint64_t smallest)
    : ranks(ranks), folder(std::move(folder)), sharers(std::move(sharers)),
      smallest(smallest),
      sharing(size_t(
          std::count(this->sharers.begin(), this->sharers.end(), true))) {}

SharedDigest::Blocks SharedDigest::divide(uint64_t bytes) const {
  const uint64_t size =
      std::max(std::bit_ceil(bytes / kBlocks), Hasher::kChunk);
  return {size, (bytes - 1) / size};
}

static Subtree digestBlock(const MappedFile &file, uint64_t begin,
                           uint64_t size) {
  if (size > kStep)
    return Hasher::join(digestBlock(file, begin, size / 2),
                        digestBlock(file, begin + size / 2, size / 2));
  const Subtree digest =
      Hasher::digestSubtree(begin, file.data() + begin, size);
  releaseMapped(file.data() + begin, size);
  return digest;
}

std::string digestFile(const fs::path &path) {
  const MappedFile file(path, MappedFile::Origin::Own);
  Hasher hasher;
  for (size_t begin = 0; begin < file.size(); begin += kStep) {
    const size_t size = std::min<size_t>(kStep, file.size() - begin);
    hasher.update(file.data() + begin, size);
    releaseMapped(file.data() + begin, size);
  }
  return hasher.hex();
}

/// The digests of this rank's blocks, one after another; empty if it cannot
/// read them.
std::string SharedDigest::digestOwn(const fs::path &name,
                                    uint64_t bytes) const {
  std::string digests;
  try {
    const MappedFile file(folder / name, MappedFile::Origin::Own);
    if (file.size() != bytes)
      return "";
    const Blocks blocks = divide(bytes);
    const auto own = size_t(
        std::count(sharers.begin(), sharers.begin() + ranks.rank(), true));
    for (uint64_t block = firstOf(own, blocks);
         block < firstOf(own + 1, blocks); ++block) {
      const Subtree digest =
          digestBlock(file, block * blocks.size, blocks.size);
      digests.append(digest.begin(), digest.end());
    }
  } catch (const Failure &) {
    return "";
  }
  return digests;
}

std::string SharedDigest::compute(const fs::path &path) {
  const MappedFile file(path, MappedFile::Origin::Own);
  if (sharing < 2 || file.size() <= smallest)
    return digestFile(path);
  const OrderedJson question = {path.lexically_relative(folder).string(),
                                file.size()};
  ranks.broadcast(question.dump(), 0);
  const std::vector<std::string> answers =
      ranks.gather(digestOwn(path.lexically_relative(folder), file.size()));
  const Blocks blocks = divide(file.size());
  Hasher hasher;
  size_t number = 0;
  for (size_t rank = 0; rank < sharers.size(); ++rank) {
    if (!sharers[rank])
      continue;
    const uint64_t first = firstOf(number, blocks);
    const uint64_t end = firstOf(++number, blocks);
    const std::string &answer = answers[rank];
    for (uint64_t block = first; block < end; ++block) {
      Subtree digest;
      const size_t place = size_t(block - first) * digest.size();
      if (answer.size() == size_t(end - first) * digest.size())
        std::copy_n(answer.begin() + ptrdiff_t(place), digest.size(),
                    digest.begin());
      else
        digest = digestBlock(file, block * blocks.size, blocks.size);
      hasher.addSubtree(digest, blocks.size);
    }
  }
  const uint64_t rest = blocks.count * blocks.size;
  hasher.update(file.data() + rest, file.size() - rest);
  return hasher.hex();
}

void SharedDigest::finish() {
  if (sharing > 1)
    ranks.broadcast("", 0);
}

void SharedDigest::help() {
  while (sharing > 1) {
    const std::string question = ranks.broadcast("", 0);
    if (question.empty())
      return;
    const OrderedJson file = OrderedJson::parse(question);
    ranks.gather(sharers[size_t(ranks.rank())]
                     ? digestOwn(file.at(0).get<std::string>(),
                                 file.at(1).get<uint64_t>())
                     : "");
  }
}

} // namespace gensyn::runtime
