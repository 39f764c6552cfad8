// See ListTree.h.

#include "gensyn/Proof/Trees/ListTree.h"

#include "FoldTree.h"

#include "gensyn/Proof/Trees/Encoding.h"

namespace gensyn::proof {

static constexpr uint8_t leafMark = 0, nodeMark = 1;

static Digest digestLeaf(uint64_t number, std::string_view entry) {
  Hasher hasher;
  hasher.update(&leafMark, 1);
  hasher.updateNumber(number);
  hasher.update(entry);
  return hasher.digest();
}

static Digest digestNode(const Digest &left, const Digest &right) {
  Hasher hasher;
  hasher.update(&nodeMark, 1);
  hasher.update(left.data(), left.size());
  hasher.update(right.data(), right.size());
  return hasher.digest();
}

static Digest digestRoot(std::string_view kind, uint64_t size,
                         const std::optional<Digest> &top) {
  Encoding encoding("gensyn list 1");
  encoding.text(kind).number(size);
  if (top)
    encoding.digest(*top);
  return encoding.finish();
}

namespace {

/// Reads all leaves, and lists the subtrees that have none of those to prove.
struct ListMaker {
  const std::vector<Digest> &leaves;
  Siblings siblings;

  Digest digest(uint64_t begin, uint64_t count) const {
    if (count == 1)
      return leaves[begin];
    const uint64_t left = std::bit_floor(count - 1);
    return digestNode(digest(begin, left), digest(begin + left, count - left));
  }
  bool other(uint64_t begin, uint64_t count) {
    siblings.push_back(digest(begin, count));
    return true;
  }
  bool leaf(uint64_t) { return true; }
  bool join(bool, bool, bool) { return true; }
};

/// Takes the digests of other subtrees from a proof.
struct ListReader {
  const std::map<uint64_t, std::string_view> &entries;
  const Siblings &siblings;
  size_t taken = 0;
  bool isShort = false;

  Digest other(uint64_t, uint64_t) {
    if (taken < siblings.size())
      return siblings[taken++];
    isShort = true;
    return {};
  }
  Digest leaf(uint64_t number) const {
    return digestLeaf(number, entries.at(number));
  }
  Digest join(const Digest &left, const Digest &right, bool) const {
    return digestNode(left, right);
  }
};

} // namespace

void ListTree::add(std::string_view entry) {
  leaves.push_back(digestLeaf(leaves.size(), entry));
}

Digest ListTree::root() const {
  std::optional<Digest> top;
  if (!leaves.empty())
    top = ListMaker{leaves, {}}.digest(0, leaves.size());
  return digestRoot(kind, leaves.size(), top);
}

Siblings ListTree::prove(const std::vector<LeafRange> &ranges) const {
  ListMaker maker{leaves, {}};
  foldTree(0, leaves.size(), ranges, maker);
  return std::move(maker.siblings);
}

std::optional<Digest>
findListRoot(std::string_view kind, uint64_t size,
             const std::map<uint64_t, std::string_view> &entries,
             const Siblings &siblings) {
  if (entries.empty() || entries.rbegin()->first >= size)
    return std::nullopt;
  std::vector<LeafRange> ranges;
  for (const auto &[number, entry] : entries)
    ranges.push_back({number, number + 1});
  ranges = normalize(std::move(ranges));
  ListReader reader{entries, siblings};
  const Digest top = foldTree(0, size, ranges, reader);
  if (reader.isShort || reader.taken != siblings.size())
    return std::nullopt;
  return digestRoot(kind, size, top);
}

} // namespace gensyn::proof
