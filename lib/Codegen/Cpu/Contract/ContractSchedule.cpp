// Matches kernels of one contraction; see ContractSchedule.h and Gemm.h.

#include "ContractSchedule.h"

#include "Gemm.h"
#include "gensyn/Codegen/Contraction/ContractView.h"
#include "gensyn/Codegen/Schedule/ScheduleFields.h"

using namespace mlir;

namespace gensyn::cpu {

std::optional<GemmSizes> readGemmSizes(Attribute schedule, const GemmView &view,
                                       int64_t lanes, std::string &error) {
  GemmSizes sizes = chooseGemmSizes(view, lanes);
  auto fields = dyn_cast_if_present<DictionaryAttr>(schedule);
  if (!fields)
    return sizes;
  const std::pair<StringRef, int64_t *> numbers[] = {
      {"lanes", &sizes.lanes}, {"mr", &sizes.mr},
      {"nv", &sizes.nv},       {"kc", &sizes.kc},
      {"rows", &sizes.rows},   {"unroll", &sizes.unroll}};
  const std::pair<StringRef, bool *> flags[] = {{"pack_a", &sizes.packA},
                                                {"pack_b", &sizes.packB}};
  if (!codegen::readScheduleFields(fields, numbers, flags, error))
    return std::nullopt;
  if (auto problem = checkSizes(sizes)) {
    error = problem->str();
    return std::nullopt;
  }
  return fitted(sizes, view);
}

namespace {

/// A kernel that is one contraction, with the arguments that are its operands.
struct Match {
  struct View {
    codegen::ContractView view;
    unsigned a, b;
  };
  std::vector<View> views;
};

std::optional<Match> matchKernel(repro::KernelOp kernel, int64_t lanes) {
  Block &block = kernel.getBlock();
  if (!llvm::hasNItems(block, 2) || kernel.getNumResults() != 1)
    return std::nullopt;
  auto contract = dyn_cast<repro::ContractOp>(block.front());
  if (!contract)
    return std::nullopt;
  auto lhs = dyn_cast<BlockArgument>(contract.getLhs());
  auto rhs = dyn_cast<BlockArgument>(contract.getRhs());
  if (!lhs || !rhs)
    return std::nullopt;
  Match match;
  for (const codegen::ContractView &view :
       codegen::viewContract(contract, lanes)) {
    match.views.push_back({view, lhs.getArgNumber(), rhs.getArgNumber()});
    if (view.swapped)
      std::swap(match.views.back().a, match.views.back().b);
  }
  return match.views.empty() ? std::nullopt : std::optional(match);
}

class ContractSchedule final : public Schedule {
public:
  explicit ContractSchedule(std::optional<GemmSizes> always) : always(always) {}

  StringRef getName() const override { return "contract"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    auto found = matchKernel(kernel, target.lanes(4));
    if (!found)
      return std::nullopt;
    KernelPlan plan;
    LaunchPlan pack{"pack", 0, 0}, products{"", 0, 0};
    for (const Match::View &part : found->views) {
      const GemmView &view = part.view.gemm;
      std::string error;
      auto sizes = sizesOf(kernel, view, target, error);
      if (!sizes) // emit reports the error
        sizes = chooseGemmSizes(view, target.lanes(4));
      GemmLayout layout(view, *sizes);
      if (sizes->packA) {
        plan.workspaces.push_back(layout.workspaceBytes);
        pack.tiles += layout.packTiles;
      }
      products.tiles += layout.tiles;
      products.scratchBytes =
          std::max(products.scratchBytes, layout.scratchBytes);
    }
    if (!plan.workspaces.empty())
      plan.launches.push_back(pack);
    plan.launches.push_back(products);
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &plan,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    auto found = matchKernel(kernel, target.lanes(4));
    const bool isPacking = launch + 1 < plan.launches.size();
    int64_t first = 0; // tile of the view
    unsigned workspace = 0;
    for (auto [number, part] : llvm::enumerate(found->views)) {
      const GemmView &view = part.view.gemm;
      std::string error;
      auto sizes = sizesOf(kernel, view, target, error);
      if (!sizes)
        return kernel.emitOpError("has a bad schedule: ") << error;
      CpuBuilder code(builder, kernel.getLoc(), sizes->lanes);
      GemmPointers pointers;
      pointers.a = code.pointer(function.inputs[part.a]);
      pointers.b = code.pointer(function.inputs[part.b]);
      pointers.c = code.pointer(function.outputs[0]);
      if (sizes->packA)
        pointers.panels = code.pointer(function.workspaces[workspace++]);
      else if (isPacking)
        continue;
      const GemmLayout layout(view, *sizes);
      const int64_t tiles = isPacking ? layout.packTiles : layout.tiles;
      Value begin = code.toI64(function.begin);
      Value end = code.toI64(function.end);
      if (found->views.size() > 1) {
        begin = code.maxSigned(code.sub(begin, code.constant(first)),
                               code.constant(0));
        end = code.minSigned(code.sub(end, code.constant(first)),
                             code.constant(tiles));
        first += tiles;
      }
      GemmEmitter emitter(code, view, *sizes, function.function,
                          unsigned(number));
      if (isPacking) {
        emitter.emitPackRows(begin, end, pointers);
      } else {
        pointers.scratch = code.pointer(function.scratch);
        emitter.emitProduct(begin, end, pointers);
      }
    }
    return success();
  }

private:
  std::optional<GemmSizes> sizesOf(repro::KernelOp kernel, const GemmView &view,
                                   const Target &target,
                                   std::string &error) const {
    if (always)
      return fitted(*always, view);
    return readGemmSizes(kernel.getSchedule().value_or(Attribute()), view,
                         target.lanes(4), error);
  }

  std::optional<GemmSizes> always;
};

} // namespace

std::unique_ptr<Schedule> createContractSchedule() {
  return std::make_unique<ContractSchedule>(std::nullopt);
}

std::unique_ptr<Schedule>
createContractSchedule(std::optional<GemmSizes> always) {
  return std::make_unique<ContractSchedule>(always);
}

} // namespace gensyn::cpu
