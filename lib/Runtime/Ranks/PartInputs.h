// Where the parts of a step get their inputs.
#ifndef GENSYN_LIB_RUNTIME_RANKS_PARTINPUTS_H
#define GENSYN_LIB_RUNTIME_RANKS_PARTINPUTS_H

#include "gensyn/Runtime/Devices/Program.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::runtime {

/// The source of an input of a part.
struct PartInput {
  enum class Kind {
    Step,         ///< an input of the step
    Number,       ///< the microbatch's
    Sum,          ///< over microbatches
    Contribution, ///< of a microbatch to what is passed on
    Passed,       ///< by the last microbatch
    Partial,      ///< exchanged between stages of a divided update
    Cut,          ///< passed on by a segment of a microbatch
  };
  Kind kind;
  /// Of the step's inputs, of the sums, ...
  size_t index;
};

/// Throws a Failure (bad input): plans may come from files.
[[noreturn]] void failParts(const std::string &why);

/// The sources of all inputs of a part of `step`, by their names
/// (train-split-step, train-shard-update). Throws a Failure (bad input) for an
/// input of no known name.
std::vector<PartInput> bindInputs(const Program &part, const Signature &step);

/// The input of a step that an input of a part of this name is, or its number
/// among the part's own inputs. Throws as bindInputs().
PartInput bindInput(const std::string &name, const Signature &step);

/// The kind and number of an output of a microbatch: Sum, Contribution or Cut.
/// Throws a Failure (bad input) for another one.
PartInput bindOutput(const std::string &name);
/// The number in the name of an exchanged value; nothing for another output.
std::optional<size_t> numberOfPartial(const std::string &name);
/// The name of a sum.
std::string nameOfSum(size_t number);
std::string nameOfPartial(size_t number);

/// True if a microbatch reads some rows of this input of the step.
bool isSplit(const Port &port);

/// Takes the tensor, so that it is not shared with the value.
Tensor takeTensor(Value &value);

} // namespace gensyn::runtime

#endif
