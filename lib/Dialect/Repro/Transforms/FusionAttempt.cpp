// See FuseKernels.h.

#include "FuseKernels.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace gensyn::repro {

llvm::SmallSetVector<Operation *, 4> getReaders(Value value, size_t most) {
  llvm::SmallSetVector<Operation *, 4> readers;
  SmallVector<Value> names = {value};
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      if (isa<ReshapeOp>(user))
        names.push_back(user->getResult(0));
      else if (readers.insert(user) && readers.size() >= most)
        return readers;
    }
  return readers;
}

llvm::SmallSetVector<Operation *, 4> getProducers(KernelOp kernel) {
  llvm::SmallSetVector<Operation *, 4> producers;
  for (Value input : kernel.getInputs())
    if (auto producer = getStorage(input).getDefiningOp<KernelOp>())
      producers.insert(producer);
  return producers;
}

void eraseDeadOps(KernelOp kernel) {
  SmallVector<Operation *> ops;
  for (Operation &op : kernel.getBlock().without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops)) {
    auto fault = dyn_cast<FaultOpInterface>(op);
    if (op->use_empty() && !(fault && fault.mayFault()))
      op->erase();
  }
}

FusionAttempt::FusionAttempt(ArrayRef<KernelOp> given,
                             const FusionLimits &limits)
    : parts(given), limits(limits) {
  llvm::sort(parts,
             [](KernelOp a, KernelOp b) { return a->isBeforeInBlock(b); });
}

FusionAttempt::~FusionAttempt() {
  if (joined)
    joined.erase();
}

std::string FusionAttempt::refuse() {
  for (KernelOp part : parts)
    if (part.getScheduleAttr())
      return "a kernel with a schedule of its own";
  if (std::string why = findMoved(); !why.empty())
    return why;
  build();
  if (std::string why = checkForm(); !why.empty())
    return why;
  if (std::string why = checkLimits(); !why.empty())
    return why;
  return checkFaults();
}

/// Finds the ops between the parts that depend on one of them. They have to run
/// after the joined kernel; if another part needs them, the fusion would create
/// a cycle. Follows users, since most ops between two kernels do not depend on
/// the first.
std::string FusionAttempt::findMoved() {
  const llvm::SmallPtrSet<Operation *, 8> isPart(parts.begin(), parts.end());
  Operation *last = parts.back();
  llvm::SmallSetVector<Operation *, 8> later;
  size_t kernels = 0;
  // A moved op or a part, and a value that refers to its result's memory.
  SmallVector<std::pair<Operation *, Value>> open;
  auto follow = [&](Operation *op) {
    for (Value result : op->getResults())
      open.emplace_back(op, result);
  };
  for (KernelOp part : parts)
    if (part != last)
      follow(part);
  while (!open.empty()) {
    auto [source, value] = open.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (user != last && !user->isBeforeInBlock(last))
        continue;
      if (isPart.contains(user)) {
        if (!isPart.contains(source))
          return "another kernel stands between";
        continue;
      }
      const bool isReshape = isa<ReshapeOp>(user);
      if (!isReshape && !isa<KernelOp>(user))
        return "a branch or loop stands between";
      const bool isNew = later.insert(user);
      if (isReshape) // refers to the same memory
        open.emplace_back(source, user->getResult(0));
      if (!isNew || isReshape)
        continue;
      if (++kernels > limits.moved)
        return "too many kernels stand between";
      follow(user);
    }
  }
  moved = later.takeVector();
  llvm::sort(moved,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return "";
}

/// The value inside the joined kernel for an input of a part, in the shape in
/// which the part reads it: a computed value or an argument. The operands of a
/// contraction (`isPlain`) get arguments without a reshape, unless a part
/// computes them.
Value FusionAttempt::importInput(Value input, bool isPlain,
                                 OpBuilder &builder) {
  Value storage = getStorage(input);
  if (Value known = named.lookup(input))
    return known;
  Value value = inner.lookup(storage);
  const bool isComputed = value && !isa<BlockArgument>(value);
  if (isComputed)
    passed.insert(value);
  if (!value || (isPlain && !isComputed)) {
    inputs.push_back(input);
    value = joined.getBlock().addArgument(input.getType(), input.getLoc());
    inner.try_emplace(storage, value);
  } else {
    value = createReshape(builder, joined.getLoc(), getStorage(value),
                          shapeOf(input));
  }
  return named[input] = value;
}

void FusionAttempt::cloneBody(KernelOp part, OpBuilder &builder) {
  // Ops that another part has already computed are not repeated. Parts that
  // share only scalars stay separate components.
  const bool isSharing = llvm::any_of(part.getInputs(), [&](Value input) {
    return elementsOf(input) > 1 && inner.contains(getStorage(input));
  });
  IRMapping mapping;
  for (auto [argument, input] :
       llvm::zip_equal(part.getBlock().getArguments(), part.getInputs())) {
    const bool isPlain = llvm::any_of(argument.getUsers(), [](Operation *user) {
      return isa<ContractOp>(user);
    });
    mapping.map(argument, importInput(input, isPlain, builder));
  }
  llvm::DenseMap<unsigned, SmallVector<Operation *, 1>> known;
  auto hash = [](Operation *op) {
    return static_cast<unsigned>(OperationEquivalence::computeHash(
        op, OperationEquivalence::directHashValue,
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations));
  };
  if (isSharing)
    for (Operation &op : joined.getBlock())
      known[hash(&op)].push_back(&op);
  for (Operation &op : part.getBlock().without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    if (!isSharing)
      continue;
    for (Operation *other : known.lookup(hash(copy)))
      if (OperationEquivalence::isEquivalentTo(
              other, copy, OperationEquivalence::IgnoreLocations)) {
        for (auto [from, to] :
             llvm::zip_equal(op.getResults(), other->getResults()))
          mapping.map(from, to);
        copy->erase();
        break;
      }
  }
  for (auto [result, yielded] :
       llvm::zip_equal(part.getResults(), part.getYielded()))
    inner[result] = mapping.lookup(yielded);
}

void FusionAttempt::build() {
  OpBuilder builder(parts.front()->getContext());
  builder.setInsertionPointAfter(parts.back());
  auto isRead = [&](Value result) {
    return llvm::any_of(getReaders(result), [&](Operation *reader) {
      return !llvm::is_contained(parts, reader);
    });
  };
  // A kernel without readers is kept for its faults.
  SmallVector<Type> types;
  for (KernelOp part : parts) {
    const bool isUnread = llvm::all_of(part.getResults(), [](Value result) {
      return getReaders(result).empty();
    });
    for (Value result : part.getResults())
      if (isUnread || isRead(result)) {
        results.push_back(result);
        types.push_back(result.getType());
      }
    stored += part.getNumResults();
  }
  kept = results.size();
  KernelOp last = parts.back();
  // The operands are set after the bodies are built.
  joined = KernelOp::create(builder, last.getLoc(), types, last.getSym(),
                            ValueRange(), /*schedule=*/Attribute());
  builder.createBlock(&joined.getBody());
  for (KernelOp part : parts)
    cloneBody(part, builder);
  SmallVector<Value> yielded;
  for (Value result : results)
    yielded.push_back(inner.lookup(result));
  YieldOp::create(builder, last.getLoc(), yielded);
  joined->setOperands(inputs);
  eraseDeadOps(joined);
}

/// The ops that compute operands of the contraction from another part's
/// operands; empty if each part reads its own.
llvm::SmallPtrSet<Operation *, 8> FusionAttempt::findPrologueOps() {
  if (form.kind != KernelKind::Contraction)
    return {};
  auto ops = findPrologue(form.contraction);
  llvm::SmallPtrSet<Operation *, 8> found(ops->begin(), ops->end());
  if (llvm::none_of(passed, [&](Value value) {
        return found.contains(value.getDefiningOp());
      }))
    found.clear();
  return found;
}

/// Checks that the kernel has a form and computes nothing more often than its
/// parts.
/// True if a contraction that stays apart would get other ops.
bool FusionAttempt::joinsApart() {
  if (limits.apart.empty())
    return false;
  return llvm::any_of(
      joined.getBlock().getOps<ContractOp>(), [&](ContractOp contraction) {
        std::string type;
        llvm::raw_string_ostream(type)
            << getElementTypeOrSelf(contraction.getLhs().getType());
        return llvm::is_contained(limits.apart, type);
      });
}

std::string FusionAttempt::checkForm() {
  if (joinsApart())
    return "a unit computes the contraction alone";
  form = getKernelForm(joined);
  switch (form.kind) {
  case KernelKind::Columns:
  case KernelKind::Other:
    return form.reason.empty() ? "no such form" : form.reason;
  case KernelKind::Horizontal:
    return passed.empty() ? "" : "would be computed again";
  case KernelKind::Pointwise:
  case KernelKind::Rows:
  case KernelKind::ColumnSums:
  case KernelKind::Contraction:
  case KernelKind::ContractedRows:
    break;
  }
  // No schedule keeps exact accumulators for a row, so each element of a result
  // would repeat the sum.
  for (auto reduce : joined.getBlock().getOps<ReduceOp>())
    if (reduce.getOrder() && reduce.getOrder()->getOrder().isExact())
      return "an exact sum stands alone";
  const llvm::SmallPtrSet<Operation *, 8> prologue = findPrologueOps();
  if (!prologue.empty() && !limits.prologues)
    return "a contraction reads plain memory";
  for (Value value : passed) {
    if (prologue.contains(value.getDefiningOp()))
      continue;
    const Placement placement = form.placementOf(value);
    const Placement reduced = form.kind == KernelKind::ColumnSums
                                  ? Placement::Column
                                  : Placement::Row;
    if (placement != Placement::Full && placement != reduced)
      return "would be computed again where it is read";
  }
  related = !passed.empty();
  for (auto [number, input] : llvm::enumerate(inputs)) {
    if (form.placementOf(joined.getBlock().getArgument(number)) !=
        Placement::Full)
      continue;
    related |= llvm::count_if(parts, [&](KernelOp part) {
                 return llvm::any_of(part.getInputs(), [&](Value other) {
                   return getStorage(other) == getStorage(input);
                 });
               }) > 1;
  }
  return "";
}

/// The positions of the largest tile: blocks of an order end with tiles.
static constexpr int64_t kTilePositions = 128;

/// The reason why tiles in registers and shared memory do not hold contracted
/// rows; empty if there is none.
static std::string explainTiles(const KernelForm &form, int64_t width) {
  auto fits = [](const Order &order, int64_t points) {
    return order.kind() != Order::Kind::Blocked ||
           order.blockSize() >= points ||
           order.blockSize() % kTilePositions == 0;
  };
  int64_t all[3] = {0, 0, 0};
  for (const RowContraction &contraction : form.rowContractions) {
    ContractOp op = contraction.op;
    const bool isSource = contraction.role == RowContraction::Role::Source;
    const int64_t points = op.getDomain().getNumPoints(),
                  around = isSource
                               ? points
                               : elementsOf(op.getResult()) *
                                     (contraction.role ==
                                              RowContraction::Role::AlongRows
                                          ? form.columns
                                          : form.groupRows) /
                                     (form.rows * form.columns);
    // Two of the same role share a tile's memory.
    int64_t &ofRole = all[static_cast<size_t>(contraction.role)];
    ofRole += around;
    if (around > width || ofRole > 2 * width)
      return "rows or columns of operands are too long for tiles";
    const Order order = op.getOrder()->getOrder();
    if (isSource ? !order.isSequential() && order.blockSize() < points
                 : !fits(order, points))
      return "blocks of an order do not end with tiles";
  }
  int64_t lanes = 0;
  for (ReduceOp reduce : form.reductions) {
    if (!reduce.getOrder())
      continue;
    Order order = reduce.getOrder()->getOrder();
    if (!fits(order, form.columns))
      return "blocks of an order do not end with tiles";
    if (order.kind() == Order::Kind::Blocked)
      order = order.inner();
    if (order.kind() != Order::Kind::Lanes || order.laneCount() < 16 ||
        order.laneCount() > kTilePositions ||
        (lanes != 0 && lanes != order.laneCount()))
      return "lanes of an order do not fit tiles";
    lanes = order.laneCount();
  }
  return "";
}

std::string FusionAttempt::checkLimits() {
  const size_t buffers = joined->getNumOperands() + joined->getNumResults() +
                         joined.getFaultingOps().size();
  if (form.kind == KernelKind::Horizontal)
    return buffers > limits.horizontalBuffers ? "too many buffers" : "";
  if (buffers > limits.buffers)
    return "too many buffers";
  if (joined.getBlock().getOperations().size() > limits.operations)
    return "too many ops";
  if (form.kind == KernelKind::ContractedRows && limits.contractedWidth > 0)
    if (std::string why = explainTiles(form, limits.contractedWidth);
        !why.empty())
      return why;
  if (form.kind == KernelKind::Rows &&
      form.columns > (form.rows < limits.enoughRows ? limits.lonelyRowLength
                                                    : limits.rowLength))
    return "row too long";
  return "";
}

/// True if every element of the value is computed in any case: on some path to
/// a result, each op needs all elements of its operand.
static bool isReadWhole(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isa<YieldOp>(user))
      return true;
    Value result = user->getResult(0);
    auto reduce = dyn_cast<ReduceOp>(user);
    const bool reducesAll =
        reduce && reduce.isRowForm() && elementsOf(result) > 0;
    return (reducesAll || readsWholeOperands(user)) && isReadWhole(result);
  });
}

/// A fault in an element that nobody reads must be found all the same (g7).
std::string FusionAttempt::checkFaults() {
  for (Operation *op : joined.getFaultingOps())
    if (!isReadWhole(op->getResult(0)))
      return "a fault would be missed where not every element is read";
  return "";
}

std::string explainBoundary(KernelOp kernel, Operation *reader) {
  static const FusionLimits limits;
  auto other = dyn_cast<KernelOp>(reader);
  if (!other)
    return reader->hasTrait<OpTrait::IsTerminator>()
               ? "a result of the program"
               : "read by a branch or loop";
  if (other->getBlock() != kernel->getBlock())
    return "read in another block";
  FusionAttempt attempt({kernel, other}, limits);
  std::string why = attempt.refuse();
  return why.empty() ? "the two could be one" : why;
}

int64_t FusionAttempt::getSavedBytes() {
  auto countBytes = [](KernelOp kernel) {
    int64_t bytes = 0;
    for (Type type : kernel->getOperandTypes())
      bytes += bytesOf(type);
    for (Type type : kernel->getResultTypes())
      bytes += bytesOf(type);
    return bytes;
  };
  int64_t saved = -countBytes(joined);
  for (KernelOp part : parts)
    saved += countBytes(part);
  return saved;
}

/// Gives results with equally many elements the shape of the last of them, so
/// that one loop computes them all. Outside they are reshaped back.
void FusionAttempt::alignResults() {
  if (form.kind == KernelKind::Horizontal ||
      form.kind == KernelKind::ContractedRows)
    return;
  Operation *yield = joined.getBlock().getTerminator();
  OpBuilder builder(yield);
  llvm::DenseMap<int64_t, ArrayRef<int64_t>> shapes;
  for (OpResult result : llvm::reverse(joined.getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    ArrayRef<int64_t> shape =
        shapes.try_emplace(type.getNumElements(), type.getShape())
            .first->second;
    if (type.getShape() == shape)
      continue;
    type = type.clone(shape);
    OpOperand &yielded = yield->getOpOperand(result.getResultNumber());
    Value same;
    for (Operation *user : yielded.get().getUsers())
      if (isa<ReshapeOp>(user) && user->getResult(0).getType() == type)
        same = user->getResult(0);
    yielded.set(
        same ? same
             : createReshape(builder, joined.getLoc(), yielded.get(), shape));
    result.setType(type);
  }
}

KernelOp FusionAttempt::commit() {
  Operation *place = joined;
  for (Operation *op : moved) {
    op->moveAfter(place);
    place = op;
  }
  alignResults();
  OpBuilder builder(joined->getContext());
  builder.setInsertionPointAfter(joined);
  for (auto [result, replacement] :
       llvm::zip_equal(results, joined.getResults()))
    result.replaceAllUsesWith(
        createReshape(builder, joined.getLoc(), replacement, shapeOf(result)));
  // Erases the reshapes through which parts read each other's results.
  auto eraseUnread = [](Value value, auto &&self) -> void {
    for (Operation *user : llvm::make_early_inc_range(value.getUsers()))
      if (isa<ReshapeOp>(user)) {
        self(user->getResult(0), self);
        if (user->use_empty())
          user->erase();
      }
  };
  for (KernelOp part : llvm::reverse(parts)) {
    for (Value result : part.getResults())
      eraseUnread(result, eraseUnread);
    part.erase();
  }
  for (Value result : joined.getResults())
    eraseUnread(result, eraseUnread);
  return std::exchange(joined, KernelOp());
}

} // namespace gensyn::repro
