// Fuses contractions with rows between them, so that no matrix of scores is
// stored. A group begins at a contraction that reads rows of scores, and grows
// to the kernels that compute them, and from there to other readers.

#include "FuseKernels.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-fuse-kernels"

using namespace mlir;

namespace gensyn::repro {
namespace {

using Kernels = llvm::SmallSetVector<KernelOp, 16>;

ContractOp getOnlyContraction(KernelOp kernel) {
  auto op = dyn_cast<ContractOp>(kernel.getBlock().front());
  return op && llvm::hasNItems(kernel.getBlock(), 2) ? op : ContractOp();
}

/// The input of a kernel of one contraction that is its operand.
Value getInput(KernelOp kernel, ContractOp op, unsigned operand) {
  auto argument = dyn_cast<BlockArgument>(op->getOperand(operand));
  return argument ? kernel.getInputs()[argument.getArgNumber()] : Value();
}

/// The kernels around one space of rows and columns.
class Group {
public:
  /// A group of the kernels that compute the Full operand of `reader`, without
  /// the members of `other`.
  Group(KernelOp reader, const RowContraction &contraction,
        const Group *other = nullptr) {
    ArrayRef<int64_t> shape = shapeOf(contraction.getFull());
    columns = shape.back();
    rows = ShapedType::getNumElements(shape.drop_back());
    groupRows = shape.drop_back().back();
    addDependents(reader);
    if (other)
      excluded.insert_range(other->members);
    add(reader);
    while (addReaders()) {
    }
  }

  const Kernels &getMembers() const { return members; }
  /// True if a member is a contraction of arguments and another a reduction.
  bool hasRows() const {
    bool contracts = false, reduces = false;
    for (KernelOp member : members) {
      ContractOp op = getOnlyContraction(member);
      contracts |= op && isFull(op.getResult());
      reduces |= !member.getBlock().getOps<ReduceOp>().empty();
    }
    return contracts && reduces;
  }
  bool isFull(Value value) const { return elementsOf(value) == rows * columns; }

  SmallVector<KernelOp> inOrder() const {
    SmallVector<KernelOp> kernels(members.begin(), members.end());
    llvm::sort(kernels,
               [](KernelOp a, KernelOp b) { return a->isBeforeInBlock(b); });
    return kernels;
  }

private:
  /// Kernels that need a result of the first reader can be no members.
  void addDependents(KernelOp reader) {
    SmallVector<Value> open(reader->getResults());
    while (!open.empty())
      for (Operation *user : getReaders(open.pop_back_val()))
        if (excluded.insert(user).second)
          llvm::append_range(open, user->getResults());
  }

  bool isMember(KernelOp kernel) const {
    if (kernel.getScheduleAttr() || excluded.contains(kernel))
      return false;
    if (ContractOp op = getOnlyContraction(kernel)) {
      auto found = asRowContraction(op, 2);
      return found && fits(*found);
    }
    const KernelForm form = getKernelForm(kernel);
    if (form.kind == KernelKind::Rows)
      return form.rows == rows && form.columns == columns;
    return form.kind == KernelKind::Pointwise &&
           llvm::all_of(kernel.getResults(), [&](Value result) {
             return isFull(result) || elementsOf(result) == rows;
           });
  }

  bool fits(const RowContraction &contraction) const {
    ArrayRef<int64_t> shape = shapeOf(contraction.getFull());
    return shape.back() == columns && shape.drop_back().back() == groupRows &&
           ShapedType::getNumElements(shape) == rows * columns;
  }

  /// Adds a kernel and the members that compute its operands. A contraction
  /// ends the search: its operands are in memory.
  void add(KernelOp kernel) {
    if (!members.insert(kernel))
      return;
    ContractOp op = getOnlyContraction(kernel);
    for (Value input : kernel.getInputs()) {
      if (op && !(isReader(kernel, input) && isFull(input)))
        continue;
      auto producer = getStorage(input).getDefiningOp<KernelOp>();
      if (producer && producer->getBlock() == kernel->getBlock() &&
          isMember(producer))
        add(producer);
    }
  }

  /// True if the kernel is a contraction along the rows or columns of `input`.
  bool isReader(KernelOp kernel, Value input) const {
    ContractOp op = getOnlyContraction(kernel);
    if (!op)
      return false;
    for (unsigned operand : {0, 1}) {
      Value read = getInput(kernel, op, operand);
      if (!read || getStorage(read) != getStorage(input))
        continue;
      auto found = asRowContraction(op, operand);
      if (found && fits(*found))
        return true;
    }
    return false;
  }

  /// Adds readers of Full values; returns false if there are no more.
  bool addReaders() {
    const size_t before = members.size();
    for (size_t i = 0; i < members.size(); ++i) {
      KernelOp member = members[i];
      for (Value result : member->getResults()) {
        if (!isFull(result))
          continue;
        for (Operation *user : getReaders(result)) {
          auto reader = dyn_cast<KernelOp>(user);
          if (!reader || reader->getBlock() != member->getBlock() ||
              excluded.contains(reader) || reader.getScheduleAttr())
            continue;
          if (getOnlyContraction(reader) ? isReader(reader, result)
                                         : isMember(reader))
            add(reader);
        }
      }
    }
    return members.size() != before;
  }

  int64_t rows, columns, groupRows;
  Kernels members;
  llvm::SmallPtrSet<Operation *, 16> excluded;
};

/// Kernels that compute Full values again, for the readers outside of a group.
class Recomputation {
public:
  explicit Recomputation(const Group &group) : group(group) {}

  /// Makes the copies right before the first outside reader, which then read
  /// them. Rows' own numbers (a maximum, a sum) are not computed again. Returns
  /// false if something else than a kernel of the block reads a Full value.
  bool create() {
    const Kernels &members = group.getMembers();
    Operation *first = nullptr;
    SmallVector<KernelOp> open;
    for (KernelOp member : members)
      for (Value result : member->getResults()) {
        if (!group.isFull(result))
          continue;
        for (Operation *reader : getReaders(result)) {
          auto kernel = dyn_cast<KernelOp>(reader);
          if (kernel && members.contains(kernel))
            continue;
          if (!kernel || kernel->getBlock() != member->getBlock())
            return false;
          if (!first || kernel->isBeforeInBlock(first))
            first = kernel;
          open.push_back(member);
        }
      }
    if (!first)
      return true;
    Kernels needed;
    while (!open.empty()) {
      KernelOp member = open.pop_back_val();
      if (!needed.insert(member))
        continue;
      for (Value input : member.getInputs())
        if (auto producer = getStorage(input).getDefiningOp<KernelOp>();
            producer && members.contains(producer) && group.isFull(input))
          open.push_back(producer);
    }
    for (KernelOp member : needed)
      if (!member->isBeforeInBlock(first))
        return false;
    OpBuilder builder(first);
    for (KernelOp member : group.inOrder())
      if (needed.contains(member))
        copy(member, builder);
    return true;
  }

  ArrayRef<std::pair<KernelOp, KernelOp>> getCopies() const { return copies; }

  /// Removes the copies.
  void undo() {
    for (auto [use, value] : llvm::reverse(redirected))
      use->set(value);
    for (Operation *op : llvm::reverse(made))
      op->erase();
    copies.clear();
  }

private:
  void copy(KernelOp member, OpBuilder &builder) {
    auto copied = cast<KernelOp>(builder.clone(*member));
    // Operands that earlier copies compute, in the shape in which it reads
    // them.
    builder.setInsertionPoint(copied);
    for (OpOperand &operand : copied->getOpOperands())
      for (auto [from, to] : replaced)
        if (getStorage(operand.get()) == from)
          operand.set(reshape(to, operand.get(), builder));
    made.push_back(copied);
    builder.setInsertionPointAfter(copied);
    copies.emplace_back(member, copied);
    for (auto [value, again] :
         llvm::zip_equal(member->getResults(), copied->getResults()))
      if (group.isFull(value)) {
        replaced.emplace_back(value, again);
        redirect(value, again, builder);
      }
  }

  /// `value` in the shape of `like`.
  Value reshape(Value value, Value like, OpBuilder &builder) {
    if (value.getType() == like.getType())
      return value;
    auto op = ReshapeOp::create(builder, value.getLoc(), like.getType(), value);
    made.push_back(op);
    return op;
  }

  /// Lets kernels outside of the group read `again`.
  void redirect(Value value, Value again, OpBuilder &builder) {
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
      Operation *user = use.getOwner();
      if (isa<ReshapeOp>(user)) {
        redirect(user->getResult(0),
                 reshape(again, user->getResult(0), builder), builder);
      } else if (auto kernel = dyn_cast<KernelOp>(user);
                 kernel && !group.getMembers().contains(kernel) &&
                 !isCopy(kernel)) {
        redirected.emplace_back(&use, value);
        use.set(again);
      }
    }
  }

  bool isCopy(KernelOp kernel) const {
    return llvm::any_of(copies,
                        [&](auto &pair) { return pair.second == kernel; });
  }

  const Group &group;
  SmallVector<std::pair<KernelOp, KernelOp>> copies;
  SmallVector<std::pair<Value, Value>> replaced;
  SmallVector<std::pair<OpOperand *, Value>> redirected;
  SmallVector<Operation *> made;
};

/// The contraction of a kernel as one that reads Full values of other kernels.
SmallVector<RowContraction> getReadings(KernelOp kernel) {
  SmallVector<RowContraction> found;
  ContractOp op = getOnlyContraction(kernel);
  if (!op)
    return found;
  for (unsigned operand : {0, 1}) {
    Value input = getInput(kernel, op, operand);
    if (input && getStorage(input).getDefiningOp<KernelOp>())
      if (auto reading = asRowContraction(op, operand))
        found.push_back(*reading);
  }
  return found;
}

class ContractedRowsFusion {
public:
  ContractedRowsFusion(Block &block, const FusionLimits &limits)
      : block(block), limits(limits) {}

  void run() {
    SmallVector<KernelOp> kernels(block.getOps<KernelOp>());
    for (KernelOp kernel : kernels) {
      if (gone.contains(kernel))
        continue;
      for (const RowContraction &reading : getReadings(kernel))
        if (bytesOf(reading.getFull()) >= limits.contractedBytes &&
            tryGroup(Group(kernel, reading)))
          break;
    }
  }

private:
  bool tryGroup(const Group &group) {
    if (!group.hasRows())
      return false;
    Recomputation again(group);
    if (!again.create())
      return false;
    if (again.getCopies().empty())
      return fuse(group);
    // The readers outside of the group have to become such a kernel too.
    if (tryReaders(group, again))
      return true;
    again.undo();
    return false;
  }

  bool tryReaders(const Group &group, const Recomputation &again) {
    for (auto [member, copied] : again.getCopies())
      for (Value result : copied->getResults())
        for (Operation *user : getReaders(result)) {
          auto reader = dyn_cast<KernelOp>(user);
          if (!reader)
            continue;
          for (const RowContraction &reading : getReadings(reader)) {
            const Group readers(reader, reading, &group);
            if (!llvm::all_of(again.getCopies(), [&](auto &pair) {
                  return readers.getMembers().contains(pair.second);
                }))
              continue;
            // The first attempt ends before the second changes its readers.
            if (!allows(group))
              return false;
            if (!fuse(readers))
              return false;
            fuse(group);
            return true;
          }
        }
    return false;
  }

  bool allows(const Group &group) {
    FusionAttempt attempt(group.inOrder(), limits);
    return check(attempt);
  }

  bool fuse(const Group &group) {
    FusionAttempt attempt(group.inOrder(), limits);
    if (!check(attempt))
      return false;
    commit(attempt, group);
    return true;
  }

  bool check(FusionAttempt &attempt) {
    if (attempt.getParts().size() < 2)
      return false;
    const std::string why = attempt.refuse();
    KernelOp last = attempt.getParts().back();
    LDBG(2) << "contracted rows up to " << last.getSym() << ": "
            << (why.empty() ? "fit" : why);
    return why.empty() && attempt.getForm().kind == KernelKind::ContractedRows;
  }

  void commit(FusionAttempt &attempt, const Group &group) {
    for (KernelOp member : group.getMembers())
      gone.insert(member);
    commitFusion(attempt);
  }

  Block &block;
  const FusionLimits &limits;
  llvm::SmallPtrSet<Operation *, 16> gone;
};

} // namespace

void fuseContractedRows(Block &block, const FusionLimits &limits) {
  ContractedRowsFusion(block, limits).run();
}

} // namespace gensyn::repro

#undef DEBUG_TYPE
