// Matches kernels of one contraction; see ContractSchedule.h, and
// ContractEmitter.h for what is emitted.

#include "ContractSchedule.h"

#include "ContractAccess.h"
#include "ContractEmitter.h"
#include "ContractEpilogue.h"
#include "gensyn/Codegen/Contraction/ContractView.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Kernel/KernelEmitter.h"
#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"
#include "gensyn/Numerics/Sizes.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// A kernel read as one contraction.
struct ContractMatch {
  repro::KernelForm form;
  GemmView view;
  ContractSizes sizes;
  Value a, b; ///< block arguments
  Type sum;   ///< element type of the sums
  ContractKind kind = ContractKind::Plain;
  std::string error; ///< of the schedule attribute; empty: none
};

Type elementOf(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getElementType();
}

/// Integers are summed modulo 2^32 at least, which the result is taken of.
Type sumTypeOf(Type result) {
  auto integer = dyn_cast<IntegerType>(result);
  if (!integer || integer.getWidth() >= 32)
    return result;
  return IntegerType::get(integer.getContext(), 32, integer.getSignedness());
}

/// Matrix units add products of bytes modulo 2^32. A schedule can do without
/// them.
ContractKind kindOf(const ContractMatch &match, Attribute schedule,
                    const Target &target) {
  const Value operands[] = {match.a, match.b};
  auto fields = dyn_cast_or_null<DictionaryAttr>(schedule);
  auto wanted = fields ? fields.getAs<BoolAttr>("matrix") : BoolAttr();
  if (target.matrixPoints > 0 && (!wanted || wanted.getValue()) &&
      match.sum.isInteger(32) && llvm::all_of(operands, [](Value operand) {
        return elementOf(operand).isInteger(8);
      }))
    return ContractKind::Matrix;
  const bool isConverted = llvm::any_of(operands, [&](Value operand) {
    return codegen::getScalarType(elementOf(operand)) !=
           codegen::getScalarType(match.sum);
  });
  return isConverted ? ContractKind::Converted : ContractKind::Plain;
}

/// Sets the reason, if it is not null, if a kernel of one contraction does not
/// match.
std::optional<ContractMatch> matchContract(repro::KernelOp kernel,
                                           const Target &target,
                                           Attribute schedule,
                                           StringRef *reason = nullptr) {
  ContractMatch match;
  match.form = repro::getKernelForm(kernel);
  if (match.form.kind != repro::KernelKind::Contraction)
    return std::nullopt;
  auto fail = [&](StringRef why) {
    if (reason)
      *reason = why;
    return std::nullopt;
  };
  if (!llvm::all_of(match.form.contraction->getOperands(),
                    llvm::IsaPred<BlockArgument>))
    return fail("an operand is computed by the kernel");
  auto view = codegen::viewContractTiles(match.form.contraction, reason);
  if (!view)
    return std::nullopt;
  if (!hasShortNumbers(view->gemm))
    return fail("its rows, columns, points or indices exceed 32 bits");
  match.view = view->gemm;
  match.a = match.form.contraction.getLhs();
  match.b = match.form.contraction.getRhs();
  if (view->swapped)
    std::swap(match.a, match.b);
  match.sum = sumTypeOf(elementOf(match.form.contraction.getResult()));
  const int64_t elementBytes = match.sum.getIntOrFloatBitWidth() / 8;
  // The rest of a tile is filled with zeros, of which this type has none.
  for (Value operand : {match.a, match.b})
    if (isa<Float8E8M0FNUType>(elementOf(operand)))
      return fail("the type of an operand has no zero");
  const ContractKind kind = match.kind = kindOf(match, schedule, target);
  auto sizes = readContractSizes(schedule, match.view, target, elementBytes,
                                 kind, match.error);
  match.sizes = sizes.value_or(
      chooseContractSizes(match.view, target, elementBytes, kind));
  // Elements that are converted go through registers, and so do those that
  // matrix units need in another order.
  if (kind == ContractKind::Converted ||
      (kind == ContractKind::Matrix &&
       llvm::none_of(ArrayRef{GemmTensor::A, GemmTensor::B},
                     [&](GemmTensor tensor) {
                       return getMatrixCopy(match.view, tensor).isDirect();
                     }))) {
    match.sizes.async = false;
    match.sizes.stages = 2;
  }
  // Sums of integers have no order: their points are parted for the grid alone.
  if (!match.form.contraction.getOrder() && !match.sizes.split)
    match.view.blockSize = match.view.numPoints();
  for (GemmTensor tensor : {GemmTensor::A, GemmTensor::B})
    match.sizes.tableBytes +=
        PointTable(match.view, match.sizes, tensor).bytes();
  // What a thread holds of the table leaves too few registers for two large
  // blocks on a multiprocessor.
  if (match.sizes.tableBytes > 0 && match.sizes.threads() >= 256)
    match.sizes.minBlocks = std::min<int64_t>(match.sizes.minBlocks, 1);
  if (match.error.empty() &&
      match.sizes.sharedBytes() + kPlaceBytes > target.sharedBytes)
    match.error = "the tiles do not fit the shared memory";
  const ContractGrid grid(match.view, match.sizes, target);
  if (saturatingMultiply(grid.tiles, std::max(grid.parts, grid.sumBlocks)) >
          kMostOf32Bits ||
      grid.sums > kMaxElements)
    return fail("it has too many tiles");
  return match;
}

std::optional<ContractMatch> matchContract(repro::KernelOp kernel,
                                           const Target &target) {
  return matchContract(kernel, target,
                       kernel.getSchedule().value_or(Attribute()));
}

/// The alternatives of a kernel.
constexpr size_t kMostAlternatives = 3;

class ContractSchedule final : public Schedule {
public:
  StringRef getName() const override { return "contract"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    auto found = matchContract(kernel, target);
    if (!found)
      return std::nullopt;
    const ContractSizes &sizes = found->sizes;
    const ContractGrid grid(found->view, sizes, target);
    KernelPlan plan;
    if (grid.workspaceBytes > 0)
      plan.workspaces.push_back(grid.workspaceBytes);
    LaunchPlan launch;
    launch.block[0] = sizes.threads();
    launch.grid[0] = grid.tiles;
    if (sizes.split) {
      LaunchPlan sum = launch;
      sum.suffix = "sum";
      launch.flops = found->form.contraction.getFlops();
      sum.grid[0] *= grid.sumBlocks;
      launch.suffix = "blocks";
      launch.grid[0] *= grid.parts;
      plan.launches.push_back(sum);
    }
    launch.sharedBytes = std::max(sizes.sharedBytes() + kPlaceBytes,
                                  ContractEpilogue::sharedBytes(kernel, sizes));
    launch.minBlocks = static_cast<int>(sizes.minBlocks);
    plan.launches.insert(plan.launches.begin(), launch);
    return plan;
  }

  /// The next rows of the table.
  SmallVector<DictionaryAttr>
  findAlternatives(repro::KernelOp kernel,
                   const Target &target) const override {
    SmallVector<DictionaryAttr> alternatives;
    const auto own = matchContract(kernel, target);
    const auto ranked = rankContractSizes(
        codegen::viewContractTiles(own->form.contraction)->gemm, target,
        own->sizes.elementBytes, own->kind);
    for (const ContractSizes &sizes :
         ArrayRef(ranked).drop_front(ranked.empty() ? 0 : 1)) {
      DictionaryAttr fields = toAttribute(sizes, kernel.getContext());
      const auto other = matchContract(kernel, target, fields);
      if (other && other->error.empty())
        alternatives.push_back(fields);
      if (alternatives.size() == kMostAlternatives)
        break;
    }
    return alternatives;
  }

  std::string explain(repro::KernelOp kernel,
                      const Target &target) const override {
    StringRef reason;
    (void)matchContract(kernel, target,
                        kernel.getSchedule().value_or(Attribute()), &reason);
    return reason.str();
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    auto found = matchContract(kernel, target);
    if (!found->error.empty())
      return kernel.emitOpError("has a bad schedule: ") << found->error;
    KernelBuilder k(builder, kernel.getLoc(), function.function, target);
    auto pointerOf = [&](Value operand) {
      return function.inputs[cast<BlockArgument>(operand).getArgNumber()];
    };
    ContractSide a(k, found->view, found->sizes, GemmTensor::A,
                   elementOf(found->a), found->sum, pointerOf(found->a));
    ContractSide b(k, found->view, found->sizes, GemmTensor::B,
                   elementOf(found->b), found->sum, pointerOf(found->b));
    ContractEmitter emitter(k, found->view, found->sizes, a, b);
    Value workspace =
        function.workspaces.empty() ? Value() : function.workspaces.front();
    ContractEpilogue epilogue(k, kernel, found->form, target, function,
                              found->view, found->sizes);
    if (launch == 1)
      return epilogue.emitVector(emitter.emitSum(workspace), emitter, a, b);
    auto results = emitter.emitProduct(function.shared, workspace);
    return results.empty() ? success() : epilogue.emit(results, emitter, a, b);
  }
};

} // namespace

std::unique_ptr<Schedule> createContractSchedule() {
  return std::make_unique<ContractSchedule>();
}

} // namespace gensyn::gpu
