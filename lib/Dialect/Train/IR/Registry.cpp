// The losses, optimizers and schedules of recipes: a new one is a new entry
// here.

#include "gensyn/Dialect/Train/IR/Registry.h"

#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

static FailureOr<RankedTensorType> noTarget(RecipeObject &, RankedTensorType) {
  return RankedTensorType();
}

// The graph computes the loss: its output only has to be a single number.
static Value takeOutput(OpBuilder &builder, Location location,
                        RecipeObject &recipe, Value output, Value) {
  if (repro::typeOf(output).getNumElements() != 1) {
    recipe.error() << "the output is not a scalar but " << output.getType();
    return nullptr;
  }
  return repro::createReshape(builder, location, output, {});
}

/// `key` names the graph output which is the loss's input.
template <class Op>
static constexpr LossKind ofOp(llvm::StringLiteral name,
                               llvm::StringLiteral key) {
  return {name, key, Op::readTargetType, Op::read};
}

static constexpr LossKind lossKinds[] = {
    ofOp<SoftmaxCrossEntropyOp>("softmax_cross_entropy", "logits"),
    ofOp<NllOp>("nll", "prediction"),
    ofOp<MseOp>("mse", "prediction"),
    ofOp<L1Op>("l1", "prediction"),
    ofOp<HuberOp>("huber", "prediction"),
    ofOp<SmoothL1Op>("smooth_l1", "prediction"),
    ofOp<BceWithLogitsOp>("bce_with_logits", "logits"),
    ofOp<BceOp>("bce", "prediction"),
    ofOp<KlDivOp>("kl_div", "prediction"),
    ofOp<SoftTargetCrossEntropyOp>("soft_target_cross_entropy", "logits"),
    ofOp<CosineOp>("cosine", "prediction"),
    {"graph_output", "output", noTarget, takeOutput},
};

namespace {
struct OptimizerKind {
  llvm::StringLiteral name;
  /// The step size unless the recipe specifies one.
  double lr;
  OptimizerRuleInterface (*read)(RecipeObject &recipe);
};

struct ScheduleKind {
  llvm::StringLiteral name;
  ScheduleInterface (*read)(RecipeObject &recipe, int64_t warmup);
};
} // namespace

static constexpr OptimizerKind optimizerKinds[] = {
    {"SGD", 1e-3, SgdAttr::read},
    {"Adam", 1e-3, AdamAttr::read},
    {"AdamW", 1e-3, AdamWAttr::read},
    {"RMSprop", 1e-2, RmsPropAttr::read},
    {"Adagrad", 1e-2, AdagradAttr::read},
    {"NAdam", 2e-3, NAdamAttr::read},
    {"RAdam", 1e-3, RAdamAttr::read},
    {"Adamax", 2e-3, AdamaxAttr::read},
    {"Adadelta", 1.0, AdadeltaAttr::read},
    {"Adafactor", 1e-2, AdafactorAttr::read},
    {"Muon", 1e-3, MuonAttr::read},
    {"Lion", 1e-4, LionAttr::read},
    {"LAMB", 1e-3, LambAttr::read},
    {"ASGD", 1e-2, AsgdAttr::read},
    {"Rprop", 1e-2, RpropAttr::read},
};

static constexpr ScheduleKind scheduleKinds[] = {
    {"constant", ConstantScheduleAttr::read},
    {"linear", LinearScheduleAttr::read},
    {"cosine", CosineScheduleAttr::read},
    {"polynomial", PolynomialScheduleAttr::read},
    {"inverse_sqrt", InverseSqrtScheduleAttr::read},
    {"exponential", ExponentialScheduleAttr::read},
    {"step", StepScheduleAttr::read},
    {"multi_step", MultiStepScheduleAttr::read},
    {"one_cycle", OneCycleScheduleAttr::read},
    {"cosine_restarts", CosineRestartsScheduleAttr::read},
    {"cyclic", CyclicScheduleAttr::read},
    {"reduce_on_plateau", PlateauScheduleAttr::read},
};

/// Returns the entry of `kind`, or null after an error; `noun` describes it.
template <class Table>
static auto *findKind(RecipeObject &recipe, StringRef noun,
                      const Table &table) {
  SmallVector<StringRef> names;
  for (const auto &known : table)
    names.push_back(known.name);
  auto index = recipe.choice("kind", noun, names);
  return index ? &table[*index] : nullptr;
}

const LossKind *train::findLossKind(RecipeObject &recipe) {
  return findKind(recipe, "loss", lossKinds);
}

/// Accepts keys of torch.optim that select among PyTorch's kernels, so that its
/// `defaults` can be a recipe. They do not change the meaning and are ignored.
static void skipKernelChoices(RecipeObject &recipe) {
  for (StringRef key : {"foreach", "fused", "capturable"})
    recipe.flag(key, false);
  if (recipe.flag("differentiable", false))
    recipe.error() << "'differentiable' is not supported: no gradient goes "
                      "through an update";
}

FailureOr<OptimizerChoice> train::readOptimizer(RecipeObject &recipe) {
  const OptimizerKind *entry = findKind(recipe, "optimizer", optimizerKinds);
  if (!entry)
    return failure();
  OptimizerChoice choice;
  choice.lr = recipe.number("lr", entry->lr, NumberRange::atLeast(0.0));
  choice.rule = entry->read(recipe);
  bool upwards = recipe.flag("maximize", false);
  skipKernelChoices(recipe);
  if (failed(recipe.finish()) || !choice.rule)
    return failure();
  if (upwards)
    choice.rule = MaximizeAttr::get(recipe.getContext(), choice.rule);
  return choice;
}

ScheduleInterface train::readSchedule(RecipeObject &recipe) {
  const ScheduleKind *entry = findKind(recipe, "schedule", scheduleKinds);
  if (!entry)
    return {};
  constexpr int64_t most = int64_t(1) << 53; // exact in f64
  int64_t warmup = recipe.integer("warmup_steps", 0, most).value_or(0);
  FloatAttr start =
      recipe.numberAttr("warmup_start", 0.0, NumberRange::atLeast(0.0));
  const StringRef intervals[] = {"step", "epoch"};
  const bool givesInterval = recipe.has("interval");
  const size_t interval =
      givesInterval
          ? recipe.choice("interval", "interval", intervals).value_or(0)
          : 0;
  ScheduleInterface schedule = entry->read(recipe, warmup);
  if (schedule && isa<PlateauScheduleAttr>(schedule) && givesInterval &&
      interval == 0)
    recipe.error() << "'interval' is 'step', but metrics are those of epochs";
  if (failed(recipe.finish()) || !schedule)
    return {};
  if (warmup > 0)
    schedule = WarmupAttr::get(recipe.getContext(), warmup, start, schedule);
  // These do not count, or count epochs anyway.
  if (interval == 0 || isa<ConstantScheduleAttr, PlateauScheduleAttr>(schedule))
    return schedule;
  return EachEpochAttr::get(recipe.getContext(), schedule);
}
