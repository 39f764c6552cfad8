// See Sequences.h.

#include "Sequences.h"

#include "CarriedTypes.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace gensyn::onnx {
namespace {

using Values = SmallVector<Value>;

/// The limit on nodes when a loop is unrolled.
constexpr int64_t mostUnrolled = int64_t{1} << 16;

/// A node of the module's operator set, but of at least version 13: from there
/// on Split, Unsqueeze and Squeeze have sizes and axes as operands.
Operation *createNode(OpBuilder &b, Operation *near, StringRef type,
                      ValueRange operands, TypeRange types,
                      std::optional<int64_t> axis = std::nullopt) {
  auto module = near->getParentOfType<ModuleOp>();
  auto opsets = module ? module->getAttrOfType<DictionaryAttr>(names::opsets)
                       : DictionaryAttr();
  auto opset = opsets ? opsets.getAs<IntegerAttr>("ai.onnx") : IntegerAttr();
  const ::onnx::OpSchema *schema = ::onnx::OpSchemaRegistry::Schema(
      type.str(),
      static_cast<int>(std::max<int64_t>(13, opset ? opset.getInt() : 13)), "");
  OperationState state(near->getLoc(), OnnxDialect::opName(*schema));
  state.addOperands(operands);
  state.addTypes(types);
  if (axis)
    state.addAttribute("axis", b.getI64IntegerAttr(*axis));
  return b.create(state);
}

Value createIntegers(OpBuilder &b, Location loc, ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    b.getI64Type());
  return ConstantOp::create(b, loc, DenseElementsAttr::get(type, values));
}

/// An index into a sequence: `position`, which counts from the end if negative,
/// or `otherwise` if it is absent; nothing if it is unknown or not below `end`.
std::optional<size_t> placeOf(Value position,
                              function_ref<ElementsAttr(Value)> constantOf,
                              int64_t count, int64_t end, int64_t otherwise) {
  int64_t place = otherwise;
  if (position) {
    ElementsAttr known = constantOf(position);
    std::optional<SmallVector<int64_t>> numbers =
        known ? integersOf(known) : std::nullopt;
    if (!numbers || numbers->size() != 1)
      return std::nullopt;
    place = numbers->front() + (numbers->front() < 0 ? count : 0);
  }
  if (place < 0 || place >= end)
    return std::nullopt;
  return static_cast<size_t>(place);
}

/// The elements of a known sequence.
std::optional<Values> elementsOf(Value sequence) {
  auto node = dyn_cast_or_null<NodeOp>(sequence.getDefiningOp());
  if (!node || !node.domain().empty())
    return std::nullopt;
  if (node.opType() == "SequenceConstruct" || node.opType() == "SequenceEmpty")
    return Values(node->getOperands());
  return std::nullopt;
}
} // namespace

std::optional<SmallVector<int64_t>> partsOf(NodeOp node) {
  auto input = dyn_cast<RankedTensorType>(node.input("input").getType());
  int64_t axis = node.integer("axis").value_or(0);
  if (input)
    axis += axis < 0 ? input.getRank() : 0;
  if (!input || axis < 0 || axis >= input.getRank() || input.isDynamicDim(axis))
    return std::nullopt;
  const int64_t size = input.getDimSize(axis);
  if (!node.input("split"))
    return size <= mostParts ? std::optional(SmallVector<int64_t>(size, 1))
                             : std::nullopt;
  auto split = node.constantIntegers("split");
  auto type = dyn_cast<RankedTensorType>(node.input("split").getType());
  if (!split || split->empty() || !type)
    return std::nullopt;
  if (type.getRank() != 0)
    return split;
  if (split->front() <= 0 || size / split->front() >= mostParts)
    return std::nullopt;
  SmallVector<int64_t> parts;
  for (int64_t left = size; left > 0; left -= split->front())
    parts.push_back(std::min(left, split->front()));
  return parts;
}

Operation *createSplit(OpBuilder &b, NodeOp node, ArrayRef<int64_t> parts) {
  auto input = cast<RankedTensorType>(node.input("input").getType());
  int64_t axis = node.integer("axis").value_or(0);
  axis += axis < 0 ? input.getRank() : 0;
  SmallVector<Type> types;
  for (int64_t part : parts) {
    SmallVector<int64_t> shape(input.getShape());
    shape[axis] = part;
    types.push_back(RankedTensorType::get(shape, input.getElementType()));
  }
  Value sizes = createIntegers(b, node->getLoc(), parts);
  return createNode(b, node, "Split", {node.input("input"), sizes}, types,
                    axis);
}

namespace {
/// The rewrite of one node.
class Resolution {
public:
  Resolution(NodeOp node, function_ref<ElementsAttr(Value)> constantOf,
             MadeNodes &made)
      : node(node), constantOf(constantOf), made(made), b(node) {}

  /// The replacement of the node's result, or null.
  Value getReplacement() {
    StringRef type = node.opType();
    if (type == "SplitToSequence")
      return split();
    auto known = node->getNumOperands() > 0 ? elementsOf(node->getOperand(0))
                                            : std::nullopt;
    if (!known)
      return {};
    list = *known;
    count = static_cast<int64_t>(list.size());
    if (type == "Identity")
      return node->getOperand(0);
    if (type == "SequenceInsert")
      return insert();
    if (type == "SequenceErase")
      return erase();
    if (type == "SequenceAt")
      return at();
    if (type == "SequenceLength")
      return ConstantOp::create(
          b, node->getLoc(),
          DenseElementsAttr::get(RankedTensorType::get({}, b.getI64Type()),
                                 count));
    return type == "ConcatFromSequence" ? concat() : Value();
  }

private:
  Value make(StringRef type, ValueRange operands,
             std::optional<int64_t> axis = std::nullopt) {
    made.push_back(createNode(b, node, type, operands,
                              UnknownType::get(b.getContext()), axis));
    return made.back()->getResult(0);
  }

  Value makeSequence() {
    return list.empty() ? make("SequenceEmpty", {})
                        : make("SequenceConstruct", list);
  }

  Value split() {
    auto parts = partsOf(node);
    if (!parts || parts->empty())
      return {};
    Operation *pieces = createSplit(b, node, *parts);
    made.push_back(pieces);
    list = Values(pieces->getResults());
    if (!node.input("split") && node.integer("keepdims").value_or(1) == 0) {
      const auto axis = pieces->getAttrOfType<IntegerAttr>("axis").getInt();
      Value axes = createIntegers(b, node->getLoc(), axis);
      for (Value &piece : list)
        piece = make("Squeeze", {piece, axes});
    }
    return makeSequence();
  }

  Value insert() {
    auto place =
        placeOf(node.input("position"), constantOf, count, count + 1, count);
    if (!place)
      return {};
    Value tensor = node.input("tensor");
    if (static_cast<int64_t>(*place) == count && grow(tensor))
      return node->getOperand(0);
    list.insert(list.begin() + *place, tensor);
    return makeSequence();
  }

  /// Appends the tensor to the sequence itself if nothing else reads it, so
  /// that a growing list takes linear time and memory. False if a new sequence
  /// is needed.
  bool grow(Value tensor) {
    Operation *sequence = node->getOperand(0).getDefiningOp();
    if (list.empty() || list.front().getType() != tensor.getType() ||
        isa<UnknownType>(tensor.getType()) || !sequence->hasOneUse() ||
        sequence->getBlock() != node->getBlock())
      return false;
    sequence->moveBefore(node);
    sequence->insertOperands(sequence->getNumOperands(), tensor);
    return true;
  }

  Value erase() {
    auto place =
        placeOf(node.input("position"), constantOf, count, count, count - 1);
    if (!place)
      return {};
    list.erase(list.begin() + *place);
    return makeSequence();
  }

  Value at() {
    auto place =
        placeOf(node.input("position"), constantOf, count, count, count);
    return place ? list[*place] : Value();
  }

  Value concat() {
    auto axis = node.integer("axis");
    if (list.empty() || !axis)
      return {};
    if (node.integer("new_axis").value_or(0) != 0) {
      Value axes = createIntegers(b, node->getLoc(), *axis);
      for (Value &part : list)
        part = make("Unsqueeze", {part, axes});
    }
    return make("Concat", list, axis);
  }

  NodeOp node;
  function_ref<ElementsAttr(Value)> constantOf;
  MadeNodes &made;
  OpBuilder b;
  Values list;
  int64_t count = 0;
};
} // namespace

bool resolveSequence(NodeOp node, function_ref<ElementsAttr(Value)> constantOf,
                     MadeNodes &made) {
  if (!node.domain().empty() || node->getNumResults() != 1)
    return false;
  Value value = Resolution(node, constantOf, made).getReplacement();
  if (!value)
    return false;
  node->getResult(0).replaceAllUsesWith(value);
  return true;
}

bool unrollOverSequences(NodeOp loop, const LoopTrips &trips,
                         function_ref<LogicalResult(Operation *)> visit,
                         LogicalResult &result) {
  Block &body = regionOf(loop, "body").front();
  auto isKnown = [](Value value) { return elementsOf(value).has_value(); };
  bool reads = llvm::any_of(loop->getOperands(), isKnown);
  body.walk([&](Operation *op) {
    // Sequences that the body builds itself are known in each iteration.
    for (Value operand : op->getOperands())
      reads |= operand.getParentBlock() != &body && isKnown(operand);
  });
  const auto nodes = static_cast<int64_t>(body.getOperations().size());
  const unsigned states = body.getNumArguments() - 2;
  const unsigned rows = body.getTerminator()->getNumOperands() - 1 - states;
  // No iteration determines the type of an empty output.
  if (!reads || !trips.isExact || trips.atMost > mostUnrolled / nodes ||
      (trips.atMost == 0 && rows > 0))
    return false;
  OpBuilder b(loop);
  Values carried(loop->getOperands().drop_front(2));
  SmallVector<Values> outputs(rows);
  auto scalar = [&](Type element, auto value) -> Value {
    return ConstantOp::create(
        b, loop->getLoc(),
        DenseElementsAttr::get(RankedTensorType::get({}, element), value));
  };
  for (int64_t i = 0; i < trips.atMost; ++i) {
    IRMapping mapping;
    mapping.map(body.getArgument(0), scalar(b.getI64Type(), i));
    mapping.map(body.getArgument(1), scalar(b.getI1Type(), true));
    for (unsigned k = 0; k < states; ++k)
      mapping.map(body.getArgument(2 + k), carried[k]);
    // Includes the terminator, which holds the results of nodes while they are
    // replaced.
    SmallVector<Operation *> clones;
    for (Operation &op : body)
      clones.push_back(b.clone(op, mapping));
    Operation *yield = clones.pop_back_val();
    for (Operation *clone : clones)
      if (succeeded(result) && isa<NodeOp>(clone))
        result = visit(clone);
    for (unsigned k = 0; k < states; ++k)
      carried[k] = yield->getOperand(1 + k);
    for (unsigned k = 0; k < rows; ++k)
      outputs[k].push_back(yield->getOperand(1 + states + k));
    yield->erase();
    if (failed(result))
      return true;
  }
  Value axes = createIntegers(b, loop->getLoc(), 0);
  auto make = [&](StringRef type, ValueRange operands,
                  std::optional<int64_t> axis = std::nullopt) -> Value {
    // An Identity holds the value while nodes are replaced.
    Operation *node = createNode(b, loop, type, operands,
                                 UnknownType::get(b.getContext()), axis);
    Operation *holder = createNode(b, loop, "Identity", node->getResult(0),
                                   UnknownType::get(b.getContext()));
    if (succeeded(result))
      result = visit(node);
    Value value = holder->getOperand(0);
    holder->erase();
    return value;
  };
  for (unsigned k = 0; k < loop->getNumResults(); ++k) {
    if (loop->getResult(k).use_empty())
      continue;
    Value value = k < states ? carried[k] : Value();
    if (!value) {
      Values parts;
      for (Value row : outputs[k - states])
        parts.push_back(make("Unsqueeze", {row, axes}));
      value = make("Concat", parts, 0);
    }
    loop->getResult(k).replaceAllUsesWith(value);
  }
  return true;
}

} // namespace gensyn::onnx
