// The step where runs differ first: its facts, its values, its results; see
// Dispute.h.

#include "Settler.h"

#include "gensyn/Executable/Support/Encoding.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Numerics/Convert.h"
#include "gensyn/Proof/Run/Commitments.h"
#include "gensyn/Proof/Trees/Descent.h"
#include "gensyn/Proof/Trees/ListTree.h"
#include "gensyn/Runtime/Data/Shuffle.h"
#include "gensyn/Runtime/Training/RunWitness.h"

#include <algorithm>
#include <numeric>

namespace gensyn::proof {

/// The order of more samples is not computed.
static constexpr int64_t mostSamples = int64_t(1) << 24;

static const char *kindOf(dispute::Tree tree) {
  switch (tree) {
  case dispute::VALUES:
    return "values";
  case dispute::PROGRAM:
    return "program";
  default:
    return "state";
  }
}

static std::vector<std::string> splitWords(const std::string &text) {
  std::vector<std::string> words;
  for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
  }
  return words;
}

Settler::Plan Settler::planStep() const {
  constexpr uint64_t most = uint64_t(1) << 62;
  const auto samples = int64_t(std::min(factNumber("samples"), most));
  const auto batch = int64_t(std::min(factNumber("batch_size"), most));
  const std::vector<std::string> rests =
      splitWords(factText("last_batch_program_digest"));
  const std::vector<std::string> restRoots =
      splitWords(factText("last_batch_program_root"));
  if (factText("program_root").empty())
    throw Failure(ExitCode::Unsupported,
                  "the run does not commit to the ops of its program, which "
                  "an older version compiled");
  if (samples < 1 || batch < 1 || factText("data").empty() ||
      rests.size() != restRoots.size())
    throw Failure(ExitCode::Unsupported,
                  "the run has no data set, so its steps have no program");
  const int64_t full = samples / batch, steps = full + int64_t(rests.size());
  if (steps < 1)
    throw Failure(ExitCode::Unsupported, "the facts have no step");
  const int64_t inEpoch = (step - 1) % steps, epoch = (step - 1) / steps + 1;
  const bool isFull = inEpoch < full;
  Plan plan;
  plan.epoch = uint64_t(epoch);
  plan.endsEpoch = inEpoch + 1 == steps;
  plan.digest =
      isFull ? factText("program_digest") : rests[size_t(inEpoch - full)];
  const std::optional<Digest> root = parseDigest(
      isFull ? factText("program_root") : restRoots[size_t(inEpoch - full)]);
  if (!root)
    throw Failure(ExitCode::Unsupported,
                  "the run does not commit to the ops of its program");
  plan.root = *root;
  // Of several smaller batches the facts do not have the sizes.
  if (samples > mostSamples || (!isFull && rests.size() > 1))
    return plan;
  std::vector<int64_t> order(static_cast<size_t>(samples));
  std::iota(order.begin(), order.end(), 0);
  if (factFlag("shuffle"))
    order = runtime::permutation(samples, factNumber("seed"), uint64_t(epoch));
  const auto begin = order.begin() + inEpoch * batch;
  plan.samples.emplace(begin,
                       begin + (isFull ? batch : samples - full * batch));
  return plan;
}

uint64_t Settler::askSize(Side side, dispute::Tree tree, const Digest &root) {
  // An empty tree has no entry that could be shown.
  if (root == ListTree(kindOf(tree)).root())
    return 0;
  // Entry 0 is of any other one; its proof has the size.
  const dispute::EntriesAnswer answer = asker.entries(side, place(), tree, {0});
  if (findListRoot(kindOf(tree), answer.size(), {{0, answer.entries(0)}},
                   readDigests(side, answer.siblings())) != root)
    throw Wrong{side, "proves an entry by another tree than it committed to"};
  return answer.size();
}

std::string Settler::entry(Side side, dispute::Tree tree, uint64_t number,
                           const Digest &root) {
  const dispute::EntriesAnswer answer =
      asker.entries(side, place(), tree, {number});
  if (findListRoot(kindOf(tree), answer.size(), {{number, answer.entries(0)}},
                   readDigests(side, answer.siblings())) != root)
    throw Wrong{side, "proves an entry by another tree than it committed to"};
  return answer.entries(0);
}

static StateEntry requireState(Side side, const std::string &entry) {
  std::optional<StateEntry> read = readStateEntry(entry);
  if (!read)
    throw Wrong{side, "has an entry of the state that is none"};
  return std::move(*read);
}

std::optional<StateEntry> Settler::findState(Side side, dispute::Tree tree,
                                             const Digest &root,
                                             const std::string &name) {
  // Names are in the order of their bytes.
  for (uint64_t begin = 0, end = askSize(side, tree, root); begin < end;) {
    const uint64_t middle = begin + (end - begin) / 2;
    StateEntry found = requireState(side, entry(side, tree, middle, root));
    if (found.name == name)
      return found;
    (found.name < name ? begin : end) = found.name < name ? middle + 1 : middle;
  }
  return std::nullopt;
}

Settler::Leaf Settler::descend(dispute::Tree tree, uint64_t size,
                               const Both<Digest> &roots) {
  // Nobody can show a part of an empty tree, so that is not asked for. Only one
  // of two different roots can be its own.
  if (size == 0)
    for (Side side : kSides)
      if (roots[side] != ListTree(kindOf(tree)).root())
        throw Wrong{side, "claims another tree than the empty one"};
  Leaf leaf{0, roots};
  LeafRange range{0, size};
  // The first round shows that the parts are those of the tree.
  for (bool isTop = true; isTop || range.end - range.begin > 1; isTop = false) {
    Both<std::vector<Digest>> parts;
    for (Side side : kSides) {
      parts[side] =
          readDigests(side, asker.nodes(side, place(), tree, range).digests());
      const std::optional<Digest> joined =
          joinListParts(range.begin, range.end - range.begin, parts[side]);
      if (!joined || (isTop ? findListRoot(kindOf(tree), size, *joined)
                            : *joined) != leaf.digests[side])
        throw Wrong{side,
                    "shows a part of a tree that is not in what it claimed"};
    }
    const std::vector<LeafRange> ranges =
        splitSubtree(range.begin, range.end - range.begin);
    const size_t i =
        size_t(std::ranges::mismatch(parts.first, parts.second).in1 -
               parts.first.begin());
    const LeafRange part = ranges.at(i);
    found.rounds.push_back(
        {kindOf(tree), range.begin, range.end, part.begin, part.end});
    range = part;
    leaf.digests = {parts.first[i], parts.second[i]};
  }
  leaf.number = range.begin;
  return leaf;
}

/// The digest of a tensor of one number, or of the two halves of a key.
static std::optional<Digest>
digestNumber(const ProgramHeader::Argument &argument, uint64_t number) {
  // A header may name any shape.
  const auto bytes = countBytes(argument.type, argument.shape);
  if (!bytes || *bytes < 1 || *bytes > 8)
    return std::nullopt;
  gensyn::Tensor tensor(argument.type, argument.shape);
  if (tensor.byteSize() == 8 && isInteger(argument.type)) {
    // Little-endian, also where they are two.
    std::copy_n(reinterpret_cast<const std::byte *>(&number), 8, tensor.data());
  } else if (tensor.numElements() == 1) {
    tensor = scalar::convertTensor(
        gensyn::Tensor::of<double>(argument.shape, {double(number)}),
        argument.type);
  } else {
    return std::nullopt;
  }
  return digestTensor(runtime::witnessTensor(tensor));
}

Verdict Settler::settleArgument(const Leaf &leaf) {
  const ProgramHeader::Argument &argument = frame.header.arguments[leaf.number];
  found.operation =
      std::string(name(argument.role)) + " " + quote(argument.name);
  auto undecided = [&](const std::string &why) {
    return make(Verdict::Kind::Undecided,
                "the " + found.operation + " differs, " + why);
  };
  Both<Digest> claimed;
  for (Side side : kSides)
    claimed[side] = readDigest(
        side, entry(side, dispute::VALUES, leaf.number, frame.values[side]));
  std::optional<Digest> right;
  std::string source;
  switch (argument.role) {
  case Role::Parameter:
  case Role::State:
  case Role::Average: {
    if (argument.name == runtime::kEpochState) {
      right = digestNumber(argument, plan.epoch - 1);
      source = "the epoch is another one";
      break;
    }
    // Both agree on that state; whoever has no entry there made it up.
    const std::optional<StateEntry> state =
        findState(Side::First, dispute::BEFORE, before.state, argument.name);
    if (!state)
      return undecided("and the state has no such tensor");
    right = state->tensor;
    source = "the state after step " + std::to_string(step - 1) +
             ", on which both agree, has another one";
    break;
  }
  case Role::Key:
    right = digestNumber(argument, factNumber("seed"));
    source = "the seed of the run is another one";
    break;
  case Role::Step:
    right = digestNumber(argument, uint64_t(step - 1));
    source = "the number of steps before this one is another one";
    break;
  case Role::Constant: {
    const auto root = parseDigest(factText("constants_root"));
    if (!root)
      return undecided("and the facts do not have it");
    const std::optional<StateEntry> constant =
        findState(Side::First, dispute::CONSTANTS, *root, argument.name);
    if (!constant)
      return undecided("and the facts have no such tensor");
    right = constant->tensor;
    source = "the run began with another one";
    break;
  }
  default:
    return settleSample(leaf);
  }
  if (!right)
    return undecided("and has a type of which that is not known");
  return compareClaims(claimed, *right,
                       "computes with a " + found.operation + " that " +
                           "is not its own: " + source);
}

Verdict Settler::settleLoss(uint64_t value) {
  const Digest digest =
      readDigest(Side::First, entry(Side::First, dispute::VALUES, value,
                                    frame.values.first));
  const Tensor tensor = askTensor(Side::First, value, digest);
  if (tensor.bytes != uint64_t(byteWidth(tensor.type)))
    return make(Verdict::Kind::Undecided, "the loss is not one number");
  const dispute::PartsAnswer parts =
      asker.parts(Side::First, place(), value, {0, 1});
  if (joinChunks(tensor.bytes, {}, parts.last_chunk()) != tensor.elements)
    throw Wrong{Side::First, "shows a loss that is not the one it claimed"};
  gensyn::Tensor read(tensor.type, tensor.shape);
  std::copy_n(reinterpret_cast<const std::byte *>(parts.last_chunk().data()),
              tensor.bytes, read.data());
  const gensyn::Tensor wide = scalar::convertTensor(read, ElementType::F64);
  const auto bits = wide.as<uint64_t>()[0];
  auto isWrong = [&](Side side) {
    return std::bit_cast<uint64_t>(loss[side]) != bits;
  };
  const std::string what = "records a loss that its program did not compute";
  if (isWrong(Side::First) && isWrong(Side::Second))
    return make(Verdict::Kind::Both, "each " + what);
  return blame(isWrong(Side::First) ? Side::First : Side::Second, what);
}

Digest Settler::findResult(const StateEntry &old) {
  auto valueOf = [&](uint64_t number) {
    return readDigest(Side::First, entry(Side::First, dispute::VALUES, number,
                                         frame.values.first));
  };
  for (uint64_t i = 0; i < frame.header.arguments.size(); ++i) {
    if (frame.header.arguments[i].name != old.name)
      continue;
    for (const ProgramHeader::Result &result : frame.header.results)
      if (result.replaces == int64_t(i))
        return result.value ? valueOf(*result.value) : result.constant;
    return valueOf(i);
  }
  return old.tensor;
}

Verdict Settler::settleState() {
  Both<uint64_t> sizes;
  for (Side side : kSides)
    sizes[side] = askSize(side, dispute::AFTER, after[side].state);
  const uint64_t size = askSize(Side::First, dispute::BEFORE, before.state);
  for (Side side : kSides)
    if (sizes[side] != size)
      throw Wrong{side, "has a state of " + std::to_string(sizes[side]) +
                            " tensors after the step, and of " +
                            std::to_string(size) + " before it"};
  const Leaf leaf =
      descend(dispute::AFTER, size, {after.first.state, after.second.state});
  uint64_t number = leaf.number;
  if (plan.endsEpoch) {
    const std::optional<uint64_t> other = skipPlateau(number, size);
    if (!other)
      return make(Verdict::Kind::Undecided,
                  "the factor of the step size differs, which follows from "
                  "metrics of the epoch, and nothing commits to these");
    number = *other;
  }
  const StateEntry old = requireState(
      Side::First, entry(Side::First, dispute::BEFORE, number, before.state));
  Both<StateEntry> claimed;
  for (Side side : kSides) {
    claimed[side] = requireState(
        side, entry(side, dispute::AFTER, number, after[side].state));
    if (claimed[side].name != old.name)
      throw Wrong{side, "has " + quote(claimed[side].name) +
                            " in its state after the step in place of " +
                            quote(old.name)};
  }
  found.operation = "state " + quote(old.name);
  const Digest right = findResult(old);
  return compareClaims({claimed.first.tensor, claimed.second.tensor}, right,
                       "has another " + found.operation +
                           " after the step than the step computed");
}

std::optional<uint64_t> Settler::skipPlateau(uint64_t number, uint64_t size) {
  const StateEntry old = requireState(
      Side::First, entry(Side::First, dispute::BEFORE, number, before.state));
  if (old.name != runtime::kPlateauState)
    return number;
  // Whoever lies about that must not hide what comes behind it.
  for (uint64_t next = number + 1; next < size; ++next)
    if (entry(Side::First, dispute::AFTER, next, after.first.state) !=
        entry(Side::Second, dispute::AFTER, next, after.second.state))
      return next;
  return std::nullopt;
}

Verdict Settler::settleResults() {
  for (const ProgramHeader::Result &result : frame.header.results)
    if (result.isLoss && result.value &&
        std::bit_cast<uint64_t>(loss.first) !=
            std::bit_cast<uint64_t>(loss.second))
      return settleLoss(*result.value);
  if (after.first.state != after.second.state)
    return settleState();
  return make(Verdict::Kind::Undecided,
              "the records of the step differ in a loss that its program does "
              "not have");
}

Verdict Settler::settleStep() {
  say("comparing step " + std::to_string(step));
  plan = planStep();
  Both<std::vector<int64_t>> samples;
  for (Side side : kSides) {
    const dispute::StepAnswer answer = asker.step(side, step);
    samples[side].assign(answer.samples().begin(), answer.samples().end());
    loss[side] = answer.loss();
    frame.values[side] = readDigest(side, answer.values_root());
    runtime::WitnessedStep told;
    told.step = step;
    told.programDigest = answer.program_digest();
    told.samples = samples[side];
    told.loss = answer.loss();
    if (digestStep(before.history, told) != after[side].history)
      throw Wrong{side, "tells another step " + std::to_string(step) +
                            " than the one that it committed to"};
    if (told.programDigest != plan.digest)
      throw Wrong{side, "runs another program in step " + std::to_string(step) +
                            " than that of the run"};
    if (plan.samples && samples[side] != *plan.samples)
      throw Wrong{side, "trains on other samples in step " +
                            std::to_string(step) + " than the seed says"};
  }
  if (samples.first != samples.second)
    return make(Verdict::Kind::Undecided,
                "the samples of the step differ, and do not follow from the "
                "facts");
  this->samples = samples.first;
  const std::optional<ProgramHeader> read =
      readProgramHeader(entry(Side::First, dispute::PROGRAM, 0, plan.root));
  if (!read)
    throw Wrong{Side::First, "has a program whose header is malformed"};
  frame.header = *read;
  frame.root = plan.root;
  if (frame.values.first == frame.values.second)
    return settleResults();
  const Leaf leaf = descend(dispute::VALUES, frame.header.values, frame.values);
  found.value = leaf.number;
  return leaf.number < frame.header.arguments.size() ? settleArgument(leaf)
                                                     : settleValue(leaf);
}

} // namespace gensyn::proof
