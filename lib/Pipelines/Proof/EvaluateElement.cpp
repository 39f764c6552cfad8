// "evaluate": one element of a result of an op, by the meaning of the op alone.

#include "../Compiler.h"
#include "../FrozenModule.h"
#include "../Report.h"
#include "gensyn/Dialect/Repro/IR/Iterations.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Dialect/Repro/Transforms/ProgramEntries.h"
#include "gensyn/Numerics/Sizes.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Proof/Trees/ListTree.h"
#include "gensyn/Reference/Interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace gensyn {
namespace {

/// What is computed: a piece of the op, or all of it.
struct Part {
  /// The op has no pieces, or not such ones.
  bool isWhole = false;
  repro::Tile piece;
  SmallVector<repro::Tile> tiles;
  /// The number of the element in the part's result, in row-major order.
  uint64_t element = 0;
};

} // namespace

/// Simplifies all maps, as encodings do: a text with other ones has the same
/// encoding, and must need the same tiles.
static void simplifyMaps(Operation *op) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](AffineMapAttr map) {
    return AffineMapAttr::get(simplifyAffineMap(map.getValue()));
  });
  replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/true);
}

/// The only op of the module beside the terminator. Fails, after an error, if
/// the module is not one that `entries` writes.
static FailureOr<Operation *> findOp(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  Block &body = main.getBody().front();
  if (!llvm::hasNItems(body, 2))
    return main.emitError("expected one op");
  Operation *op = &body.front();
  if (isa<repro::ConstantOp, repro::KernelOp>(op))
    return op->emitOpError("is not an op that has an entry");
  if (!llvm::equal(op->getOperands(), main.getArguments()) ||
      !llvm::equal(op->getResults(), body.back().getOperands()))
    return op->emitOpError("has other operands than the arguments of its "
                           "function, or other results");
  return op;
}

static Part findPart(Operation *op, unsigned result, uint64_t element) {
  Part part;
  ArrayRef<int64_t> shape = repro::shapeOf(op->getResult(result));
  if (!repro::isSplittable(op) || shape != repro::shapeOf(op->getResult(0))) {
    part.isWhole = true;
    for (Value operand : op->getOperands())
      part.tiles.push_back(llvm::map_to_vector(repro::shapeOf(operand),
                                               repro::IndexRange::whole));
    part.element = element;
    return part;
  }
  part.piece = repro::getWholePiece(op);
  const SmallVector<repro::Split> splits = repro::getSplits(op);
  uint64_t rest = element, size = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    const int64_t index = int64_t(rest % uint64_t(shape[d]));
    rest /= uint64_t(shape[d]);
    if (splits[d].kind == repro::Split::Kind::Free) {
      part.piece[d] = {index, 1};
      continue;
    }
    part.element += uint64_t(index) * size;
    size *= uint64_t(shape[d]);
  }
  part.tiles = repro::getOperandTiles(op, part.piece);
  return part;
}

/// A function that computes the part from its tiles; null, after an error, if
/// the op cannot be cut so.
static OwningOpRef<ModuleOp> buildPart(Operation *op, const Part &part) {
  OpBuilder builder(op->getContext());
  const Location location = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(location);
  builder.setInsertionPointToStart(module->getBody());
  SmallVector<Type> types;
  for (auto [operand, tile] : llvm::zip_equal(op->getOperands(), part.tiles))
    types.push_back(repro::typeOf(operand).clone(llvm::map_to_vector(
        tile, [](const repro::IndexRange &range) { return range.size; })));
  auto main = func::FuncOp::create(builder, location, "main",
                                   builder.getFunctionType(types, {}));
  Block *body = main.addEntryBlock();
  builder.setInsertionPointToStart(body);
  SmallVector<Value> results;
  if (part.isWhole) {
    Operation *copy = builder.clone(*op);
    copy->setOperands(body->getArguments());
    results.assign(copy->result_begin(), copy->result_end());
  } else {
    results = repro::buildPiece(builder, op, body->getArguments(), part.piece);
  }
  if (results.empty()) {
    op->emitOpError("has no result of its own for one element");
    return nullptr;
  }
  func::ReturnOp::create(builder, location, results);
  main.setFunctionType(
      builder.getFunctionType(types, ValueRange(results).getTypes()));
  return module;
}

static std::vector<repro::EntryOperand>
readOperands(const plan::EntryText &text) {
  std::vector<repro::EntryOperand> operands;
  for (const plan::EntryOperand &named : text.operands()) {
    repro::EntryOperand &operand = operands.emplace_back();
    operand.value = named.value();
    operand.isConstant = !named.constant().empty();
    if (named.constant().size() == operand.constant.size())
      llvm::copy(named.constant(), operand.constant.begin());
  }
  return operands;
}

static void writeTiles(Operation *op, const Part &part,
                       plan::EvaluateResponse &response) {
  for (auto [operand, ranges] :
       llvm::zip_equal(op->getOperands(), part.tiles)) {
    plan::EvaluateResponse::Tile &tile = *response.add_tiles();
    auto type = repro::typeOf(operand);
    tile.set_element_type(
        std::string(name(*repro::getElementType(type.getElementType()))));
    tile.mutable_shape()->Add(type.getShape().begin(), type.getShape().end());
    for (const repro::IndexRange &range : ranges) {
      plan::EvaluateResponse::Range &to = *tile.add_ranges();
      to.set_begin(range.begin);
      to.set_size(range.size);
      to.set_stride(range.stride);
    }
  }
}

/// The op's iterations, and with a variant the program of one.
static LogicalResult writeIterations(Operation *op,
                                     const plan::EvaluateRequest &request,
                                     plan::EvaluateResponse &response) {
  const std::optional<repro::Iterations> found = repro::getIterations(op);
  if (!found)
    return success();
  plan::OpIterations &to = *response.mutable_iterations();
  to.set_most(found->most);
  to.mutable_initial()->Add(found->initial.begin(), found->initial.end());
  if (found->flag)
    to.set_flag(*found->flag);
  if (found->choice)
    to.set_choice(*found->choice);
  to.mutable_results()->Add(found->results.begin(), found->results.end());
  for (const repro::Iterations::Argument &argument : found->arguments) {
    plan::OpIterations::Argument &named = *to.add_arguments();
    named.set_kind(plan::OpIterations::Argument::Kind(argument.kind));
    named.set_number(argument.number);
  }
  if (!request.has_variant())
    return success();
  FailureOr<repro::ProgramEntries> entries =
      repro::listProgramEntries(*repro::buildIteration(op, request.variant()));
  if (failed(entries))
    return failure();
  to.set_header(entries->header);
  const Digest root = proof::digestList("program", entries->list());
  to.set_root(root.data(), root.size());
  return success();
}

/// The tensors of the request for the arguments of `main`; nothing, after an
/// error, if their sizes are others.
static FailureOr<SmallVector<Tensor>>
readTiles(func::FuncOp main, const plan::EvaluateRequest &request) {
  if (request.tiles_size() != int(main.getNumArguments()))
    return main.emitError("has ") << main.getNumArguments() << " tiles, and "
                                  << request.tiles_size() << " are given";
  SmallVector<Tensor> tiles;
  for (auto [argument, bytes] :
       llvm::zip_equal(main.getArguments(), request.tiles())) {
    auto type = repro::typeOf(argument);
    const ElementType element = *repro::getElementType(type.getElementType());
    const std::vector<int64_t> shape(type.getShape());
    if (countBytes(element, shape) != int64_t(bytes.size()))
      return main.emitError("has a tile of another size");
    Tensor tensor(element, shape);
    std::copy_n(bytes.data(), bytes.size(),
                reinterpret_cast<char *>(tensor.data()));
    tiles.push_back(std::move(tensor));
  }
  return tiles;
}

static LogicalResult evaluate(Operation *op, const Part &part,
                              const plan::EvaluateRequest &request,
                              plan::EvaluateResponse &response) {
  OwningOpRef<ModuleOp> module = buildPart(op, part);
  if (!module)
    return failure();
  auto main = module->lookupSymbol<func::FuncOp>("main");
  FailureOr<SmallVector<Tensor>> tiles = readTiles(main, request);
  if (failed(tiles))
    return failure();
  FailureOr<SmallVector<Tensor>> results = reference::interpret(main, *tiles);
  if (failed(results))
    return failure();
  if (request.result() >= results->size())
    return op->emitOpError("has no such result");
  const Tensor &computed = (*results)[request.result()];
  const size_t width = size_t(byteWidth(computed.elementType()));
  if (part.element >= uint64_t(computed.numElements()))
    return op->emitOpError("has no such element");
  response.set_value(reinterpret_cast<const char *>(computed.data()) +
                         part.element * width,
                     width);
  return success();
}

plan::EvaluateResponse evaluateElement(const plan::EvaluateRequest &request) {
  plan::EvaluateResponse response;
  plan::Error &error = *response.mutable_error();
  auto context = createReferenceContext();
  Report report(context.get());
  auto whyNot = [&]() -> LogicalResult {
    OwningOpRef<ModuleOp> module =
        readFrozenModule(request.text().module(), context.get());
    if (!module || failed(repro::verifyFrozen(*module)))
      return failure();
    simplifyMaps(*module);
    FailureOr<Operation *> op = findOp(*module);
    if (failed(op))
      return failure();
    if (request.result() >= (*op)->getNumResults())
      return (*op)->emitOpError("has no result ") << request.result();
    auto type = repro::typeOf((*op)->getResult(request.result()));
    FailureOr<std::string> encoding = repro::encodeEntry(
        *op, request.text().first_value(), readOperands(request.text()));
    if (failed(encoding))
      return failure();
    response.set_encoding(std::move(*encoding));
    response.set_op((*op)->getName().getStringRef().str());
    response.set_element_type(
        std::string(name(*repro::getElementType(type.getElementType()))));
    response.mutable_shape()->Add(type.getShape().begin(),
                                  type.getShape().end());
    if (failed(writeIterations(*op, request, response)))
      return failure();
    // Who asks learns from the shape that there is no such element.
    if (request.element() >= uint64_t(type.getNumElements()))
      return success();
    const Part part = findPart(*op, request.result(), request.element());
    writeTiles(*op, part, response);
    return request.has_tiles() ? evaluate(*op, part, request, response)
                               : success();
  };
  if (failed(whyNot()))
    report.fill("op", ExitCode::BadInput, error);
  return response;
}

} // namespace gensyn
