// Entries of a list are proved by its root.

#include "gensyn/Proof/Trees/ListTree.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace gensyn;
using namespace gensyn::proof;

namespace {

struct List {
  explicit List(size_t size, const std::string &kind = "names") : tree(kind) {
    for (size_t i = 0; i < size; ++i)
      entries.push_back("entry " + std::to_string(i * i));
    for (const std::string &entry : entries)
      tree.add(entry);
  }
  std::map<uint64_t, std::string_view>
  select(const std::set<uint64_t> &numbers) const {
    std::map<uint64_t, std::string_view> selected;
    for (uint64_t number : numbers)
      selected[number] = entries[number];
    return selected;
  }
  Siblings prove(const std::set<uint64_t> &numbers) const {
    std::vector<LeafRange> ranges;
    for (uint64_t number : numbers)
      ranges.push_back({number, number + 1});
    return tree.prove(normalize(ranges));
  }

  ListTree tree;
  std::vector<std::string> entries;
};

} // namespace

TEST(ListTree, ProvesAnyEntries) {
  std::mt19937 random(1);
  for (size_t size : {1u, 2u, 3u, 5u, 8u, 13u, 100u, 1000u}) {
    const List list(size);
    for (int round = 0; round < 20; ++round) {
      std::set<uint64_t> numbers;
      for (uint32_t n = 1 + random() % 4; n > 0; --n)
        numbers.insert(random() % size);
      EXPECT_EQ(findListRoot("names", size, list.select(numbers),
                             list.prove(numbers)),
                list.tree.root());
    }
  }
}

TEST(ListTree, AProofIsSmall) {
  EXPECT_EQ(List(4000).prove({1234}).size(), 12u);
}

TEST(ListTree, RootsOfOtherListsDiffer) {
  std::set<std::string> roots;
  for (size_t size : {0u, 1u, 2u, 3u})
    for (const char *kind : {"names", "ops"})
      roots.insert(toHex(List(size, kind).tree.root()));
  EXPECT_EQ(roots.size(), 8u);
}

TEST(ListTree, NothingElseHasTheRoot) {
  const List list(11);
  const std::set<uint64_t> numbers = {3, 9};
  const auto entries = list.select(numbers);
  const Siblings siblings = list.prove(numbers);
  const Digest root = list.tree.root();
  EXPECT_EQ(findListRoot("names", 11, entries, siblings), root);
  EXPECT_NE(findListRoot("ops", 11, entries, siblings), root);
  for (uint64_t size : {0, 9, 10, 12, 16})
    EXPECT_NE(findListRoot("names", size, entries, siblings), root) << size;
  for (uint64_t number : {0, 2, 4, 8, 10, 11}) {
    auto moved = entries;
    moved.erase(3);
    moved[number] = list.entries[3];
    EXPECT_NE(findListRoot("names", 11, moved, siblings), root) << number;
  }
  auto altered = entries;
  altered[9] = "entry 80";
  EXPECT_NE(findListRoot("names", 11, altered, siblings), root);
  EXPECT_EQ(findListRoot("names", 11, {}, siblings), std::nullopt);
  for (size_t i = 0; i < siblings.size(); ++i) {
    Siblings fewer = siblings, other = siblings, more = siblings;
    fewer.erase(fewer.begin() + long(i));
    more.insert(more.begin() + long(i), siblings[i]);
    other[i][0] ^= 0x80;
    for (const Siblings &wrong : {fewer, other, more})
      EXPECT_NE(findListRoot("names", 11, entries, wrong), root);
  }
}

/// Two leaves that look like a node, and the reverse.
TEST(ListTree, ALeafIsNoNode) {
  const List list(4);
  ListTree flat("names");
  const Siblings left = list.prove({0, 1}), right = list.prove({2, 3});
  // The digests of the two nodes, as entries of a list of two.
  for (const Siblings *node : {&right, &left})
    flat.add({reinterpret_cast<const char *>(node->at(0).data()), 32});
  EXPECT_NE(flat.root(), list.tree.root());
  std::string pair;
  for (uint64_t number : {0, 1})
    pair += std::string(
        reinterpret_cast<const char *>(list.prove({1 - number})[0].data()), 32);
  EXPECT_NE(findListRoot("names", 4, {{0, pair}}, {right[0], right[0]}),
            list.tree.root());
}

TEST(ListTree, RangesAreJoined) {
  EXPECT_EQ(normalize({{5, 7}, {1, 2}, {2, 3}, {9, 9}, {6, 8}}),
            (std::vector<LeafRange>{{1, 3}, {5, 8}}));
}
