// The ops of a program, as the compiler lists them.
#ifndef GENSYN_RUNTIME_MODELS_PROGRAMOPS_H
#define GENSYN_RUNTIME_MODELS_PROGRAMOPS_H

#include "gensyn/Executable/PlanMessages.h"
#include "gensyn/Numerics/Tensor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gensyn::runtime {

/// An op at the top level of a frozen program; see the message plan.ProgramOp.
struct ProgramOp {
  struct Operand {
    /// The position of the op that makes the value, or -1 for an input.
    int64_t op = -1;
    /// The number of its result, or of the input.
    size_t number = 0;
  };
  struct Result {
    ElementType type = ElementType::F32;
    std::vector<int64_t> shape;
  };
  /// "repro.add"
  std::string name;
  /// "node 'fc' (Gemm)", or the quoted name of an op without a node.
  std::string operation;
  /// The module of PyTorch that the node belongs to; empty if not known.
  std::string scope;
  std::vector<Operand> operands;
  std::vector<Result> results;
  /// For people; long ones are cut. The digest covers all of them.
  std::string attributes;
  std::string attributesDigest;
  /// The name of the nearest result of the program that depends on the op.
  std::string leadsTo;
  bool isConstant = false;
  /// The value of a constant with few elements.
  std::optional<Tensor> constant;
};

/// Decodes the list of a response. Throws a Failure (bug) if it is malformed.
std::vector<ProgramOp> readProgramOps(const plan::ProbeResponse &response);

/// An op of each of two programs that are the same op of both, by its name, its
/// node, its types and the result that it leads to. -1: no op of this program.
struct OpPair {
  int64_t first = -1, second = -1;
};

/// Pairs the ops: all of the first program in its order, then those of the
/// second alone. Of several with the same description the nth ones are a pair.
std::vector<OpPair> pairOps(const std::vector<ProgramOp> &first,
                            const std::vector<ProgramOp> &second);

} // namespace gensyn::runtime

#endif
