// Matches kernels of one contraction; see BatchContractSchedule.h.

#include "BatchContractSchedule.h"

#include "BatchEmitter.h"
#include "ContractSchedule.h"
#include "gensyn/Codegen/Contraction/ContractView.h"

using namespace mlir;

namespace gensyn::cpu {

namespace {

Type elementTypeOf(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getElementType();
}

repro::ContractOp findContract(repro::KernelOp kernel) {
  Block &block = kernel.getBlock();
  if (!llvm::hasNItems(block, 2) || kernel.getNumResults() != 1)
    return {};
  auto contract = dyn_cast<repro::ContractOp>(block.front());
  if (!contract)
    return {};
  // Elements out of bounds are zeros, of which this type has none.
  for (Value operand : {contract.getLhs(), contract.getRhs()})
    if (!isa<BlockArgument>(operand) ||
        isa<Float8E8M0FNUType>(elementTypeOf(operand)))
      return {};
  return contract;
}

int64_t bytesOfSum(repro::ContractOp contract) {
  return sumTypeOf(elementTypeOf(contract.getResult()))
             .getIntOrFloatBitWidth() /
         8;
}

class BatchContractSchedule final : public Schedule {
public:
  explicit BatchContractSchedule(
      std::function<BatchSizes(const ContractBox &)> choose)
      : choose(std::move(choose)) {}

  StringRef getName() const override { return "batch-contract"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    repro::ContractOp contract = findContract(kernel);
    if (!contract || kernel.getScheduleAttr())
      return std::nullopt;
    const std::vector<ContractBox> boxes = codegen::divideContract(contract);
    double cycles = 0;
    const auto sizes = sizesOf(contract, boxes, target, cycles);
    if (!sizes || (!choose && !isFaster(contract, target, cycles)))
      return std::nullopt;
    KernelPlan plan;
    LaunchPlan &launch = plan.launches.emplace_back();
    launch.tiles = 0;
    for (auto [box, size] : llvm::zip_equal(boxes, *sizes)) {
      const BatchLayout layout(box, size);
      launch.tiles += layout.tiles;
      launch.scratchBytes = std::max(launch.scratchBytes, layout.scratchBytes);
    }
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &builder) const override {
    repro::ContractOp contract = findContract(kernel);
    const std::vector<ContractBox> boxes = codegen::divideContract(contract);
    double cycles = 0;
    const auto sizes = sizesOf(contract, boxes, target, cycles);
    int64_t first = 0; // tile of the box
    for (auto [number, box] : llvm::enumerate(boxes)) {
      const BatchSizes &size = (*sizes)[number];
      CpuBuilder code(builder, kernel.getLoc(), size.lanes,
                      sumTypeOf(elementTypeOf(contract.getResult())));
      const BatchTensors tensors{
          StoredTensor(code, elementTypeOf(contract.getLhs()),
                       target.hasHalfConversion),
          StoredTensor(code, elementTypeOf(contract.getRhs()),
                       target.hasHalfConversion),
          StoredTensor(code, elementTypeOf(contract.getResult()))};
      const BatchLayout layout(box, size);
      BatchPointers pointers;
      auto argument = [&](Value operand) {
        return code.pointer(
            function.inputs[cast<BlockArgument>(operand).getArgNumber()]);
      };
      pointers.operands[0] = argument(contract.getLhs());
      pointers.operands[1] = argument(contract.getRhs());
      pointers.result = code.pointer(function.outputs[0]);
      pointers.scratch = code.pointer(function.scratch);
      Value begin = code.toI64(function.begin), end = code.toI64(function.end);
      begin = code.maxSigned(code.sub(begin, code.constant(first)),
                             code.constant(0));
      end = code.minSigned(code.sub(end, code.constant(first)),
                           code.constant(layout.tiles));
      first += layout.tiles;
      BatchEmitter(code, tensors, layout, function.function, unsigned(number))
          .emitTiles(begin, end, pointers);
    }
    return success();
  }

private:
  std::optional<std::vector<BatchSizes>>
  sizesOf(repro::ContractOp contract, const std::vector<ContractBox> &boxes,
          const Target &target, double &cycles) const {
    const int64_t sumBytes = bytesOfSum(contract);
    std::vector<BatchSizes> result;
    for (const ContractBox &box : boxes) {
      const auto choice = chooseBatchSizes(box, sumBytes, target);
      if (!choice)
        return std::nullopt;
      cycles += choice->cycles;
      result.push_back(choose ? fitted(choose(box), box) : choice->sizes);
      result.back().sumBytes = sumBytes;
    }
    return boxes.empty() ? std::nullopt : std::optional(result);
  }

  static bool isFaster(repro::ContractOp contract, const Target &target,
                       double cycles) {
    const auto product = estimateProductCycles(contract, target);
    return !product || cycles < *product;
  }

  std::function<BatchSizes(const ContractBox &)> choose;
};

} // namespace

std::optional<double> estimateBatchCycles(repro::ContractOp contract,
                                          const Target &target) {
  double cycles = 0;
  const std::vector<ContractBox> boxes = codegen::divideContract(contract);
  for (const ContractBox &box : boxes) {
    const auto choice = chooseBatchSizes(box, bytesOfSum(contract), target);
    if (!choice)
      return std::nullopt;
    cycles += choice->cycles;
  }
  return boxes.empty() ? std::nullopt : std::optional(cycles);
}

std::optional<double> estimateProductCycles(repro::ContractOp contract,
                                            const Target &target) {
  double cycles = 0;
  const Type sum = sumTypeOf(elementTypeOf(contract.getResult()));
  const auto views =
      codegen::viewContract(contract, target.lanes(bytesOfSum(contract)));
  for (const codegen::ContractView &view : views) {
    Type a = elementTypeOf(contract.getLhs()),
         b = elementTypeOf(contract.getRhs());
    if (view.swapped)
      std::swap(a, b);
    GemmMachine machine = machineFor(sum, a, b, target);
    machine.pointsToRows = !machine.convertsA;
    cycles += estimateCycles(view.gemm, machine, target);
  }
  return views.empty() ? std::nullopt : std::optional(cycles);
}

std::unique_ptr<Schedule> createBatchContractSchedule() {
  return std::make_unique<BatchContractSchedule>(nullptr);
}

std::unique_ptr<Schedule> createBatchContractSchedule(
    std::function<BatchSizes(const ContractBox &)> choose) {
  return std::make_unique<BatchContractSchedule>(std::move(choose));
}

} // namespace gensyn::cpu
