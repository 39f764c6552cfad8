// See ListTree.h.

#include "gensyn/Proof/Trees/ListTree.h"

#include "FoldTree.h"
#include "gensyn/Proof/Trees/Descent.h"

#include "gensyn/Executable/Support/Encoding.h"

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

static Digest digestLeaves(const std::vector<Digest> &leaves, uint64_t begin,
                           uint64_t count) {
  if (count == 1)
    return leaves[begin];
  const uint64_t left = std::bit_floor(count - 1);
  return digestNode(digestLeaves(leaves, begin, left),
                    digestLeaves(leaves, begin + left, count - left));
}

namespace {

struct ListMaker : SiblingVisitor {
  explicit ListMaker(const std::vector<Digest> &leaves) : leaves(leaves) {}

  Digest other(uint64_t begin, uint64_t count) {
    return keep(digestLeaves(leaves, begin, count));
  }

  const std::vector<Digest> &leaves;
};

struct ListReader : SiblingReader {
  ListReader(const Siblings &siblings,
             const std::map<uint64_t, std::string_view> &entries)
      : SiblingReader{siblings}, entries(entries) {}

  Digest leaf(uint64_t number) const {
    return digestLeaf(number, entries.at(number));
  }
  Digest join(const Digest &left, const Digest &right) const {
    return digestNode(left, right);
  }

  const std::map<uint64_t, std::string_view> &entries;
};

} // namespace

void ListTree::add(std::string_view entry) {
  leaves.push_back(digestLeaf(leaves.size(), entry));
}

Digest ListTree::root() const {
  std::optional<Digest> top;
  if (!leaves.empty())
    top = digestLeaves(leaves, 0, leaves.size());
  return digestRoot(kind, leaves.size(), top);
}

Digest ListTree::node(uint64_t begin, uint64_t count) const {
  return digestLeaves(leaves, begin, count);
}

std::optional<Digest> joinListParts(uint64_t begin, uint64_t count,
                                    std::span<const Digest> parts) {
  return joinParts(begin, count, parts, digestNode);
}

Digest findListRoot(std::string_view kind, uint64_t size, const Digest &top) {
  return digestRoot(kind, size, top);
}

Siblings ListTree::prove(const std::vector<LeafRange> &ranges) const {
  ListMaker maker(leaves);
  foldTree(0, leaves.size(), ranges, maker);
  return std::move(maker.siblings);
}

Digest digestList(std::string_view kind,
                  const std::vector<std::string_view> &entries) {
  ListTree tree{std::string(kind)};
  for (std::string_view entry : entries)
    tree.add(entry);
  return tree.root();
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
  ListReader reader(siblings, entries);
  const Digest top = foldTree(0, size, ranges, reader);
  if (!reader.isDone())
    return std::nullopt;
  return digestRoot(kind, size, top);
}

} // namespace gensyn::proof
