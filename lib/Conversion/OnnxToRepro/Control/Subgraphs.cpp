// Converts If, Loop and Scan. The nodes of their subgraphs are converted first;
// captured values become arguments.

#include "../Support/LoopBuilder.h"
#include "../Support/OperatorTable.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

namespace {

/// The region of the node's attribute `name`.
Region &regionOf(NodeBuilder &b, StringRef name) {
  auto names = gensyn::onnx::graphAttributes(b.node.schema());
  for (auto [region, attribute] : llvm::zip_equal(b.node->getRegions(), names))
    if (attribute == name)
      return region;
  llvm_unreachable("the schema has no such subgraph");
}

/// Collects captured values of the region's ops, in program order. (For ops
/// with regions, only their own operands are visited.)
void addCaptured(Region &region, llvm::SetVector<Value> &captured) {
  for (Operation &op : region.front())
    for (Value operand : op.getOperands())
      if (operand.getParentRegion() != &region)
        captured.insert(operand);
}

void replaceInside(Region &region, Value from, Value to) {
  from.replaceUsesWithIf(to, [&](OpOperand &use) {
    return use.getOwner()->getParentRegion() == &region;
  });
}

/// The inferred types, in words, if they are not equal.
std::string whyDifferent(TypeRange found, TypeRange expected) {
  for (auto [number, pair] : llvm::enumerate(llvm::zip(found, expected)))
    if (std::get<0>(pair) != std::get<1>(pair))
      return "value " + std::to_string(number) + " is " +
             gensyn::onnx::describeType(std::get<0>(pair)) + ", expected " +
             gensyn::onnx::describeType(std::get<1>(pair));
  return "";
}

Value flagOf(NodeBuilder &b, Value value) { return b.reshape(value, {}); }

/// True if the flag is known to be true.
bool alwaysHolds(NodeBuilder &b, Value flag) {
  if (!flag)
    return true;
  std::optional<double> known = b.constantScalar(flag);
  return known && *known != 0;
}

Values convertIf(NodeBuilder &b) {
  Region *regions[] = {&regionOf(b, "then_branch"),
                       &regionOf(b, "else_branch")};
  llvm::SetVector<Value> captured;
  for (Region *region : regions) {
    std::string why =
        whyDifferent(region->front().getTerminator()->getOperandTypes(),
                     b.node->getResultTypes());
    if (!why.empty())
      return b.refuse("the branches give different types: " + why), Values();
    addCaptured(*region, captured);
  }
  auto branch = repro::IfOp::create(
      b.builder, b.location, b.node->getResultTypes(),
      flagOf(b, b.node->getOperand(0)), captured.getArrayRef());
  for (auto [from, to] : llvm::zip_equal(regions, branch->getRegions())) {
    to.takeBody(*from);
    for (Value value : captured)
      replaceInside(to, value,
                    to.front().addArgument(value.getType(), value.getLoc()));
    Operation *yield = to.front().getTerminator();
    OpBuilder::InsertionGuard guard(b.builder);
    b.builder.setInsertionPoint(yield);
    repro::YieldOp::create(
        b.builder, b.location,
        yield->getOperands().take_front(b.node->getNumResults()));
    yield->erase();
  }
  return Values(branch.getResults());
}

/// Moves the ops of a subgraph into an opened loop, with `arguments` in place
/// of its own, and returns the yielded values.
Values inlineBody(NodeBuilder &b, Region &region, ArrayRef<Value> arguments,
                  const llvm::MapVector<Value, Value> &shared) {
  for (auto [value, inside] : shared)
    replaceInside(region, value, inside);
  Block &body = region.front();
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments))
    argument.replaceAllUsesWith(value);
  Operation *yield = body.getTerminator();
  Values yielded(yield->getOperands());
  yield->erase();
  Block *block = b.builder.getInsertionBlock();
  block->getOperations().splice(b.builder.getInsertionPoint(),
                                body.getOperations());
  b.builder.setInsertionPointToEnd(block);
  return yielded;
}

llvm::MapVector<Value, Value> shareCaptured(LoopBuilder &loop, Region &region) {
  llvm::SetVector<Value> captured;
  addCaptured(region, captured);
  llvm::MapVector<Value, Value> shared;
  for (Value value : captured)
    shared[value] = loop.share(value);
  return shared;
}

/// A buffer for `count` slices of a type.
Value bufferFor(NodeBuilder &b, int64_t count, Type part) {
  auto type = cast<RankedTensorType>(part);
  Extents shape = {count};
  llvm::append_range(shape, type.getShape());
  return b.fill(0, type.getElementType(), shape);
}

Values convertLoop(NodeBuilder &b) {
  Region &body = regionOf(b, "body");
  Block &block = body.front();
  const size_t states = block.getNumArguments() - 2;
  Operation *yield = block.getTerminator();
  Value condition = b.raw("cond");
  // The body runs only while the flag is true.
  const bool ends = !alwaysHolds(b, condition) ||
                    (yield->getOperand(0) != block.getArgument(1) &&
                     !alwaysHolds(b, yield->getOperand(0)));
  int64_t trips = std::numeric_limits<int64_t>::max();
  if (Value count = b.raw("M")) {
    auto known = b.constantIntegers(count);
    if (!known || known->size() != 1)
      return b.refuse("the number of iterations is not known"), Values();
    trips = std::max<int64_t>(known->front(), 0);
  } else if (!ends) {
    return b.refuse("it never ends"), Values();
  }
  std::string why =
      whyDifferent(yield->getOperands().slice(1, states).getTypes(),
                   b.node->getOperands().drop_front(2).getTypes());
  if (!why.empty())
    return b.refuse("an iteration changes the type of what it carries: " + why),
           Values();
  const size_t rows = yield->getNumOperands() - 1 - states;
  for (size_t k = 0; k < rows; ++k)
    if (ends && b.isWanted(static_cast<unsigned>(states + k)))
      return b.refuse("the size of output " + Twine(states + k) +
                      " depends on data"),
             Values();

  LoopBuilder loop(b, trips);
  auto shared = shareCaptured(loop, body);
  if (ends)
    loop.goOnWhile(condition ? flagOf(b, condition)
                             : b.fill(1, b.builder.getI1Type()));
  Values carried, buffers;
  for (Value init : b.node->getOperands().drop_front(2))
    carried.push_back(loop.carry(init));
  if (!ends)
    for (Value row : yield->getOperands().drop_front(1 + states))
      buffers.push_back(loop.carry(bufferFor(b, trips, row.getType())));
  loop.open();
  Values arguments = {
      b.reshape(loop.index(), shapeOf(block.getArgument(0))),
      b.fill(1, b.builder.getI1Type(), shapeOf(block.getArgument(1)))};
  llvm::append_range(arguments, carried);
  Values yielded = inlineBody(b, body, arguments, shared), next;
  if (ends)
    next.push_back(flagOf(b, yielded.front()));
  next.append(yielded.begin() + 1, yielded.begin() + 1 + states);
  for (size_t k = 0; k < buffers.size(); ++k)
    next.push_back(
        loop.write(buffers[k], loop.index(), yielded[1 + states + k]));
  return loop.close(next);
}

/// `value` with dimension `from` moved to `to`.
Value moveDimension(NodeBuilder &b, Value value, int64_t from, int64_t to) {
  Extents order = range(0, rankOf(value));
  order.eraseAt(from);
  order.insertAt(to, from);
  return b.transpose(value, order);
}

/// Scan from version 9 on, which has no batch.
Values convertScan(NodeBuilder &b) {
  Region &body = regionOf(b, "body");
  Operation *yield = body.front().getTerminator();
  const auto inputs = static_cast<size_t>(b.integer("num_scan_inputs"));
  const size_t states = b.node->getNumOperands() - inputs;
  const size_t rows = yield->getNumOperands() - states;
  auto listed = [&](StringRef name, size_t number) {
    Extents values = b.integers(name);
    return number < values.size() ? values[number] : 0;
  };
  std::string why =
      whyDifferent(yield->getOperands().take_front(states).getTypes(),
                   b.node->getOperands().take_front(states).getTypes());
  if (!why.empty())
    return b.refuse("an iteration changes the type of what it carries: " + why),
           Values();
  Values scanned;
  for (size_t k = 0; k < inputs; ++k) {
    Value value = b.node->getOperand(static_cast<unsigned>(states + k));
    const int64_t axis =
        NodeBuilder::normalized(listed("scan_input_axes", k), rankOf(value));
    if (!b.checkDimensions(axis, rankOf(value)))
      return {};
    scanned.push_back(moveDimension(b, value, axis, 0));
  }
  const int64_t trips = shapeOf(scanned.front())[0];
  for (Value value : scanned)
    if (shapeOf(value)[0] != trips)
      return b.refuse("inputs have " + Twine(trips) + " and " +
                      Twine(shapeOf(value)[0]) + " parts"),
             Values();

  LoopBuilder loop(b, trips);
  auto shared = shareCaptured(loop, body);
  Values carried, buffers, parts;
  for (Value &value : scanned)
    value = loop.share(value);
  for (Value init : b.node->getOperands().take_front(states))
    carried.push_back(loop.carry(init));
  for (Value row : yield->getOperands().drop_front(states))
    buffers.push_back(loop.carry(bufferFor(b, trips, row.getType())));
  loop.open();
  Value backwards =
      b.sub(b.fill(static_cast<double>(trips - 1), loop.index()), loop.index());
  auto place = [&](StringRef directions, size_t k) {
    return listed(directions, k) ? backwards : loop.index();
  };
  Values arguments(carried);
  for (size_t k = 0; k < inputs; ++k)
    arguments.push_back(
        loop.read(scanned[k], place("scan_input_directions", k)));
  Values next = inlineBody(b, body, arguments, shared);
  for (size_t k = 0; k < rows; ++k)
    next[states + k] = loop.write(
        buffers[k], place("scan_output_directions", k), next[states + k]);
  Values results = loop.close(next);
  for (size_t k = 0; k < rows; ++k) {
    Value &value = results[states + k];
    const int64_t axis =
        NodeBuilder::normalized(listed("scan_output_axes", k), rankOf(value));
    if (!b.checkDimensions(axis, rankOf(value)))
      return {};
    value = moveDimension(b, value, 0, axis);
  }
  return results;
}

} // namespace

void onnx_to_repro::addSubgraphs(OperatorTable &table) {
  table.addMany("If", {11, 13, 16, 19, 21, 23, 24, 25}, convertIf);
  table.addMany("Loop", {11, 13, 16, 19, 21, 23, 24, 25}, convertLoop);
  table.addMany("Scan", {9, 11, 16, 19, 21, 23, 24, 25}, convertScan);
}
