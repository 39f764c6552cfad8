// Commitments to lists, of which entries can be shown alone.
#ifndef GENSYN_PROOF_TREES_LISTTREE_H
#define GENSYN_PROOF_TREES_LISTTREE_H

#include "gensyn/Proof/Trees/Siblings.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::proof {

/// A Merkle tree over a list of texts or bytes:
///
///   leaf(i)  = BLAKE3(0x00 | number i | the entry)
///   node     = BLAKE3(0x01 | left | right)
///   root     = BLAKE3(text "gensyn list 1" | text kind | number of entries |
///                     the topmost digest, if there is an entry)
///
/// The first byte separates leaves from nodes, as RFC 6962 does; number, kind
/// and length are bound, so that an entry cannot stand elsewhere or for
/// something else.
class ListTree {
public:
  /// `kind` is what the entries are: "ops".
  explicit ListTree(std::string kind) : kind(std::move(kind)) {}

  void add(std::string_view entry);
  uint64_t size() const { return leaves.size(); }
  Digest root() const;
  /// The digest of the node above these leaves, which are those of one.
  Digest node(uint64_t begin, uint64_t count) const;
  /// The proof of the entries in `ranges`, which are in the list.
  Siblings prove(const std::vector<LeafRange> &ranges) const;

private:
  std::string kind;
  std::vector<Digest> leaves;
};

/// The root of a list.
Digest digestList(std::string_view kind,
                  const std::vector<std::string_view> &entries);

/// The root of a list of `size` entries that has these `entries` (at least one)
/// at these numbers; std::nullopt if the siblings are not those of such a
/// proof, or a number is not below `size`. What it returns is compared with the
/// root that is known.
std::optional<Digest>
findListRoot(std::string_view kind, uint64_t size,
             const std::map<uint64_t, std::string_view> &entries,
             const Siblings &siblings);

} // namespace gensyn::proof

#endif
