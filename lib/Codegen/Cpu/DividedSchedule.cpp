// The schedule of contractions with an epilogue that the contraction's own
// schedule does not compute: launches of the contraction, then of the epilogue,
// as if they were two kernels.

#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Codegen/Plan/InPlace.h"
#include "gensyn/Codegen/Plan/LastingOperands.h"
#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// A kernel of some ops of another one. Its operands are `outside`.
struct Part {
  std::unique_ptr<Block> outside = std::make_unique<Block>();
  OwningOpRef<repro::KernelOp> kernel;
  /// The arguments and results of the whole kernel. std::nullopt: the result of
  /// the contraction, read by the other part.
  SmallVector<std::optional<unsigned>> inputs;
  SmallVector<unsigned> outputs;
  ScheduleChoice choice;
};

/// A kernel in two parts. The contraction's result has the buffer of a result
/// of the kernel, or else a workspace, the kernel's last.
struct Division {
  Part contraction, rest;
  std::optional<unsigned> buffer;
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
    part.inputs.push_back(argument ? std::optional(argument.getArgNumber())
                                   : std::nullopt);
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
  for (auto [number, input] : llvm::enumerate(part.inputs))
    if (input && codegen::isLastingOperand(kernel, *input))
      lasting.push_back(int64_t(number));
  codegen::setLastingOperands(made, lasting);
  return part;
}

/// Divides a contraction with an epilogue; std::nullopt for other kernels.
std::optional<Division> divide(repro::KernelOp kernel) {
  auto contractions = kernel.getBlock().getOps<repro::ContractOp>();
  if (llvm::hasNItems(kernel.getBlock(), 2) ||
      !llvm::hasSingleElement(contractions) ||
      repro::getKernelForm(kernel).kind != repro::KernelKind::Contraction)
    return std::nullopt;
  repro::ContractOp contraction = *contractions.begin();
  Value sum = contraction.getResult();
  Division division;
  division.contraction = createPart(kernel, contraction.getOperation(), sum,
                                    kernel.getSchedule().value_or(Attribute()));
  SmallVector<Operation *> ops;
  for (Operation &op : kernel.getBlock().without_terminator())
    if (&op != contraction)
      ops.push_back(&op);
  SmallVector<Value> yielded;
  SmallVector<unsigned> outputs;
  for (auto [number, value] : llvm::enumerate(kernel.getYielded())) {
    if (value == sum && !division.buffer) {
      division.buffer = number;
      continue;
    }
    yielded.push_back(value);
    outputs.push_back(number);
  }
  if (yielded.empty())
    return std::nullopt;
  division.rest = createPart(kernel, ops, yielded, Attribute());
  division.rest.outputs = outputs;
  if (!division.buffer)
    for (auto [operand, result] :
         codegen::findInPlacePairs(*division.rest.kernel))
      if (!division.rest.inputs[operand] && !division.buffer)
        division.buffer = outputs[result];
  return division;
}

class Divided final : public Schedule {
public:
  StringRef getName() const override { return "divided"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    std::optional<Division> division = choose(kernel, target);
    if (!division)
      return std::nullopt;
    KernelPlan plan = division->contraction.choice.plan;
    const KernelPlan &rest = division->rest.choice.plan;
    for (LaunchPlan &launch : plan.launches) {
      launch.schedule = codegen::nameSchedule(division->contraction.choice);
      translateUnread(launch.unread, *division);
    }
    plan.workspaces.append(rest.workspaces);
    for (LaunchPlan launch : rest.launches) {
      launch.suffix = codegen::nameFunction("epilogue", launch.suffix);
      launch.schedule = codegen::nameSchedule(division->rest.choice);
      plan.launches.push_back(launch);
    }
    if (!division->buffer)
      plan.workspaces.push_back(
          repro::bytesOf(division->contraction.kernel->getResultTypes()[0]));
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    Division division = *choose(kernel, target);
    const Part &first = division.contraction, &second = division.rest;
    KernelFunction own = function;
    own.inputs.clear();
    own.outputs.clear();
    Location location = kernel.getLoc();
    Value sum = division.buffer ? function.outputs[*division.buffer]
                                : viewWorkspace(first, function, builder);
    auto as = [&](Value buffer, Type type) {
      return reshape(buffer, cast<RankedTensorType>(type), location, builder);
    };
    const ArrayRef<Value> workspaces(function.workspaces);
    const size_t ofFirst = first.choice.plan.workspaces.size(),
                 ofSecond = second.choice.plan.workspaces.size(),
                 launches = first.choice.plan.launches.size();
    const bool isFirst = launch < launches;
    const Part &part = isFirst ? first : second;
    for (auto [input, argument] :
         llvm::zip_equal(part.inputs, part.outside->getArguments()))
      own.inputs.push_back(
          as(input ? function.inputs[*input] : sum, argument.getType()));
    for (unsigned output : part.outputs)
      own.outputs.push_back(function.outputs[output]);
    if (isFirst) {
      repro::KernelOp contraction = first.kernel.get();
      own.outputs.push_back(as(sum, contraction.getResultTypes()[0]));
      own.faults.clear();
      own.workspaces.assign(workspaces.take_front(ofFirst));
    } else {
      own.workspaces.assign(workspaces.slice(ofFirst, ofSecond));
    }
    return part.choice.schedule->emit(
        part.kernel.get(), part.choice.plan,
        isFirst ? launch : unsigned(launch - launches), target, own, builder);
  }

private:
  /// Makes operands of the contraction those of the whole kernel, without those
  /// that the epilogue reads.
  static void translateUnread(SmallVectorImpl<unsigned> &unread,
                              const Division &division) {
    SmallVector<unsigned> translated;
    for (unsigned operand : unread)
      if (std::optional<unsigned> input = division.contraction.inputs[operand];
          input && !llvm::is_contained(division.rest.inputs, input))
        translated.push_back(*input);
    unread.assign(translated);
  }

  /// Divides a kernel unless the schedule that the contraction would have by
  /// itself accepts the whole.
  std::optional<Division> choose(repro::KernelOp kernel,
                                 const Target &target) const {
    std::optional<Division> division = divide(kernel);
    if (!division)
      return std::nullopt;
    Part &first = division->contraction, &second = division->rest;
    first.choice = chooseSchedule(getSchedules(), *first.kernel, target);
    if (first.choice.schedule->match(kernel, target))
      return std::nullopt;
    second.choice = chooseSchedule(getSchedules(), *second.kernel, target);
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

  static Value viewWorkspace(const Part &contraction,
                             const KernelFunction &function,
                             OpBuilder &builder) {
    repro::KernelOp kernel = contraction.kernel.get();
    auto type = codegen::getBufferType(repro::typeOf(kernel.getResult(0)));
    Location location = kernel.getLoc();
    return memref::ViewOp::create(
        builder, location, type, function.workspaces.back(),
        arith::ConstantIndexOp::create(builder, location, 0), ValueRange());
  }
};

} // namespace

/// Accepts contractions with an epilogue if the contraction's own schedule does
/// not accept the whole kernel. C has the buffer of a result that overwrites it
/// element by element, or a workspace.
std::unique_ptr<Schedule> createDividedSchedule() {
  return std::make_unique<Divided>();
}

} // namespace gensyn::cpu
