// Chooses the kernels to fuse, and the order of the attempts.

#include "FuseKernels.h"

#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-fuse-kernels"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_FUSEKERNELSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// Options of a remark on a kernel, shown under --remarks-filter=fusion.
remark::RemarkOpts remarkOn(KernelOp kernel) {
  return remark::RemarkOpts::name("FuseKernels")
      .category("fusion")
      .function(kernel.getSym());
}

/// Emits a remark for each kernel and reader of its results that are not fused.
void remarkBoundaries(Operation *module) {
  if (!module->getContext()->getRemarkEngine())
    return;
  // Attempts temporarily insert kernels, so the list is made first.
  SmallVector<KernelOp> kernels;
  module->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
  for (KernelOp kernel : kernels) {
    llvm::SmallSetVector<Operation *, 4> readers;
    for (Value result : kernel.getResults())
      readers.insert_range(getReaders(result));
    for (Operation *reader : readers)
      if (auto other = dyn_cast<KernelOp>(reader))
        remark::missed(kernel.getLoc(), remarkOn(kernel))
            << remark::metric("Reader", other.getSym())
            << remark::reason("{0}", explainBoundary(kernel, other));
  }
}

} // namespace

KernelOp commitFusion(FusionAttempt &attempt) {
  const StringRef form = toString(attempt.getForm().kind);
  SmallVector<StringRef> names;
  for (KernelOp part : attempt.getParts())
    names.push_back(part.getSym());
  KernelOp kernel = attempt.commit();
  LDBG() << llvm::join(names, ", ") << " become " << form << " kernel "
         << kernel.getSym();
  remark::passed(kernel.getLoc(), remarkOn(kernel))
      << remark::metric("Parts", llvm::join(names, ", "))
      << remark::metric("Form", form);
  return kernel;
}

namespace {

/// Bounds on the number of attempts, from the pass's options, so that programs
/// of many similar kernels take linear time.
struct Trials {
  /// For a value with at least `readers` readers, only readers at most `near`
  /// ops away are tried.
  size_t readers, near;
  /// A horizontal kernel is full after so many rejected kernels in a row.
  size_t refused;
};

/// Fuses the kernels of one block. Chooses the attempts and their order;
/// FusionAttempt decides each.
class BlockFusion {
public:
  BlockFusion(Block &block, const llvm::StringSet<> &forms,
              const FusionLimits &limits, const Trials &trials)
      : block(block), forms(forms), limits(limits), trials(trials) {}

  void run() {
    // Before other forms take the rows' kernels apart.
    if (forms.contains("contracted-rows"))
      fuseContractedRows(block, limits);
    // Before kernels with several results compute these operands.
    if (forms.contains("prologues"))
      fusePrologues(block, limits);
    // Kernels that compute only results of the program may run at its end.
    // There the updates of all parameters become one kernel, and the operands
    // of the last contractions need not live so long.
    if (forms.contains("horizontal"))
      joinAlike(/*onlyLast=*/true);
    // Rows grow as far as possible, since no row needs to be stored, but
    // without kernels that are the only reader of a contraction. Those go where
    // more is saved: to the contraction, whose own result then disappears, or
    // to rows. The remaining ones may join a contraction whose result is stored
    // anyway.
    if (forms.contains("rows"))
      growAll(KernelKind::Rows, Choice::NoEpilogue);
    if (forms.contains("epilogues"))
      growAll(KernelKind::Contraction, Choice::MustSave);
    if (forms.contains("rows"))
      growAll(KernelKind::Rows, Choice::Any);
    if (forms.contains("epilogues"))
      growAll(KernelKind::Contraction, Choice::Any);
    if (forms.contains("columns"))
      growAll(KernelKind::ColumnSums, Choice::Any);
    if (forms.contains("pointwise"))
      growAll(KernelKind::Pointwise, Choice::Any);
    if (forms.contains("recompute"))
      recomputeCheapValues(block, limits);
    if (forms.contains("horizontal")) {
      joinAlike(/*onlyLast=*/false);
      joinSmall();
    }
  }

private:
  /// Restricts the kernels that may be joined.
  enum class Choice {
    Any,        ///< all that fit
    NoEpilogue, ///< not those that may become an epilogue
    MustSave    ///< those that remove a result, and save more than rows would
  };

  SmallVector<KernelOp> kernels() {
    return SmallVector<KernelOp>(block.getOps<KernelOp>());
  }

  static KernelKind kindOf(KernelOp kernel) {
    return getKernelForm(kernel).kind;
  }

  /// Grows every kernel of the kind until no neighbour fits.
  void growAll(KernelKind kind, Choice choice) {
    llvm::SmallPtrSet<Operation *, 16> gone;
    for (KernelOp kernel : kernels()) {
      if (gone.contains(kernel) || kindOf(kernel) != kind)
        continue;
      while (KernelOp grown = grow(kernel, kind, choice, gone))
        kernel = grown;
    }
  }

  /// Joins the kernel with a producer, a reader, or a kernel that shares an
  /// input; null if none fits.
  KernelOp grow(KernelOp kernel, KernelKind kind, Choice choice,
                llvm::SmallPtrSetImpl<Operation *> &gone) {
    for (KernelOp other : neighbours(kernel, kind)) {
      if (choice == Choice::NoEpilogue && mayBeEpilogue(other))
        continue;
      FusionAttempt attempt(inOrder(kernel, other), limits);
      const std::string why = attempt.refuse();
      LDBG(2) << kernel.getSym() << " and " << other.getSym() << ": "
              << (why.empty() ? toString(attempt.getForm().kind) : why);
      if (!why.empty() || attempt.getForm().kind != kind ||
          !attempt.isRelated() ||
          (choice == Choice::MustSave &&
           (!attempt.hasFewerResults() ||
            gainOfRows(other) > attempt.getSavedBytes())))
        continue;
      gone.insert(kernel);
      gone.insert(other);
      return commitFusion(attempt);
    }
    return {};
  }

  static SmallVector<KernelOp> inOrder(KernelOp a, KernelOp b) {
    if (b->isBeforeInBlock(a))
      std::swap(a, b);
    return {a, b};
  }

  /// True if the kernel is the only reader of a contraction's result.
  bool mayBeEpilogue(KernelOp kernel) {
    return forms.contains("epilogues") &&
           kindOf(kernel) == KernelKind::Pointwise &&
           llvm::any_of(getProducers(kernel), [&](Operation *producer) {
             return kindOf(cast<KernelOp>(producer)) ==
                        KernelKind::Contraction &&
                    producer->getNumResults() == 1 &&
                    getReaders(producer->getResult(0), 2).size() == 1;
           });
  }

  /// The largest number of bytes saved by fusing the kernel into a kernel of
  /// rows.
  int64_t gainOfRows(KernelOp kernel) {
    int64_t most = 0;
    if (!forms.contains("rows"))
      return most;
    for (KernelOp other : neighbours(kernel, KernelKind::Rows)) {
      if (kindOf(other) != KernelKind::Rows)
        continue;
      FusionAttempt attempt(inOrder(kernel, other), limits);
      if (attempt.refuse().empty() &&
          attempt.getForm().kind == KernelKind::Rows)
        most = std::max(most, attempt.getSavedBytes());
    }
    return most;
  }

  SmallVector<KernelOp> neighbours(KernelOp kernel, KernelKind kind) {
    llvm::SmallSetVector<Operation *, 8> found;
    for (Value result : kernel.getResults())
      for (Operation *reader : getReaders(result))
        found.insert(reader);
    if (kind != KernelKind::Contraction) {
      for (Operation *producer : getProducers(kernel))
        found.insert(producer);
      addSiblings(kernel, found);
    }
    SmallVector<KernelOp> kernels;
    for (Operation *op : found)
      if (auto other = dyn_cast<KernelOp>(op);
          other && other != kernel && other->getBlock() == &block)
        kernels.push_back(other);
    return kernels;
  }

  /// Adds kernels that share an input. For inputs with many readers, adds only
  /// those nearby, so that not all pairs of readers are tried.
  void addSiblings(KernelOp kernel,
                   llvm::SmallSetVector<Operation *, 8> &found) {
    llvm::SmallPtrSet<Value, 4> crowded;
    for (Value input : kernel.getInputs()) {
      Value storage = getStorage(input);
      if (getReaders(storage, trials.readers).size() >= trials.readers)
        crowded.insert(storage);
      else
        for (Operation *reader : getReaders(storage))
          found.insert(reader);
    }
    if (crowded.empty())
      return;
    auto addIfReader = [&](Operation *op) {
      if (llvm::any_of(op->getOperands(), [&](Value operand) {
            return crowded.contains(getStorage(operand));
          }))
        found.insert(op);
    };
    Operation *before = kernel, *behind = kernel;
    for (size_t i = 0; i < trials.near; ++i) {
      if (before && (before = before->getPrevNode()))
        addIfReader(before);
      if (behind && (behind = behind->getNextNode()))
        addIfReader(behind);
    }
  }

  /// Joins kernels of one signature, over any shapes: one launch for as many as
  /// its parameters can name. With `onlyLast`, joins only those that compute
  /// results of the program.
  void joinAlike(bool onlyLast) {
    llvm::MapVector<StringAttr, SmallVector<KernelOp>> alike;
    for (KernelOp kernel : kernels()) {
      if (onlyLast && !isLast(kernel))
        continue;
      KernelForm form = getKernelForm(kernel);
      if (form.kind == KernelKind::Pointwise && !form.signature.empty())
        alike[StringAttr::get(kernel.getContext(), form.signature)].push_back(
            kernel);
    }
    for (auto &[signature, members] : alike)
      joinGreedily(members, [](ArrayRef<KernelOp>, KernelOp) { return true; });
  }

  static bool isLast(KernelOp kernel) {
    return llvm::all_of(kernel.getResults(), [](Value result) {
      return llvm::all_of(getReaders(result), [](Operation *reader) {
        return reader->hasTrait<OpTrait::IsTerminator>();
      });
    });
  }

  /// Joins small kernels that are close together, or read one tensor, as bodies
  /// of one launch.
  void joinSmall() {
    SmallVector<KernelOp> members;
    llvm::DenseMap<Operation *, size_t> position;
    for (KernelOp kernel : kernels()) {
      position[kernel] = position.size();
      if (kindOf(kernel) == KernelKind::Pointwise)
        members.push_back(kernel);
    }
    joinGreedily(members, [&](ArrayRef<KernelOp> group, KernelOp next) {
      if (group.size() >= limits.differentBodies ||
          position[next] - position[group.front()] > limits.distance)
        return false;
      return llvm::all_of(group, [&](KernelOp kernel) {
        return (isSmall(kernel) && isSmall(next)) || readsWith(kernel, next);
      });
    });
  }

  bool isSmall(KernelOp kernel) const {
    return elementsOf(kernel.getResult(0)) <= limits.smallElements;
  }

  static bool readsWith(KernelOp a, KernelOp b) {
    return llvm::any_of(a.getInputs(), [&](Value input) {
      Value storage = getStorage(input);
      return elementsOf(storage) > 1 &&
             llvm::any_of(b.getInputs(), [&](Value other) {
               return getStorage(other) == storage;
             });
    });
  }

  /// Joins kernels horizontally, in groups as large as possible.
  void
  joinGreedily(SmallVector<KernelOp> members,
               function_ref<bool(ArrayRef<KernelOp>, KernelOp)> mayFollow) {
    while (!members.empty()) {
      SmallVector<KernelOp> group = {members.front()}, rest;
      size_t refused = 0; // since the last one that fit
      for (KernelOp next : ArrayRef(members).drop_front()) {
        if (refused < trials.refused && mayFollow(group, next)) {
          group.push_back(next);
          if (isHorizontal(group)) {
            refused = 0;
            continue;
          }
          group.pop_back();
        }
        ++refused;
        rest.push_back(next);
      }
      if (group.size() > 1) {
        FusionAttempt attempt(group, limits);
        if (attempt.refuse().empty())
          commitFusion(attempt);
      }
      members = std::move(rest);
    }
  }

  bool isHorizontal(ArrayRef<KernelOp> group) {
    FusionAttempt attempt(group, limits);
    return attempt.refuse().empty() &&
           attempt.getForm().kind == KernelKind::Horizontal;
  }

  Block &block;
  const llvm::StringSet<> &forms;
  const FusionLimits &limits;
  const Trials &trials;
};

struct FuseKernels final : impl::FuseKernelsPassBase<FuseKernels> {
  using FuseKernelsPassBase::FuseKernelsPassBase;

  void runOnOperation() override {
    static constexpr StringLiteral known[] = {
        "nearby",  "contracted-rows", "prologues", "pointwise", "rows",
        "columns", "epilogues",       "recompute", "horizontal"};
    llvm::StringSet<> chosen;
    for (const std::string &form : forms) {
      if (form != "all" && !llvm::is_contained(known, form)) {
        getOperation()->emitError("no form of fusion is called '")
            << form
            << "'; there are nearby, contracted-rows, prologues, pointwise, "
               "rows, columns, epilogues, recompute, horizontal and all";
        return signalPassFailure();
      }
      chosen.insert(form);
    }
    if (forms.empty() || chosen.contains("all"))
      for (StringRef form : known)
        chosen.insert(form);
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) {
      if (!block->getOps<KernelOp>().empty())
        blocks.push_back(block);
    });
    FusionLimits limits;
    limits.contractedBytes = contractedBytes;
    limits.contractedWidth = contractedWidth;
    limits.recomputedFlopsPerByte = recomputedFlops;
    limits.apart.assign(apart.begin(), apart.end());
    const Trials trials = {readers, near, refused};
    if (chosen.contains("nearby"))
      for (Block *block : blocks)
        mergeNearbyKernels(*block, limits);
    for (Block *block : blocks)
      BlockFusion(*block, chosen, limits, trials).run();
    remarkBoundaries(getOperation());
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
