// Settles a dispute; see Dispute.h. Its parts are in Settle.cpp (runs, points,
// steps), SettleStep.cpp (values, arguments, results), SettleElement.cpp
// (tensors, elements, ops) and SettleIteration.cpp (programs in ops).
#ifndef GENSYN_LIB_PROOF_DISPUTE_SETTLER_H
#define GENSYN_LIB_PROOF_DISPUTE_SETTLER_H

#include "Asker.h"
#include "ProgramHeader.h"
#include "TileBytes.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Proof/Dispute/Dispute.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace gensyn::proof {

class Settler {
public:
  Settler(Party &first, Party &second, const DisputeOptions &options)
      : asker(first, second, options.mostBytes), options(options) {}

  Verdict run();

private:
  static constexpr std::array kSides = {Side::First, Side::Second};
  /// Something of each side.
  template <class T> struct Both {
    T first, second;
    bool operator==(const Both &) const = default;
    T &operator[](Side side) { return side == Side::First ? first : second; }
    const T &operator[](Side side) const {
      return side == Side::First ? first : second;
    }
  };
  /// What is claimed after a step.
  struct Claim {
    Digest history = {}, state = {};
    bool operator==(const Claim &) const = default;
  };
  struct Run {
    std::string facts;
    std::map<int64_t, Claim> points;
  };
  /// Where two trees differ first: a leaf, by its digests.
  struct Leaf {
    uint64_t number = 0;
    Both<Digest> digests;
  };
  /// A value of the step, as each side has it.
  struct Tensor {
    ElementType type = ElementType::F32;
    std::vector<int64_t> shape;
    uint64_t bytes = 0;
    Digest elements = {};
  };
  /// An element, as each side has it.
  struct Element {
    uint64_t number = 0;
    Both<std::string> bytes;
  };

  /// A program whose values are compared: that of the step, or of an iteration
  /// of an op in the one before.
  struct Frame {
    std::vector<dispute::Iteration> path;
    /// Of the list of its entries.
    Digest root = {};
    ProgramHeader header;
    /// The roots of what each side claims of its values.
    Both<Digest> values;
  };
  Place place() const { return {step, frame.path}; }

  // Settle.cpp
  Run askRun(Side side);
  /// Throws Wrong if the last root is not signed as the options require.
  void checkSigned(Side side, const dispute::RunAnswer &answer,
                   const RunRoots &roots) const;
  std::string describeDifference(const std::string &a, const std::string &b);
  Verdict settlePoints();
  /// Some steps between two others, ascending.
  std::vector<int64_t> chooseSteps(int64_t begin, int64_t end) const;
  /// What both claim after these steps. Throws Wrong for a claim that is not
  /// what its party committed to there.
  Both<std::vector<Claim>> askClaims(const std::vector<int64_t> &steps);
  /// Finds the step, and the claims before and after it.
  void narrow(int64_t begin, int64_t end);
  void say(const std::string &text) const {
    if (options.progress)
      options.progress(text);
  }
  /// A part of the facts, which are anybody's; empty, 0 or false for what is
  /// none.
  std::string factText(const char *key) const;
  uint64_t factNumber(const char *key) const;
  bool factFlag(const char *key) const;
  Verdict make(Verdict::Kind kind, std::string reason) const;
  Verdict blame(Side side, std::string reason) const;
  /// Of two claims at least one of which is not `right`: who does `what`.
  Verdict compareClaims(const Both<Digest> &claimed, const Digest &right,
                        const std::string &what);

  // SettleStep.cpp
  Verdict settleStep();
  /// What the facts say of the step: its samples, and which of the programs
  /// it has.
  struct Plan {
    std::string digest;
    Digest root = {};
    uint64_t epoch = 1;
    bool endsEpoch = false;
    /// Nothing if they do not follow from the facts.
    std::optional<std::vector<int64_t>> samples;
  };
  Plan planStep() const;
  Verdict settleArgument(const Leaf &leaf);
  Verdict settleResults();
  Verdict settleLoss(uint64_t value);
  Verdict settleState();
  /// The entry of the state that is to be compared in place of the factor of
  /// reduce_on_plateau, which is set at the end of an epoch; nothing if no
  /// other one differs.
  std::optional<uint64_t> skipPlateau(uint64_t number, uint64_t size);
  /// The tensor that the step leaves in place of one of the state before it.
  Digest findResult(const StateEntry &old);
  Leaf descend(dispute::Tree tree, uint64_t size, const Both<Digest> &roots);
  uint64_t askSize(Side side, dispute::Tree tree, const Digest &root);
  /// An entry that is proved by the tree's root.
  std::string entry(Side side, dispute::Tree tree, uint64_t number,
                    const Digest &root);
  /// The entry of a state, by its name.
  std::optional<StateEntry> findState(Side side, dispute::Tree tree,
                                      const Digest &root,
                                      const std::string &name);

  // SettleElement.cpp
  Verdict settleValue(const Leaf &leaf);
  Verdict settleSample(const Leaf &leaf);
  /// The value of both sides. Throws Wrong if a side's is of another type or
  /// shape.
  Both<Tensor> askTensors(const Leaf &leaf);
  void setElement(ElementType type, const std::vector<int64_t> &shape,
                  const Element &element, const std::string &right);
  /// What an element says: its claims against what is right.
  Verdict compareElement(const Element &element, const std::string &right);
  Tensor askTensor(Side side, uint64_t value, const Digest &digest);
  Element findElement(uint64_t value, const Both<Tensor> &tensors);
  /// The result of an op.
  struct Computed {
    ElementType type = ElementType::F32;
    std::vector<int64_t> shape;
    std::string op, operation;
  };
  /// The op of the program that computes it, and the operands' tiles, with the
  /// digests of the tensors' bytes, on which both agree.
  struct Located {
    plan::EvaluateRequest request;
    Computed computed;
    /// False for an element that the result does not have.
    bool isElement = false;
    std::vector<std::pair<TileBytes, Digest>> tiles;
    /// The digests of the operands.
    std::vector<Digest> operands;
    std::optional<plan::OpIterations> iterations;
  };
  /// Thrown where a side gives an op that is too much to read, which the other
  /// one may give in fewer words.
  struct TooLong {
    Side side;
    std::string reason;
  };
  /// Asks the compiler about an op that a side gave. Throws Wrong and TooLong.
  plan::EvaluateResponse evaluate(Side side,
                                  const plan::EvaluateRequest &request);
  Located locate(Side side, uint64_t value, uint64_t element);
  /// Settles a value by what a side gives: an op of the program, on operands
  /// that both agree on, so that it does not matter whose they are.
  Verdict settleBy(Side giver, const Leaf &leaf, const Both<Tensor> &tensors,
                   const Element &element);
  /// The bytes of the element.
  std::string compute(Side side, uint64_t value, uint64_t element,
                      Located &located);
  /// The bytes of a tile.
  std::string readOperand(Side side, const dispute::TensorChunks &chunks,
                          const TileBytes &tile, const Digest &elements);

  // SettleIteration.cpp
  /// An op whose iterations are settled one by one, and what both agree on.
  struct IteratedOp {
    uint64_t value = 0, firstValue = 0;
    plan::OpIterations iterations;
    /// The digests of its operands.
    std::vector<Digest> operands;
  };
  /// Of an op of which a result differs: finds the first iteration whose
  /// carried values do, and goes on in its program.
  Verdict settleIterations(Side giver, uint64_t value, Located located);
  /// Where no carried values differ.
  Verdict settleEnd(const IteratedOp &op, const Both<uint64_t> &counts,
                    const Digest &root);
  /// The first iteration after which they differ.
  Verdict settleIteration(const IteratedOp &op, uint64_t iteration,
                          const Digest &before, const Both<Digest> &after);
  Verdict settleNestedArgument(const IteratedOp &op, uint64_t iteration,
                               const std::vector<Digest> &before,
                               const Leaf &leaf);
  Verdict settleCarried(const Both<std::vector<Digest>> &carried);
  /// The digests of the carried values after an iteration, which have the root.
  std::vector<Digest> askCarried(Side side, const IteratedOp &op,
                                 uint64_t iteration, const Digest &root);
  Both<std::vector<Digest>> askRoots(const IteratedOp &op,
                                     const std::vector<uint64_t> &iterations);

  Asker asker;
  const DisputeOptions &options;
  Both<Run> runs;
  nlohmann::json facts;
  int64_t step = 0;
  Claim before;
  Both<Claim> after;
  Frame frame;
  Both<double> loss;
  std::vector<int64_t> samples;
  Plan plan;
  Verdict found;
};

/// "3 (0x40400000)"
std::string describeElement(ElementType type, const std::string &bytes);
/// At most so many numbers behind `begin` and before `end`, which is behind it:
/// evenly, ascending.
std::vector<uint64_t> chooseEvenly(uint64_t begin, uint64_t end, uint64_t most);
/// "the first", "the second".
const char *nameOf(Side side);

} // namespace gensyn::proof

#endif
