// The schedule of contractions with prologues and an epilogue that the
// contraction's own schedule does not compute: launches of the prologues, of
// the contraction, then of the epilogue, as if they were several kernels.

#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Codegen/Plan/InPlace.h"
#include "gensyn/Codegen/Plan/LastingOperands.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

constexpr llvm::StringLiteral kPrologue("prologue");

/// A kernel of some ops of another one. Its operands are `outside`.
struct Part {
  std::string suffix; ///< of its launches
  std::unique_ptr<Block> outside = std::make_unique<Block>();
  OwningOpRef<repro::KernelOp> kernel;
  /// Values of the whole kernel: arguments and results of other parts.
  SmallVector<Value> inputs, outputs;
  /// For the epilogue: the numbers of the whole kernel's results.
  SmallVector<unsigned> results;
  ScheduleChoice choice = {};

  /// The number of the whole kernel's argument; std::nullopt if another part
  /// computes the operand.
  std::optional<unsigned> argumentOf(unsigned operand) const {
    auto argument = dyn_cast<BlockArgument>(inputs[operand]);
    return argument ? std::optional(argument.getArgNumber()) : std::nullopt;
  }
};

/// A kernel in several parts: prologues, the contraction, the epilogue.
struct Division {
  std::vector<Part> parts;
  /// The results of the kernel whose buffers hold values that parts compute
  /// before the epilogue, and the values that have workspaces, the kernel's
  /// last ones.
  llvm::DenseMap<Value, unsigned> buffers;
  SmallVector<Value> stored;
};

/// Creates a part that computes `yielded` by `ops`. Of values that it only
/// reads in another shape, it has that shape, as kernels have before they are
/// fused.
Part createPart(repro::KernelOp kernel, ArrayRef<Operation *> ops,
                ArrayRef<Value> yielded, Attribute schedule) {
  OpBuilder builder(kernel.getContext());
  Part part;
  auto made = repro::KernelOp::create(builder, kernel.getLoc(),
                                      ValueRange(yielded).getTypes(),
                                      kernel.getSym(), ValueRange(), schedule);
  part.kernel = made;
  Block *block = builder.createBlock(&made.getBody());
  IRMapping mapping;
  auto import = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (mapping.contains(value) ||
        (!argument && llvm::is_contained(ops, value.getDefiningOp())))
      return;
    SmallVector<Operation *> readers;
    for (Operation *user : value.getUsers())
      if (llvm::is_contained(ops, user))
        readers.push_back(user);
    Type type = value.getType();
    if (!llvm::is_contained(yielded, value) &&
        llvm::all_of(readers, [&](Operation *reader) {
          return isa<repro::ReshapeOp>(reader) &&
                 reader->getResultTypes() == readers.front()->getResultTypes();
        }))
      type = readers.front()->getResult(0).getType();
    Value inside = block->addArgument(type, value.getLoc());
    mapping.map(value, inside);
    if (type != value.getType())
      for (Operation *reader : readers)
        mapping.map(reader->getResult(0), inside);
    part.outside->addArgument(type, value.getLoc());
    part.inputs.push_back(value);
  };
  for (Operation *op : ops)
    llvm::for_each(op->getOperands(), import);
  llvm::for_each(yielded, import);
  for (Operation *op : ops)
    if (!mapping.contains(op->getResult(0)))
      builder.clone(*op, mapping);
  SmallVector<Value> results;
  for (Value value : yielded)
    results.push_back(mapping.lookup(value));
  repro::YieldOp::create(builder, kernel.getLoc(), results);
  made->setOperands(part.outside->getArguments());
  SmallVector<int64_t> lasting;
  for (unsigned number = 0; number < part.inputs.size(); ++number)
    if (auto argument = part.argumentOf(number);
        argument && codegen::isLastingOperand(kernel, *argument))
      lasting.push_back(int64_t(number));
  codegen::setLastingOperands(made, lasting);
  return part;
}

/// Returns the ops that compute `values`, in order, without `end`.
SmallVector<Operation *> findOps(repro::KernelOp kernel, ValueRange values,
                                 Operation *end) {
  llvm::SmallPtrSet<Operation *, 16> found;
  SmallVector<Value> open(values.begin(), values.end());
  while (!open.empty())
    if (Operation *op = open.pop_back_val().getDefiningOp();
        op && op != end && found.insert(op).second)
      open.append(op->operand_begin(), op->operand_end());
  SmallVector<Operation *> ops;
  for (Operation &op : kernel.getBlock())
    if (found.contains(&op))
      ops.push_back(&op);
  return ops;
}

/// Returns the part of the contraction, with or without its prologues.
Part createContraction(repro::KernelOp kernel, repro::ContractOp contraction,
                       bool withPrologues) {
  SmallVector<Operation *> ops;
  if (withPrologues)
    ops = findOps(kernel, contraction->getOperands(), nullptr);
  ops.push_back(contraction);
  Part part = createPart(kernel, ops, contraction.getResult(),
                         kernel.getSchedule().value_or(Attribute()));
  part.outputs.push_back(contraction.getResult());
  return part;
}

/// Adds a part for each operand of the contraction that is computed.
void addPrologues(repro::KernelOp kernel, repro::ContractOp contraction,
                  Division &division) {
  for (Value operand : contraction->getOperands()) {
    if (isa<BlockArgument>(operand) ||
        llvm::is_contained(division.stored, operand))
      continue;
    Part part = createPart(kernel, findOps(kernel, operand, nullptr), operand,
                           Attribute());
    part.suffix = kPrologue;
    if (!division.stored.empty())
      part.suffix += std::to_string(division.stored.size());
    part.outputs.push_back(operand);
    division.stored.push_back(operand);
    division.parts.push_back(std::move(part));
  }
}

/// Adds the epilogue, if there is one, and finds the buffer of the
/// contraction's result.
void addEpilogue(repro::KernelOp kernel, repro::ContractOp contraction,
                 Division &division) {
  Value sum = contraction.getResult();
  SmallVector<Value> yielded;
  SmallVector<unsigned> outputs;
  for (auto [number, value] : llvm::enumerate(kernel.getYielded())) {
    if (value == sum && division.buffers.try_emplace(sum, number).second)
      continue;
    yielded.push_back(value);
    outputs.push_back(number);
  }
  if (yielded.empty())
    return;
  Part rest = createPart(kernel, findOps(kernel, yielded, contraction), yielded,
                         Attribute());
  rest.suffix = "epilogue";
  rest.outputs = yielded;
  for (auto [operand, result] : codegen::findInPlacePairs(*rest.kernel))
    if (rest.inputs[operand] == sum)
      division.buffers.try_emplace(sum, outputs[result]);
  if (!division.buffers.contains(sum))
    division.stored.push_back(sum);
  rest.results = outputs;
  division.parts.push_back(std::move(rest));
}

class Divided final : public Schedule {
public:
  StringRef getName() const override { return "divided"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    std::optional<Division> division = choose(kernel, target);
    if (!division)
      return std::nullopt;
    KernelPlan plan;
    for (const Part &part : division->parts) {
      const unsigned before = unsigned(plan.workspaces.size());
      plan.workspaces.append(part.choice.plan.workspaces);
      for (LaunchPlan launch : part.choice.plan.launches) {
        if (!part.suffix.empty())
          launch.suffix = codegen::nameFunction(part.suffix, launch.suffix);
        launch.schedule = codegen::nameSchedule(part.choice);
        for (unsigned &workspace : launch.prepared)
          workspace += before;
        translateUnread(launch.unread, *division, part);
        plan.launches.push_back(launch);
      }
      plan.launches.back().flops = codegen::countKernelFlops(*part.kernel);
    }
    const unsigned first = unsigned(plan.workspaces.size());
    for (Value value : division->stored)
      plan.workspaces.push_back(repro::bytesOf(value.getType()));
    // What a prologue computes from lasting operands is kept.
    size_t launch = 0;
    for (const Part &part : division->parts) {
      const KernelPlan &own = part.choice.plan;
      if (isLasting(kernel, part) && own.workspaces.empty() &&
          own.launches.size() == 1)
        plan.launches[launch].prepared.push_back(
            first + unsigned(llvm::find(division->stored, part.outputs[0]) -
                             division->stored.begin()));
      launch += own.launches.size();
    }
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    Division division = *choose(kernel, target);
    size_t workspaces = 0;
    const Part *part = division.parts.data();
    for (; launch >= part->choice.plan.launches.size(); ++part) {
      launch -= unsigned(part->choice.plan.launches.size());
      workspaces += part->choice.plan.workspaces.size();
    }
    KernelFunction own = function;
    own.inputs.clear();
    own.outputs.clear();
    Location location = kernel.getLoc();
    // The buffer of a value of the whole kernel, in the shape of `type`.
    auto bufferOf = [&](Value value, Type type) {
      Value buffer;
      if (auto argument = dyn_cast<BlockArgument>(value))
        buffer = function.inputs[argument.getArgNumber()];
      else if (auto found = division.buffers.find(value);
               found != division.buffers.end())
        buffer = function.outputs[found->second];
      else
        buffer = viewWorkspace(division, value, function, location, builder);
      return reshape(buffer, cast<RankedTensorType>(type), location, builder);
    };
    for (auto [input, argument] :
         llvm::zip_equal(part->inputs, part->outside->getArguments()))
      own.inputs.push_back(bufferOf(input, argument.getType()));
    repro::KernelOp inner = *part->kernel;
    if (!part->results.empty())
      for (unsigned result : part->results)
        own.outputs.push_back(function.outputs[result]);
    else
      for (auto [value, type] :
           llvm::zip_equal(part->outputs, inner.getResultTypes()))
        own.outputs.push_back(bufferOf(value, type));
    if (inner.getFaultingOps().empty())
      own.faults.clear();
    own.workspaces.assign(
        ArrayRef<Value>(function.workspaces)
            .slice(workspaces, part->choice.plan.workspaces.size()));
    return part->choice.schedule->emit(inner, part->choice.plan, launch, target,
                                       own, builder);
  }

private:
  /// True if the part computes an operand of the contraction from operands that
  /// last.
  static bool isLasting(repro::KernelOp kernel, const Part &part) {
    if (!StringRef(part.suffix).starts_with(kPrologue))
      return false;
    for (unsigned input = 0; input < part.inputs.size(); ++input)
      if (auto argument = part.argumentOf(input);
          !argument || !codegen::isLastingOperand(kernel, *argument))
        return false;
    return true;
  }

  /// Makes operands of the part those of the whole kernel, without those that
  /// other parts read.
  static void translateUnread(SmallVectorImpl<unsigned> &unread,
                              const Division &division, const Part &part) {
    SmallVector<unsigned> translated;
    for (unsigned operand : unread)
      if (auto argument = part.argumentOf(operand);
          argument && llvm::none_of(division.parts, [&](const Part &other) {
            return &other != &part &&
                   llvm::is_contained(other.inputs, part.inputs[operand]);
          }))
        translated.push_back(*argument);
    unread.assign(translated);
  }

  /// Divides a kernel unless the schedule that the contraction would have by
  /// itself accepts the whole. If that accepts the prologues, they stay with
  /// the contraction.
  std::optional<Division> choose(repro::KernelOp kernel,
                                 const Target &target) const {
    auto contractions = kernel.getBlock().getOps<repro::ContractOp>();
    if (llvm::hasNItems(kernel.getBlock(), 2) ||
        !llvm::hasSingleElement(contractions) ||
        repro::getKernelForm(kernel).kind != repro::KernelKind::Contraction)
      return std::nullopt;
    repro::ContractOp contraction = *contractions.begin();
    auto choiceOf = [&](Part &part) {
      return chooseSchedule(getSchedules(), *part.kernel, target);
    };
    Part alone = createContraction(kernel, contraction, false);
    alone.choice = choiceOf(alone);
    if (alone.choice.schedule->match(kernel, target))
      return std::nullopt;
    Division division;
    Part whole = createContraction(kernel, contraction, true);
    if (auto plan = alone.choice.schedule->match(*whole.kernel, target)) {
      whole.choice = {alone.choice.schedule, std::move(*plan)};
      division.parts.push_back(std::move(whole));
    } else {
      addPrologues(kernel, contraction, division);
      division.parts.push_back(std::move(alone));
    }
    addEpilogue(kernel, contraction, division);
    if (division.parts.size() == 1)
      return std::nullopt;
    for (Part &part : division.parts)
      if (!part.choice.schedule)
        part.choice = choiceOf(part);
    return division;
  }

  /// Returns a buffer of the same elements in the shape of `type`.
  static Value reshape(Value buffer, RankedTensorType type, Location location,
                       OpBuilder &builder) {
    const MemRefType wanted = codegen::getBufferType(type);
    if (buffer.getType() == wanted)
      return buffer;
    SmallVector<int64_t> strides(wanted.getRank(), 1);
    for (size_t i = strides.size(); i-- > 1;)
      strides[i - 1] = strides[i] * wanted.getDimSize(unsigned(i));
    return memref::ReinterpretCastOp::create(builder, location, wanted, buffer,
                                             /*offset=*/0, wanted.getShape(),
                                             strides);
  }

  static Value viewWorkspace(const Division &division, Value value,
                             const KernelFunction &function, Location location,
                             OpBuilder &builder) {
    const auto number =
        llvm::find(division.stored, value) - division.stored.begin();
    return memref::ViewOp::create(
        builder, location, codegen::getBufferType(repro::typeOf(value)),
        ArrayRef<Value>(function.workspaces)
            .take_back(division.stored.size())[size_t(number)],
        arith::ConstantIndexOp::create(builder, location, 0), ValueRange());
  }
};

} // namespace

/// Accepts contractions with prologues or an epilogue if the contraction's own
/// schedule does not accept the whole kernel. C has the buffer of a result that
/// overwrites it element by element, or a workspace.
std::unique_ptr<Schedule> createDividedSchedule() {
  return std::make_unique<Divided>();
}

} // namespace gensyn::cpu
