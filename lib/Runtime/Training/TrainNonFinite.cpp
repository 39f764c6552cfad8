// Handles a loss or a parameter that is no longer finite. A step overwrites its
// parameters, so the responsible step is found by repeating the steps since the
// last checkpoint.

#include "Trainer.h"
#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/Convert.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace gensyn::runtime {

static constexpr const char *kNan = "a NaN";

/// Returns "a NaN" or "an infinity" for the worst value in a tensor; else
/// empty.
static std::string nonFinitePart(const Tensor &tensor) {
  if (!isFloat(tensor.elementType()))
    return "";
  const int width = bitWidth(tensor.elementType());
  if (width < 32)
    return nonFinitePart(scalar::convertTensor(tensor, ElementType::F32));
  bool infinite = false, nan = false;
  auto look = [&](auto elements) {
    for (auto value : elements) {
      nan |= std::isnan(value);
      infinite |= std::isinf(value);
    }
  };
  if (width == 32)
    look(tensor.span<float>());
  else
    look(tensor.span<double>());
  return nan ? kNan : infinite ? "an infinity" : "";
}

void Trainer::rememberInfinities() {
  for (const std::string &name : listTensors())
    if (!nonFinitePart(store.at(name)).empty())
      infinite.insert(name);
}

/// Returns "'w' has a NaN" for the first tensor of the store that became
/// non-finite.
std::string Trainer::describeNonFinite() const {
  if (tensors.hasDivided())
    return describeNonFiniteOfAll();
  for (const std::string &name : listTensors())
    if (!infinite.contains(name))
      if (std::string part = nonFinitePart(store.at(name)); !part.empty())
        return quote(name) + " has " + part;
  return "";
}

/// The names of the tensors of a checkpoint, in the order in which they are
/// reported.
std::vector<std::string> Trainer::listTensors() const {
  std::vector<std::string> all;
  for (const auto &names : {store.modelNames(), store.optimizerNames()})
    for (const auto &[name, stored] : names)
      all.push_back(stored);
  return all;
}

/// As describeNonFinite(), from what each rank finds in its own elements.
std::string Trainer::describeNonFiniteOfAll() const {
  const std::vector<std::string> names = listTensors();
  OrderedJson mine = OrderedJson::array();
  for (size_t i = 0; i < names.size(); ++i)
    if (isFirst() || tensors.isDivided(names[i]))
      if (const std::string part = nonFinitePart(tensors.ownPart(names[i]));
          !part.empty() && !infinite.contains(names[i]))
        mine.push_back({i, part});
  size_t first = names.size();
  std::string worst;
  for (const std::string &text : options.ranks->gather(mine.dump()))
    for (const OrderedJson &found : OrderedJson::parse(text)) {
      const auto index = found.at(0).get<size_t>();
      const auto part = found.at(1).get<std::string>();
      // A NaN in any part is one of the tensor.
      if (index < first || (index == first && part == kNan))
        worst = part;
      first = std::min(first, index);
    }
  return worst.empty() ? "" : quote(names[first]) + " has " + worst;
}

/// Returns "sample 7 has a NaN in 'x'" for the first tensor of a batch that has
/// a NaN, else for the first that has an infinity; empty if there is none.
static std::string describeData(const TensorMap &tensors,
                                std::span<const int64_t> samples) {
  std::string infinity;
  for (const auto &[name, tensor] : tensors) {
    const std::string part = nonFinitePart(tensor);
    if (part.empty() || (part != "a NaN" && !infinity.empty()))
      continue;
    const Tensor wide = scalar::convertTensor(tensor, ElementType::F64);
    const auto elements = wide.span<double>();
    const auto found =
        std::find_if(elements.begin(), elements.end(), [&](double value) {
          return part == "a NaN" ? std::isnan(value) : std::isinf(value);
        });
    const auto count = size_t(std::max<int64_t>(tensor.shape().front(), 1));
    const size_t row = size_t(found - elements.begin()) * count /
                       std::max<size_t>(elements.size(), 1);
    const std::string what =
        "sample " +
        std::to_string(samples.empty() ? int64_t(row) : samples[row]) +
        " has " + part + " in " + quote(name);
    if (part == "a NaN")
      return what;
    infinity = what;
  }
  return infinity;
}

static std::string describeLoss(double loss) {
  return std::isnan(loss) ? "NaN" : "infinite";
}

void Trainer::requireFiniteLoss(double loss, const Batch &batch) {
  if (std::isfinite(loss))
    return;
  if (options.stopOnNan)
    failNonFinite("the loss of step " + std::to_string(progress.step) + " is " +
                      describeLoss(loss),
                  &batch);
  if (!warned)
    observer.warn("the loss of step " + std::to_string(progress.step) +
                  " is not finite");
  warned = true;
}

void Trainer::requireFiniteParameters() {
  if (!options.stopOnNan)
    return;
  // The first rank tells the others.
  if (std::string what = describeNonFinite(); !what.empty() && isFirst())
    failNonFinite(what + " after step " + std::to_string(progress.step),
                  nullptr);
}

static std::string describe(const NonFiniteOp &op, const char *part) {
  return op.operation + " made the first " + part + ", element " +
         std::to_string(op.element) + " of " + longName(op.type) +
         describeShape(op.shape);
}

/// Returns "node 'log' (Log) made the first NaN, ..."; empty if there is none.
/// If the loss is infinite, the first infinity is reported.
static std::string describe(const NonFiniteOps &ops, double loss) {
  std::string nan = ops.nan ? describe(*ops.nan, "NaN") : "";
  if (!ops.infinity || (ops.nan && !ops.infinityFirst))
    return nan;
  const std::string infinity = describe(*ops.infinity, "infinity");
  return nan.empty() || std::isinf(loss) ? infinity
                                         : nan + " (before, " + infinity + ")";
}

/// Repeats the steps since the last checkpoint up to the first one that makes a
/// number that is not finite. Returns what is known of it, for the message, and
/// adds to its note. The state is then that before this step.
std::string Trainer::findNonFinite(const std::string &what, std::string &note) {
  const int64_t seen = progress.step;
  std::string found;
  goBack();
  seek();
  while (progress.step < seen && !stop.load()) {
    if (progress.epoch == 0 || progress.epochComplete) {
      seek();
      beginEpoch();
    }
    const std::optional<Batch> current = batches->next();
    if (!current)
      break;
    Session &session = *current->session;
    const TensorMap model = store.model(), optimizer = store.optimizer();
    const StepInputs inputs = inputsOf(*current, progress.step);
    session.run(inputs);
    const double loss = session.loss();
    if (std::isfinite(loss) && describeNonFinite().empty()) {
      countStep(loss);
      programDigest = session.executable().program_digest();
      tellStep(*current);
      progress.epochComplete = progress.stepInEpoch == data.steps;
      continue;
    }
    // A loss is bad in its own step, a parameter since the step that computed
    // it.
    const std::string cause = describeNonFinite() + " after step " +
                              std::to_string(progress.step + 1);
    if (std::isfinite(loss) && cause != what)
      found = ", since " + cause;
    store.restore(model, optimizer, "");
    try {
      if (!options.probe)
        failUnsupported("the compiler is needed to name the op");
      std::string op =
          describe(options.probe(session.batchSize(),
                                 session.executable().program_digest(),
                                 session.listInputs(inputs)),
                   loss);
      if (!op.empty())
        found += ": " + op;
    } catch (const Failure &failure) {
      note = std::string(failure.what()) + "; ";
    }
    if (std::string sample = describeData(inputs.tensors, current->indices);
        !sample.empty())
      note += sample + "; ";
    break;
  }
  return found;
}

void Trainer::failNonFinite(const std::string &what, const Batch *batch) {
  endAhead();
  std::string note;
  // Steps can be repeated if they all were on the data at hand.
  if (!folder || !batches || data.identity.empty() ||
      progress.stepsPerEpoch == 0 || options.ranks) {
    if (batch)
      if (std::string sample = describeData(batch->tensors, batch->indices);
          !sample.empty())
        note = sample + "; ";
    failBadInput(what,
                 note + (options.ranks
                             ? "one rank alone, with --resume, names the op"
                             : "the op is named if the run has a folder and "
                               "its data are arrays or files"));
  }
  observer.warn(what + "; looking for where it came from in the steps after " +
                (savedStep ? savedIn.string() : "the beginning"));
  const std::string found = findNonFinite(what, note);
  if (progress.step > savedStep) {
    // The last good state, inside an epoch or at its end.
    save();
  }
  writeResults();
  note += savedStep ? "the state after step " + std::to_string(savedStep) +
                          " is saved in " + savedIn.string()
                    : "it is the first step";
  failBadInput(what + found, note + "; --on-nan continue goes on regardless");
}

} // namespace gensyn::runtime
