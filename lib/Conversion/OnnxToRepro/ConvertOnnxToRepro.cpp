// One forward walk over the nodes: each is looked up in the table and its
// results are replaced. All nodes that cannot be converted are reported at
// once. Types do not change, so no type converter is needed, and a node after a
// failed one can still be tried.

#include "Support/OperatorTable.h"

#include "gensyn/Conversion/OnnxToRepro/Passes.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace gensyn {
#define GEN_PASS_DEF_CONVERTONNXTOREPROPASS
#include "gensyn/Conversion/OnnxToRepro/Passes.h.inc"

namespace {
using namespace onnx_to_repro;

/// The reason why a type is not in the closed set; empty if it is.
std::string whyNotRepro(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string text = onnx::describeType(type);
  if (isa<onnx::UnknownType>(type))
    return "the type is not known";
  if (isa<UnrankedTensorType>(type))
    return "the shape of " + text + " is not known";
  if (!tensor)
    return "type " + text + " is not a tensor";
  if (!repro::getElementType(tensor.getElementType()))
    return "elements of type " + text + " are not supported";
  if (!tensor.hasStaticShape())
    return "dimensions of " + text + " are not known";
  return "";
}

/// The reason why an operator, or only this version of it, is unsupported.
std::string whyUnsupported(onnx::NodeOp node) {
  if (!node.domain().empty())
    return "the operator is not supported";
  const auto &known = OperatorTable::get().entries();
  auto entry = known.find(node.opType().str());
  if (StringRef reason = whyOutOfReach(node.opType()); !reason.empty())
    return "the operator is out of reach: " + reason.str();
  if (entry == known.end())
    return "the operator is not supported";
  std::string text = "version " + std::to_string(node.since()) +
                     " of the operator is not supported, only";
  for (const auto &[version, lowering] : entry->second)
    text += " " + std::to_string(version);
  return text;
}

/// True if the size of the result depends on data.
bool hasSizeOfData(onnx::NodeOp node) {
  return node.domain().empty() &&
         llvm::is_contained(
             {"Compress", "NonMaxSuppression", "NonZero", "Unique"},
             node.opType());
}

/// Explains how such a size can be fixed: the user can only give a size that
/// has a name.
std::string whyOfDataSize(Type type) {
  std::string text = "the size of " + onnx::describeType(type) +
                     " depends on data; the model has to declare it";
  auto tensor = dyn_cast<RankedTensorType>(type);
  for (unsigned dim = 0; tensor && dim < tensor.getRank(); ++dim)
    if (StringRef name = onnx::dimensionName(tensor, dim); !name.empty())
      return text + ", or --dim " + name.str() + "=N to give it";
  return text;
}

/// Converts the body of one function.
class FunctionConverter {
public:
  explicit FunctionConverter(func::FuncOp function)
      : function(function), builder(function.getContext()) {}

  LogicalResult run();

private:
  void eraseUnused(Block &block);
  LogicalResult convertRegions(Operation *op);
  LogicalResult checkArguments();
  LogicalResult convert(Operation *op);
  LogicalResult convertNode(onnx::NodeOp node);
  LogicalResult checkNode(onnx::NodeOp node);
  LogicalResult replaceResults(NodeBuilder &b, Values &values);
  void renameAttributes();
  Attribute convertData(Attribute data);

  func::FuncOp function;
  OpBuilder builder;
};
} // namespace

LogicalResult FunctionConverter::run() {
  eraseUnused(function.front());
  // Otherwise every node would report unknown dimensions of the inputs again.
  if (failed(checkArguments()))
    return failure();
  bool hasFailed = false;
  for (Operation &op : llvm::make_early_inc_range(function.front()))
    hasFailed |= failed(convert(&op));
  if (hasFailed)
    return failure();
  eraseUnused(function.front());
  // These are constants that the function returns, of types outside of the
  // closed set.
  for (Operation &op : function.front())
    if (isa_and_nonnull<onnx::OnnxDialect>(op.getDialect()))
      return op.emitOpError(whyNotRepro(op.getResult(0).getType()));
  renameAttributes();
  return success();
}

/// Erases unused ops. Shape computations are unused once shapes are static, and
/// their operators may have no conversion.
void FunctionConverter::eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>() &&
        isMemoryEffectFree(&op))
      op.erase();
}

LogicalResult FunctionConverter::checkArguments() {
  bool failed = false;
  for (BlockArgument argument : function.getArguments()) {
    if (argument.use_empty())
      continue;
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      onnx::names::name);
    std::string why = whyNotRepro(argument.getType());
    if (why.empty())
      continue;
    function.emitError() << "input '" << (name ? name.getValue() : "")
                         << "': " << why;
    failed = true;
  }
  return mlir::failure(failed);
}

/// Converts the nodes of subgraphs before the node that contains them.
LogicalResult FunctionConverter::convertRegions(Operation *op) {
  bool hasFailed = false;
  for (Region &region : op->getRegions()) {
    eraseUnused(region.front());
    for (Operation &inner : llvm::make_early_inc_range(region.front()))
      hasFailed |= failed(convert(&inner));
  }
  return failure(hasFailed);
}

LogicalResult FunctionConverter::convert(Operation *op) {
  if (auto node = dyn_cast<onnx::NodeOp>(op))
    return convertNode(node);
  if (auto constant = dyn_cast<onnx::ConstantOp>(op)) {
    if (!whyNotRepro(constant.getType()).empty())
      return success(); // its users report the type
    builder.setInsertionPoint(op);
    Value value = repro::ConstantOp::create(
        builder, op->getLoc(), constant.getType(),
        cast<TypedAttr>(Attribute(constant.getValue())));
    constant.getResult().replaceAllUsesWith(value);
    op->erase();
    return success();
  }
  if (auto custom = dyn_cast<onnx::CustomOp>(op))
    return op->emitError() << "operator '" << custom.getOpType()
                           << "' of domain '" << custom.getDomain()
                           << "' has no schema and no meaning";
  return success();
}

LogicalResult FunctionConverter::checkNode(onnx::NodeOp node) {
  auto refuse = [&](const Twine &why) { return node->emitOpError(why); };
  for (OpResult result : node->getResults()) {
    Type type = result.getType();
    if (isa<NoneType, onnx::SeqType>(type) || whyNotRepro(type).empty() ||
        (result.getResultNumber() > 0 && result.use_empty()))
      continue;
    if (hasSizeOfData(node))
      return refuse(whyOfDataSize(type));
    auto tensor = dyn_cast<ShapedType>(type);
    const bool isKnown =
        tensor ? tensor.hasStaticShape() : !isa<onnx::UnknownType>(type);
    return refuse("result: " + whyNotRepro(type) +
                  (isKnown ? "" : "; the model can declare it"));
  }
  for (Type type : node->getOperandTypes())
    if (!isa<NoneType, onnx::SeqType>(type) && !whyNotRepro(type).empty())
      return refuse("operand: " + whyNotRepro(type));
  return success();
}

LogicalResult FunctionConverter::convertNode(onnx::NodeOp node) {
  const Lowering *lowering =
      OperatorTable::get().find(node.domain(), node.opType(), node.since());
  if (!lowering)
    return node->emitOpError(whyUnsupported(node));
  if (failed(convertRegions(node)))
    return failure();
  builder.setInsertionPoint(node);
  NodeBuilder b(node, builder);
  if (failed(checkNode(node)))
    return failure();
  try {
    Values values;
    if (lowering->one)
      values.push_back(lowering->one(b));
    else
      values = lowering->many(b);
    return replaceResults(b, values);
  } catch (const ShapeError &error) {
    b.refuse(error.what()); // keeps an earlier refusal
    return b.emitRefusal();
  }
}

LogicalResult FunctionConverter::replaceResults(NodeBuilder &b,
                                                Values &values) {
  onnx::NodeOp node = b.node;
  values.resize(std::max<size_t>(values.size(), node->getNumResults()));
  for (auto [i, result] : llvm::enumerate(node->getResults())) {
    if (result.use_empty())
      continue;
    if (b.refusal().empty() && !values[i])
      b.refuse("result " + Twine(i) + " is not supported");
    if (!b.refusal().empty())
      break;
    // This is the only place that rounds to narrow floats.
    values[i] = b.convert(values[i], b.resultType(i).getElementType());
    if (values[i].getType() != result.getType())
      return node->emitOpError("is converted to ")
             << onnx::describeType(values[i].getType()) << " but was inferred "
             << onnx::describeType(result.getType());
  }
  if (!b.refusal().empty())
    return b.emitRefusal();
  for (auto [result, value] : llvm::zip(node->getResults(), values))
    if (value)
      result.replaceAllUsesWith(value);
  node->erase();
  return success();
}

Attribute FunctionConverter::convertData(Attribute data) {
  NamedAttrList place;
  if (auto symbol = dyn_cast<onnx::SymbolicAttr>(data)) {
    place.set("symbol", builder.getStringAttr(symbol.getName()));
    place.set("seed", builder.getI64IntegerAttr(int64_t(symbol.getSeed())));
    place.set("center", builder.getI64IntegerAttr(symbol.getCenter()));
    place.set("exponent", builder.getI64IntegerAttr(symbol.getExponent()));
    return place.getDictionary(function.getContext());
  }
  auto external = dyn_cast<onnx::ExternalAttr>(data);
  if (!external)
    return data;
  place.set("file", builder.getStringAttr(external.getFile()));
  place.set("offset", builder.getI64IntegerAttr(external.getOffset()));
  place.set("length", builder.getI64IntegerAttr(external.getLength()));
  place.set("hash", builder.getStringAttr(external.getHash()));
  return place.getDictionary(function.getContext());
}

void FunctionConverter::renameAttributes() {
  auto renamed = [&](DictionaryAttr old) {
    NamedAttrList attributes;
    for (NamedAttribute attribute : old ? old : builder.getDictionaryAttr({})) {
      if (attribute.getName() == onnx::names::name)
        attributes.set(program::kNameAttr, attribute.getValue());
      else if (attribute.getName() == onnx::names::data)
        attributes.set(program::kInitialAttr,
                       convertData(attribute.getValue()));
      else
        attributes.set(attribute.getName(), attribute.getValue());
    }
    return attributes.getDictionary(function.getContext());
  };
  // All at once: erasing one at a time would copy the list each time.
  SmallVector<DictionaryAttr> arguments, results;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    arguments.push_back(renamed(function.getArgAttrDict(i)));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    results.push_back(renamed(function.getResultAttrDict(i)));
  function.setAllArgAttrs(arguments);
  function.setAllResultAttrs(results);
}

namespace {
struct ConvertOnnxToRepro final
    : impl::ConvertOnnxToReproPassBase<ConvertOnnxToRepro> {
  using ConvertOnnxToReproPassBase::ConvertOnnxToReproPassBase;
  void runOnOperation() override;
};
} // namespace

void ConvertOnnxToRepro::runOnOperation() {
  ModuleOp module = getOperation();
  bool failed = false;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      failed |= mlir::failed(FunctionConverter(function).run());
  if (failed)
    return signalPassFailure();
  for (NamedAttribute attribute :
       llvm::to_vector(module->getDiscardableAttrs()))
    if (attribute.getName().getValue().starts_with("onnx."))
      module->removeDiscardableAttr(attribute.getName());
}
} // namespace gensyn
