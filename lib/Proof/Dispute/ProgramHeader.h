// The header of a program: the first entry of its tree.
#ifndef GENSYN_LIB_PROOF_DISPUTE_PROGRAMHEADER_H
#define GENSYN_LIB_PROOF_DISPUTE_PROGRAMHEADER_H

#include "gensyn/Executable/Role.h"
#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Numerics/ElementType.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::proof {

struct ProgramHeader {
  struct Argument {
    std::string name;
    Role role = Role::Input;
    ElementType type = ElementType::F32;
    std::vector<int64_t> shape;
  };
  struct Result {
    std::string name;
    /// The argument that it replaces in the next run, or -1.
    int64_t replaces = -1;
    bool isLoss = false;
    /// The value that it is; nothing if it is a constant, of this digest.
    std::optional<uint64_t> value;
    Digest constant = {};
  };
  uint64_t numericsVersion = 0;
  std::vector<Argument> arguments;
  /// Arguments and results of ops.
  uint64_t values = 0;
  std::vector<Result> results;
};

/// Decodes an entry that may be anybody's; nothing if it is malformed.
std::optional<ProgramHeader> readProgramHeader(std::string_view entry);

/// An entry of the tree of a state: text name | digest of the tensor.
struct StateEntry {
  std::string name;
  Digest tensor;
};
std::optional<StateEntry> readStateEntry(std::string_view entry);

/// The digest of a tensor of a sample, whose entry may be anybody's.
std::optional<Digest> findInSample(std::string_view entry,
                                   std::string_view name);

} // namespace gensyn::proof

#endif
