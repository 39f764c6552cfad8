// The losses and optimizers of recipes: adding one adds an entry here.

#include "gensyn/Dialect/Train/IR/Registry.h"

#include "FormulaBuilder.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

static Reduction readReduction(RecipeObject &recipe) {
  std::string text = recipe.text("reduction", "mean");
  auto reduction = symbolizeReduction(text);
  if (!reduction && !recipe.failed())
    recipe.error() << "unknown reduction '" << text << "'";
  return reduction.value_or(Reduction::Mean);
}

static RankedTensorType lossType(Value prediction) {
  return RankedTensorType::get(
      {}, FormulaBuilder::typeOf(prediction).getElementType());
}

static int64_t readAxis(RecipeObject &recipe) {
  return recipe.integer("axis").value_or(-1);
}

static FailureOr<RankedTensorType> classTarget(RecipeObject &recipe,
                                               RankedTensorType prediction) {
  int64_t axis = readAxis(recipe), rank = prediction.getRank();
  if (axis < -rank || axis >= rank) {
    recipe.error() << "axis " << axis << " is out of range for rank " << rank;
    return failure();
  }
  SmallVector<int64_t> shape(prediction.getShape());
  shape.erase(shape.begin() + (axis < 0 ? axis + rank : axis));
  return RankedTensorType::get(shape,
                               IntegerType::get(recipe.getContext(), 64));
}

static FailureOr<RankedTensorType> sameTarget(RecipeObject &,
                                              RankedTensorType prediction) {
  return prediction;
}

static FailureOr<RankedTensorType> noTarget(RecipeObject &, RankedTensorType) {
  return RankedTensorType();
}

static Value buildSoftmaxCrossEntropy(OpBuilder &builder, Location location,
                                      RecipeObject &recipe, Value prediction,
                                      Value target) {
  auto index = recipe.integer("ignore_index");
  double smoothing = recipe.number("label_smoothing", 0.0);
  if (!(smoothing >= 0.0 && smoothing <= 1.0))
    recipe.error() << "'label_smoothing' is not between 0 and 1";
  return SoftmaxCrossEntropyOp::create(
      builder, location, lossType(prediction), prediction, target,
      readReduction(recipe), readAxis(recipe),
      index ? builder.getI64IntegerAttr(*index) : IntegerAttr(),
      APFloat(smoothing));
}

template <class Op>
static Value buildElementLoss(OpBuilder &builder, Location location,
                              RecipeObject &recipe, Value prediction,
                              Value target) {
  return Op::create(builder, location, lossType(prediction), prediction, target,
                    readReduction(recipe));
}

static Value buildHuber(OpBuilder &builder, Location location,
                        RecipeObject &recipe, Value prediction, Value target) {
  double delta = recipe.number("delta", 1.0);
  if (!(delta > 0.0))
    recipe.error() << "'delta' is not above 0";
  return HuberOp::create(builder, location, lossType(prediction), prediction,
                         target, readReduction(recipe), APFloat(delta));
}

// The graph computes the loss: it only has to be one number.
static Value takeOutput(OpBuilder &builder, Location location,
                        RecipeObject &recipe, Value output, Value) {
  if (FormulaBuilder::typeOf(output).getNumElements() != 1) {
    recipe.error() << "the output is not a scalar but " << output.getType();
    return nullptr;
  }
  return repro::createReshape(builder, location, output, {});
}

static constexpr LossKind lossKinds[] = {
    {"softmax_cross_entropy", "logits", classTarget, buildSoftmaxCrossEntropy},
    {"mse", "prediction", sameTarget, buildElementLoss<MseOp>},
    {"l1", "prediction", sameTarget, buildElementLoss<L1Op>},
    {"huber", "prediction", sameTarget, buildHuber},
    {"bce_with_logits", "logits", sameTarget,
     buildElementLoss<BceWithLogitsOp>},
    {"graph_output", "output", noTarget, takeOutput},
};

using ReadRule = OptimizerRuleInterface (*)(RecipeObject &);

static OptimizerRuleInterface readSgd(RecipeObject &recipe) {
  return SgdAttr::getChecked(
      [&] { return recipe.error(); }, recipe.getContext(),
      recipe.numberAttr("momentum", 0.0), recipe.numberAttr("dampening", 0.0),
      recipe.numberAttr("weight_decay", 0.0),
      recipe.flagAttr("nesterov", false));
}

template <class Rule>
static OptimizerRuleInterface readAdam(RecipeObject &recipe) {
  constexpr double decay = std::is_same_v<Rule, AdamWAttr> ? 1e-2 : 0.0;
  auto [beta1, beta2] = recipe.pair("betas", {0.9, 0.999});
  Builder builder(recipe.getContext());
  return Rule::getChecked(
      [&] { return recipe.error(); }, recipe.getContext(),
      builder.getF64FloatAttr(beta1), builder.getF64FloatAttr(beta2),
      recipe.numberAttr("eps", 1e-8), recipe.numberAttr("weight_decay", decay),
      recipe.flagAttr("amsgrad", false));
}

static OptimizerRuleInterface readAdagrad(RecipeObject &recipe) {
  return AdagradAttr::getChecked(
      [&] { return recipe.error(); }, recipe.getContext(),
      recipe.numberAttr("lr_decay", 0.0),
      recipe.numberAttr("weight_decay", 0.0),
      recipe.numberAttr("initial_accumulator_value", 0.0),
      recipe.numberAttr("eps", 1e-10));
}

static OptimizerRuleInterface readRmsProp(RecipeObject &recipe) {
  return RmsPropAttr::getChecked(
      [&] { return recipe.error(); }, recipe.getContext(),
      recipe.numberAttr("alpha", 0.99), recipe.numberAttr("eps", 1e-8),
      recipe.numberAttr("weight_decay", 0.0),
      recipe.numberAttr("momentum", 0.0), recipe.flagAttr("centered", false));
}

static constexpr struct {
  llvm::StringLiteral name;
  /// The step size unless the recipe says one.
  double lr;
  ReadRule read;
} optimizers[] = {
    {"SGD", 1e-3, readSgd},
    {"Adam", 1e-3, readAdam<AdamAttr>},
    {"AdamW", 1e-3, readAdam<AdamWAttr>},
    {"RMSprop", 1e-2, readRmsProp},
    {"Adagrad", 1e-2, readAdagrad},
};

/// The entry that the recipe's `kind` names, or null after an error.
template <class Table>
static auto *findKind(RecipeObject &recipe, const Table &table) {
  std::string kind = recipe.text("kind", "");
  const auto *entry = llvm::find_if(
      table, [&](const auto &known) { return known.name == kind; });
  if (entry != std::end(table))
    return entry;
  if (!recipe.failed()) {
    InFlightDiagnostic error = recipe.error();
    error << "unknown kind '" << kind << "', known are ";
    llvm::interleaveComma(table, error,
                          [&](const auto &known) { error << known.name; });
  }
  return static_cast<decltype(entry)>(nullptr);
}

const LossKind *train::findLossKind(RecipeObject &recipe) {
  return findKind(recipe, lossKinds);
}

FailureOr<OptimizerChoice> train::readOptimizer(RecipeObject &recipe) {
  const auto *entry = findKind(recipe, optimizers);
  if (!entry)
    return failure();
  OptimizerChoice choice;
  choice.lr = recipe.number("lr", entry->lr);
  if (!(choice.lr >= 0.0 && std::isfinite(choice.lr)))
    recipe.error() << "lr " << choice.lr << " is below 0";
  choice.rule = entry->read(recipe);
  if (failed(recipe.finish()) || !choice.rule)
    return failure();
  return choice;
}
