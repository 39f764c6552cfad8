// Matches kernels of one contraction; see ContractSchedule.h and Gemm.h.

#include "ContractSchedule.h"

#include "../Common/Interleaving.h"
#include "Gemm.h"
#include "gensyn/Codegen/Contraction/ContractView.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Plan/LastingOperands.h"
#include "gensyn/Codegen/Schedule/ScheduleFields.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace gensyn::cpu {

std::optional<GemmSizes> readGemmSizes(Attribute schedule, const GemmView &view,
                                       const GemmMachine &machine,
                                       std::string &error) {
  GemmSizes sizes = chooseGemmSizes(view, machine);
  auto fields = dyn_cast_if_present<DictionaryAttr>(schedule);
  if (!fields)
    return sizes;
  const std::pair<StringRef, int64_t *> numbers[] = {
      {"lanes", &sizes.lanes},   {"mr", &sizes.mr},
      {"nv", &sizes.nv},         {"kc", &sizes.kc},
      {"rows", &sizes.rows},     {"tile_rows", &sizes.tileRows},
      {"group", &sizes.group},   {"joined", &sizes.joined},
      {"unroll", &sizes.unroll}, {"prefetch", &sizes.prefetch}};
  const std::pair<StringRef, bool *> flags[] = {{"pack_a", &sizes.packA},
                                                {"pack_b", &sizes.packB}};
  if (!codegen::readScheduleFields(fields, numbers, flags, error))
    return std::nullopt;
  if (auto problem = checkSizes(sizes, machine)) {
    error = problem->str();
    return std::nullopt;
  }
  return fitted(sizes, view);
}

// Integers are summed modulo 2^32 at least, which the result is taken of.
Type sumTypeOf(Type result) {
  auto integer = dyn_cast<IntegerType>(result);
  if (!integer)
    return result;
  return IntegerType::get(integer.getContext(),
                          std::max(32u, integer.getWidth()));
}

/// True if 16 bits have all values of the type.
static bool fitsHalf(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && (integer.isUnsigned() ? integer.getWidth() < 16
                                          : integer.getWidth() <= 16);
}

/// True if it is an integer of 8 bits.
static bool isByte(Type type) {
  constexpr unsigned byte = 8;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() == byte;
}

GemmMachine machineFor(Type sum, Type a, Type b, const Target &target) {
  GemmMachine machine;
  machine.sumBytes = sum.getIntOrFloatBitWidth() / 8;
  machine.lanes = target.lanes(machine.sumBytes);
  machine.registers = target.vectorRegisters;
  machine.tileVectors = target.tileVectors;
  machine.tileColumns = target.tileColumns;
  machine.bytesOfB = codegen::getScalarType(b).getIntOrFloatBitWidth() / 8;
  machine.convertsA = codegen::getScalarType(a) != sum;
  machine.convertsB = codegen::getScalarType(b) != sum;
  const unsigned width = b.getIntOrFloatBitWidth();
  machine.widensByte =
      width == 8
          ? isa<IntegerType>(b)
          : width < 8 && llvm::any_of(
                             target.tableLookups,
                             [](const auto &lookup) {
                               return lookup.bits == 32 && lookup.entries == 16;
                             });
  constexpr unsigned nibble = 4;
  machine.hasNibbles = width == nibble;
  machine.multipliesPairs =
      target.hasPairProducts && sum.isInteger(32) && fitsHalf(a) && fitsHalf(b);
  // Both are signed, or unsigned (contract_r1).
  if (sum.isInteger(32) && isByte(a) && isByte(b) &&
      !(target.byteProducts == ByteProducts::UnsignedBySigned &&
        a.isUnsignedInteger()))
    machine.byteProducts = target.byteProducts;
  return machine;
}

namespace {

Type elementOf(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getElementType();
}

/// A kernel that is one contraction with an epilogue, and the arguments that
/// are the contraction's operands.
struct Match {
  struct View {
    codegen::ContractView view;
    BlockArgument a, b; ///< with a prologue, its main tensor
    EpiloguePlan epilogue = {};
    std::optional<ProloguePlan> prologueA = {}, prologueB = {};

    size_t numSidesOfB() const {
      return prologueB ? prologueB->sides.size() : 0;
    }
  };
  repro::ContractOp contraction;
  std::vector<View> views;
  bool hasEpilogue = false;
  /// The result whose buffer holds C; if there is none, a workspace does.
  std::optional<unsigned> resultOfC;
  Type sum; ///< type of the sums
  Type result;

  GemmMachine machineFor(const View &part, const Target &target) const {
    GemmMachine machine =
        cpu::machineFor(sum, elementOf(part.a), elementOf(part.b), target);
    machine.lastsB = lasts(part.b);
    machine.pointsToRows = !machine.convertsA && !part.prologueA;
    machine.multipliesPairs &= !part.prologueA && !part.prologueB;
    if (part.prologueA || part.prologueB)
      machine.byteProducts = ByteProducts::None;
    machine.computesA = machine.convertsA |= part.prologueA.has_value();
    machine.computesB = part.prologueB.has_value();
    machine.convertsB |= machine.computesB;
    if (part.prologueB) {
      machine.part = part.prologueB->part;
      machine.hasPointSides = llvm::any_of(
          part.prologueB->sides, [](const ProloguePlan::Side &side) {
            const GemmAxes &points = side.strides.points;
            return !points.empty() && points.back().b != 0;
          });
    }
    return machine;
  }

  /// True if C holds sums before the epilogue computes results from them.
  bool storesSums(repro::KernelOp kernel) const {
    return !isInRegisters(kernel, contraction, sum) ||
           llvm::any_of(views, [](const View &part) {
             const GemmView &view = part.view.gemm;
             return pointsInTile(view) < view.numPoints();
           });
  }
  /// True if the panels of A are packed before runs. Those of B are enough.
  bool preparesA(const View &part, const GemmSizes &sizes) const {
    return lasts(part.a) && !sizes.packOnce &&
           (!part.prologueA ||
            llvm::all_of(part.prologueA->sides,
                         [&](const ProloguePlan::Side &side) {
                           return isLasting(side.argument);
                         }));
  }
  /// The arguments whose elements launches before runs pack for a view.
  llvm::BitVector findPrepared(const View &part, const GemmSizes &sizes) const {
    llvm::BitVector prepared(part.a.getOwner()->getNumArguments());
    auto add = [&](BlockArgument tensor,
                   const std::optional<ProloguePlan> &prologue) {
      prepared.set(tensor.getArgNumber());
      if (prologue)
        for (const ProloguePlan::Side &side : prologue->sides)
          prepared.set(side.argument);
    };
    if (sizes.packA && preparesA(part, sizes))
      add(part.a, part.prologueA);
    if (sizes.packOnce)
      add(part.b, sizes.rawPanels ? std::nullopt : part.prologueB);
    return prepared;
  }
  bool lasts(BlockArgument operand) const {
    return isLasting(operand.getArgNumber());
  }
  bool isLasting(unsigned argument) const {
    return codegen::isLastingOperand(
        contraction->getParentOfType<repro::KernelOp>(), argument);
  }
};

/// Returns the argument that is an operand, or the main tensor of its prologue;
/// null if it cannot be computed where it is read.
BlockArgument findTensor(repro::KernelOp kernel, Value operand,
                         const GemmView &view, GemmTensor tensor,
                         std::optional<ProloguePlan> &prologue) {
  if (auto argument = dyn_cast<BlockArgument>(operand))
    return argument;
  prologue = planPrologue(kernel, operand, view, tensor);
  return prologue ? kernel.getBlock().getArgument(prologue->main)
                  : BlockArgument();
}

/// With `joins`, runs may be joined.
std::optional<Match> matchViews(repro::KernelOp kernel, const Target &target,
                                bool joins) {
  auto contractions = kernel.getBlock().getOps<repro::ContractOp>();
  if (!llvm::hasSingleElement(contractions))
    return std::nullopt;
  Match match;
  match.contraction = *contractions.begin();
  match.hasEpilogue = kernel.getNumResults() != 1 ||
                      kernel.getYielded()[0] != match.contraction.getResult();
  // Elements out of bounds are zeros, of which this type has none.
  for (Value operand : match.contraction.getOperands())
    if (isa<Float8E8M0FNUType>(elementOf(operand)))
      return std::nullopt;
  match.resultOfC = findBufferOfC(kernel, match.contraction);
  match.result = elementOf(match.contraction.getResult());
  match.sum = sumTypeOf(match.result);
  const int64_t lanes = target.lanes(match.sum.getIntOrFloatBitWidth() / 8);
  for (const codegen::ContractView &view :
       codegen::viewContract(match.contraction, lanes, joins)) {
    Match::View part = {view, {}, {}};
    Value a = match.contraction.getLhs(), b = match.contraction.getRhs();
    if (view.swapped)
      std::swap(a, b);
    part.a = findTensor(kernel, a, view.gemm, GemmTensor::A, part.prologueA);
    part.b = findTensor(kernel, b, view.gemm, GemmTensor::B, part.prologueB);
    if (!part.a || !part.b ||
        (part.prologueB && part.prologueB->part > 0 &&
         joinsBlocks(view.gemm)) ||
        (part.prologueB && isJoined(view.gemm)))
      return std::nullopt;
    if (match.hasEpilogue) {
      auto plan = planEpilogue(kernel, match.contraction, view.gemm, lanes);
      if (!plan)
        return std::nullopt;
      part.epilogue = std::move(*plan);
    }
    match.views.push_back(std::move(part));
  }
  return match.views.empty() ? std::nullopt : std::optional(std::move(match));
}

std::optional<Match> matchKernel(repro::KernelOp kernel, const Target &target) {
  // Only vectors of 16 lanes have registers of masks, for lanes of two pieces.
  constexpr int64_t bytesOfVectors = 64;
  if (target.vectorBytes == bytesOfVectors)
    if (auto match = matchViews(kernel, target, /*joins=*/true))
      return match;
  return matchViews(kernel, target, /*joins=*/false);
}

/// True if `value` is read once, for an operand of the contraction.
bool isReadOnlyFor(Value value, repro::ContractOp contraction) {
  if (!value.hasOneUse())
    return false;
  Operation *reader = *value.user_begin();
  return reader == contraction ||
         (reader->getNumResults() == 1 &&
          isReadOnlyFor(reader->getResult(0), contraction));
}

/// The suffix of the launch that packs operands which last.
constexpr llvm::StringLiteral kPrepare("prepare");

class ContractSchedule final : public Schedule {
public:
  explicit ContractSchedule(std::optional<GemmSizes> always) : always(always) {}

  StringRef getName() const override { return "contract"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    auto found = matchKernel(kernel, target);
    if (!found)
      return std::nullopt;
    KernelPlan plan;
    LaunchPlan prepare{kPrepare.str(), 0, 0}, pack{"pack", 0, 0},
        products{"", 0, 0};
    // The arguments that only launches before runs read.
    llvm::BitVector unread(kernel.getBlock().getNumArguments());
    for (BlockArgument argument : kernel.getBlock().getArguments())
      if (isReadOnlyFor(argument, found->contraction))
        unread.set(argument.getArgNumber());
    for (const Match::View &part : found->views) {
      const GemmView &view = part.view.gemm;
      std::string error;
      const GemmMachine machine = found->machineFor(part, target);
      auto sizes = sizesOf(kernel, view, machine, error);
      if (!sizes) // emit reports the error
        sizes = chooseGemmSizes(view, machine);
      GemmLayout layout(view, *sizes, countEntries(part.epilogue, view),
                        part.numSidesOfB());
      auto addPanels = [&](LaunchPlan &launch, int64_t bytes, int64_t tiles) {
        if (&launch == &prepare)
          prepare.prepared.push_back(unsigned(plan.workspaces.size()));
        plan.workspaces.push_back(bytes);
        launch.tiles += tiles;
      };
      if (sizes->packA)
        addPanels(found->preparesA(part, *sizes) ? prepare : pack,
                  layout.workspaceBytes, layout.packTiles);
      if (sizes->packOnce)
        addPanels(prepare, layout.columnPanelBytes, layout.columnPanels);
      prepare.scratchBytes =
          std::max(prepare.scratchBytes, layout.scratchOfPanels);
      unread &= found->findPrepared(part, *sizes);
      products.tiles += layout.tiles;
      products.scratchBytes =
          std::max(products.scratchBytes, layout.scratchBytes);
    }
    prepare.unread.assign(unread.set_bits_begin(), unread.set_bits_end());
    for (const LaunchPlan &packing : {prepare, pack})
      if (packing.tiles > 0)
        plan.launches.push_back(packing);
    if (!found->resultOfC)
      plan.workspaces.push_back(
          repro::bytesOf(found->contraction.getResult().getType()));
    plan.launches.push_back(products);
    // The epilogue reads its operands before it stores results, but C may hold
    // sums before.
    if (found->hasEpilogue)
      for (const codegen::InPlacePair &pair :
           codegen::findElementwisePairs(kernel))
        if (pair.result != found->resultOfC || !found->storesSums(kernel))
          plan.inPlace.push_back(pair);
    return plan;
  }

  /// Other register tiles, other lengths of visits, and operands that are
  /// copied instead of read in place or the other way round, each alone.
  SmallVector<DictionaryAttr>
  findAlternatives(repro::KernelOp kernel,
                   const Target &target) const override {
    const auto found = matchKernel(kernel, target);
    const Match::View &first = found->views.front();
    const GemmSizes table =
        chooseGemmSizes(first.view.gemm, found->machineFor(first, target));
    Builder builder(kernel.getContext());
    SmallVector<DictionaryAttr> alternatives;
    auto add = [&](ArrayRef<std::pair<StringRef, Attribute>> fields) {
      NamedAttrList list;
      for (const auto &[name, value] : fields)
        list.set(name, value);
      DictionaryAttr schedule = list.getDictionary(kernel.getContext());
      if (changes(*found, schedule, target))
        alternatives.push_back(schedule);
    };
    auto size = [&](int64_t number) -> Attribute {
      return builder.getI64IntegerAttr(number);
    };
    constexpr int64_t mostColumns = 4, mostRows = 12;
    for (int64_t nv = mostColumns; nv >= 1; --nv)
      if (nv != table.nv)
        add({{"mr", size(std::min<int64_t>(target.tileVectors / nv, mostRows))},
             {"nv", size(nv)}});
    for (int64_t kc : {256, 1024})
      add({{"kc", size(kc)}});
    add({{"pack_b", builder.getBoolAttr(!table.packB)}});
    add({{"pack_a", builder.getBoolAttr(!table.packA)}});
    return alternatives;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &plan,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    auto found = matchKernel(kernel, target);
    const bool isPacking = launch + 1 < plan.launches.size();
    const bool isPreparing = plan.launches[launch].suffix == kPrepare;
    int64_t first = 0; // tile of the view
    unsigned workspace = 0;
    for (auto [number, part] : llvm::enumerate(found->views)) {
      const GemmView &view = part.view.gemm;
      std::string error;
      auto sizes =
          sizesOf(kernel, view, found->machineFor(part, target), error);
      if (!sizes)
        return kernel.emitOpError("has a bad schedule: ") << error;
      CpuBuilder code(builder, kernel.getLoc(), sizes->lanes, found->sum);
      const bool hasHalf = target.hasHalfConversion;
      auto stored = [&](BlockArgument tensor, const auto &prologue) {
        return prologue ? StoredTensor::raw(code, elementOf(tensor))
                        : StoredTensor(code, elementOf(tensor), hasHalf);
      };
      GemmTensors tensors{stored(part.a, part.prologueA),
                          stored(part.b, part.prologueB),
                          StoredTensor(code, found->result)};
      GemmPointers pointers;
      // Prologues, and the addresses of their sides.
      std::optional<Prologue> prologues[2];
      auto addPrologue = [&](const std::optional<ProloguePlan> &of,
                             std::optional<Prologue> &prologue,
                             const Prologue *&place, auto &sides) {
        if (!of)
          return;
        place = &prologue.emplace(code, *of, hasHalf);
        for (const ProloguePlan::Side &side : of->sides)
          sides.push_back(code.pointer(function.inputs[side.argument]));
      };
      addPrologue(part.prologueA, prologues[0], tensors.prologueA,
                  pointers.sidesOfA);
      addPrologue(part.prologueB, prologues[1], tensors.prologueB,
                  pointers.sidesOfB);
      pointers.a = code.pointer(function.inputs[part.a.getArgNumber()]);
      pointers.b = code.pointer(function.inputs[part.b.getArgNumber()]);
      pointers.c =
          code.pointer(found->resultOfC ? function.outputs[*found->resultOfC]
                                        : function.workspaces.back());
      if (sizes->packA)
        pointers.panels = code.pointer(function.workspaces[workspace++]);
      if (sizes->packOnce)
        pointers.columnPanels = code.pointer(function.workspaces[workspace++]);
      const bool packsA =
          sizes->packA && found->preparesA(part, *sizes) == isPreparing;
      const bool packsB = sizes->packOnce && isPreparing;
      if (isPacking && !packsA && !packsB)
        continue;
      const GemmLayout layout(view, *sizes, countEntries(part.epilogue, view),
                              part.numSidesOfB());
      const int64_t tiles = !isPacking ? layout.tiles
                            : packsB   ? layout.columnPanels
                                       : layout.packTiles;
      Value begin = code.toI64(function.begin);
      Value end = code.toI64(function.end);
      if (found->views.size() > 1) {
        begin = code.maxSigned(code.sub(begin, code.constant(first)),
                               code.constant(0));
        end = code.minSigned(code.sub(end, code.constant(first)),
                             code.constant(tiles));
        first += tiles;
      }
      GemmEpilogue epilogue(code, kernel, found->contraction, view,
                            part.epilogue, function, unsigned(number),
                            vectorsAtOnce(kernel, target));
      GemmEmitter emitter(code, tensors, view, *sizes, function.function,
                          unsigned(number),
                          found->hasEpilogue ? &epilogue : nullptr);
      pointers.scratch = code.pointer(function.scratch);
      if (isPacking && packsB) {
        pointers.b = tensors.b.at(pointers.b, code.constant(view.bOffset));
        emitter.emitPackColumns(begin, end, pointers);
      } else if (isPacking) {
        emitter.emitPackRows(begin, end, pointers);
      } else {
        emitter.emitProduct(begin, end, pointers);
      }
      if (epilogue.hasFailed())
        return failure();
    }
    return success();
  }

private:
  /// True if each view accepts the attribute, and one has other sizes by it.
  /// Operands that last are known when the plan is made, so both cases are
  /// looked at.
  static bool changes(const Match &match, Attribute schedule,
                      const Target &target) {
    bool differs = false;
    for (const Match::View &part : match.views)
      for (bool lasts : {false, true}) {
        GemmMachine machine = match.machineFor(part, target);
        machine.lastsB = lasts;
        std::string error;
        const auto sizes =
            readGemmSizes(schedule, part.view.gemm, machine, error);
        if (!sizes)
          return false;
        differs |= *sizes != chooseGemmSizes(part.view.gemm, machine);
      }
    return differs;
  }

  std::optional<GemmSizes> sizesOf(repro::KernelOp kernel, const GemmView &view,
                                   const GemmMachine &machine,
                                   std::string &error) const {
    if (!always)
      return readGemmSizes(kernel.getSchedule().value_or(Attribute()), view,
                           machine, error);
    GemmSizes sizes = *always;
    setFixedSizes(sizes, machine);
    return fitted(sizes, view);
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
