// Tasks as messages, with the code of their pieces.

#include "Cost.h"
#include "Notes.h"
#include "Pieces.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "mlir/IR/SymbolTable.h"

#include <map>

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {

namespace {

class Exporter {
public:
  Exporter(ModuleOp module, const machine::Description &machine,
           Mapping &mapping)
      : module(module), machine(machine), mapping(mapping), symbols(module) {}

  void run() {
    mapping.set_version(1);
    mapping.set_machine(machine.text);
    for (auto segment : module.getOps<task::SegmentOp>())
      addSegment(segment);
  }

private:
  void addSegment(task::SegmentOp op) {
    Segment &segment = *mapping.add_segments();
    for (int32_t launch : op.getLaunches())
      segment.add_launches(uint32_t(launch));
    segment.set_counters(op.getCounters());
    for (int32_t buffer : op.getBuffers())
      segment.add_buffers(uint32_t(buffer));
    for (auto repetition :
         op.getRepetitions().getAsRange<task::RepetitionAttr>()) {
      Repetition &message = *segment.add_repetitions();
      for (int32_t launch : repetition.getLaunches())
        message.add_launches(uint32_t(launch));
      for (int32_t buffer : repetition.getBuffers())
        message.add_buffers(uint32_t(buffer));
    }
    filled.clear();
    for (auto core : op.getBody().getOps<task::CoreOp>())
      for (auto buffer : core.getBody().getOps<task::BufferOp>())
        if (std::optional<uint32_t> number = buffer.getMulticast())
          filled[*number].push_back(buffer);
    for (auto core : op.getBody().getOps<task::CoreOp>())
      addCore(core, *segment.add_cores());
  }

  void addCore(task::CoreOp op, Core &core) {
    core.set_core(op.getCore());
    numbers.clear();
    for (Operation &inner : op.getBody().front()) {
      if (auto resident = dyn_cast<task::ResidentOp>(inner)) {
        Resident &message = *core.add_residents();
        message.set_launch(resident.getLaunch());
        setLocal(resident.getBuffer(), *message.mutable_copy()->mutable_to());
        addRows(resident, true, *message.mutable_copy());
      }
      auto task = dyn_cast<task::TaskOpInterface>(inner);
      if (!task)
        continue;
      numbers[task.getEnd()] = uint32_t(core.tasks_size());
      addTask(task, op.getCore(), *core.add_tasks());
    }
  }

  void addTask(task::TaskOpInterface op, uint32_t core, Task &task) {
    task.set_launch(op.getLaunch());
    for (OpOperand &after : op.getAfterMutable())
      task.add_after(numbers.lookup(after.get()));
    for (ArrayRef<int32_t> pairs = op.getAwaits(); !pairs.empty();
         pairs = pairs.drop_front(2)) {
      Await &await = *task.add_awaits();
      await.set_counter(uint32_t(pairs[0]));
      await.set_value(uint32_t(pairs[1]));
    }
    for (int32_t counter : op.getSignals())
      task.add_signals(uint32_t(counter));
    if (auto compute = dyn_cast<task::ComputeOp>(op.getOperation()))
      addCompute(compute, core, *task.mutable_compute());
    else if (auto multicast = dyn_cast<task::MulticastOp>(op.getOperation()))
      addMulticast(multicast, core, *task.mutable_copy());
    else if (auto fetch = dyn_cast<task::FetchOp>(op.getOperation())) {
      addCopy(fetch, true, *task.mutable_copy());
      task.set_ahead(fetch.getAhead());
    } else
      addCopy(cast<task::StoreOp>(op.getOperation()), false,
              *task.mutable_copy());
  }

  static void setLocal(Value buffer, Location &location) {
    if (auto resident = buffer.getDefiningOp<task::ResidentOp>()) {
      location.set_local(resident.getAddress());
      return location.set_step(resident.getStep());
    }
    location.set_local(*buffer.getDefiningOp<task::BufferOp>().getAddress());
  }

  template <class Op> void addCopy(Op op, bool isFetch, Copy &copy) {
    setLocal(op.getBuffer(),
             isFetch ? *copy.mutable_to() : *copy.mutable_from());
    copy.set_channel(op.getChannel());
    addRows(op, isFetch, copy);
  }

  void addMulticast(task::MulticastOp op, uint32_t core, Copy &copy) {
    bool isFirst = true;
    for (task::BufferOp buffer : filled[op.getNumber()]) {
      Location &to = isFirst ? *copy.mutable_to() : *copy.add_others();
      isFirst = false;
      const uint32_t own = cast<task::CoreOp>(buffer->getParentOp()).getCore();
      if (own == core) {
        to.set_local(*buffer.getAddress());
        continue;
      }
      to.set_core(own);
      to.set_offset(*buffer.getAddress());
    }
    copy.set_channel(op.getChannel());
    addRows(op, true, copy);
  }

  template <class Op> void addRows(Op op, bool isFetch, Copy &copy) {
    Location &shared = isFetch ? *copy.mutable_from() : *copy.mutable_to();
    shared.set_buffer(op.getShared());
    shared.set_offset(op.getOffset());
    copy.set_row_bytes(op.getRowBytes());
    auto stride = int64_t(op.getRowBytes());
    for (int64_t count : op.getCounts())
      stride *= count;
    for (auto [count, apart] :
         llvm::zip_equal(op.getCounts(), op.getStrides())) {
      stride /= count;
      Copy::Dimension &dimension = *copy.add_dimensions();
      dimension.set_count(uint64_t(count));
      dimension.set_from_stride(isFetch ? apart : stride);
      dimension.set_to_stride(isFetch ? stride : apart);
    }
    SmallVector<uint32_t> links;
    if (auto path = op.getPath())
      links.append(path->begin(), path->end());
    copy.set_path(pathOf(links));
  }

  uint32_t pathOf(ArrayRef<uint32_t> links) {
    auto [found, isNew] =
        paths.try_emplace(std::vector<uint32_t>(links.begin(), links.end()),
                          mapping.paths_size());
    if (isNew)
      mapping.add_paths()->mutable_links()->Assign(links.begin(), links.end());
    return found->second;
  }

  void addCompute(task::ComputeOp op, uint32_t core, Compute &compute) {
    compute.set_body(bodyOf(op.getPieceAttr(), machine.cores[core].kind));
    size_t next = 0;
    auto addLocal = [&] {
      setLocal(op.getBuffers()[next++], *compute.add_arguments());
    };
    if (op.getInPlace().empty())
      while (next < op.getBuffers().size())
        addLocal();
    for (int32_t buffer : op.getInPlace())
      if (buffer < 0)
        addLocal();
      else
        compute.add_arguments()->set_buffer(uint32_t(buffer));
    if (std::optional<ArrayAttr> all = op.getPaths())
      for (auto links : all->getAsRange<DenseI32ArrayAttr>())
        compute.add_paths(pathOf(SmallVector<uint32_t>(
            links.asArrayRef().begin(), links.asArrayRef().end())));
    if (!op.getFaults())
      return;
    for (auto numbers : op.getFaults()->getAsRange<DenseI64ArrayAttr>()) {
      ArrayRef<int64_t> rest = numbers.asArrayRef();
      Fault &fault = *compute.add_faults();
      fault.set_slot(uint32_t(rest.front()));
      for (rest = rest.drop_front(); !rest.empty(); rest = rest.drop_front(3)) {
        Fault::Range &range = *fault.add_ranges();
        range.set_begin(rest[0]);
        range.set_size(rest[1]);
        range.set_extent(rest[2]);
      }
    }
  }

  /// The body of a piece for cores of a kind, whose units differ.
  uint32_t bodyOf(FlatSymbolRefAttr piece, uint32_t kind) {
    auto [found, isNew] =
        bodies.try_emplace({piece, kind}, uint32_t(mapping.bodies_size()));
    if (!isNew)
      return found->second;
    auto function = symbols.lookup<func::FuncOp>(piece.getValue());
    KernelOp kernel = getPieceKernel(function);
    Body &body = *mapping.add_bodies();
    body.set_name(piece.getValue().str());
    auto add = [&](Value value) {
      body.add_arguments(
          uint64_t(typeOf(value).getNumElements()) *
          byteWidth(*getElementType(typeOf(value).getElementType())));
    };
    llvm::for_each(kernel.getInputs(), add);
    llvm::for_each(kernel.getResults(), add);
    for (BlockArgument argument : kernel.getBlock().getArguments())
      body.add_accesses(countLoads(argument));
    for (Value result : kernel.getResults())
      body.add_accesses(uint64_t(typeOf(result).getNumElements()));
    body.set_operands(uint32_t(kernel.getInputs().size()));
    body.set_faults(uint32_t(kernel.getFaultingOps().size()));
    std::vector<Work> work = describeWork(kernel);
    chooseUnits(machine, kind, work);
    for (Work &item : work)
      *body.add_work() = std::move(item);
    return found->second;
  }

  ModuleOp module;
  const machine::Description &machine;
  Mapping &mapping;
  SymbolTable symbols;
  DenseMap<Value, uint32_t> numbers;
  /// The buffers of each multicast of the segment.
  std::map<uint32_t, SmallVector<task::BufferOp>> filled;
  std::map<std::vector<uint32_t>, uint32_t> paths;
  DenseMap<std::pair<Attribute, uint32_t>, uint32_t> bodies;
};

void addLayouts(ModuleOp module, Mapping &mapping) {
  auto all = module->getAttrOfType<ArrayAttr>(task::kLayoutsAttr);
  if (!all)
    return;
  DenseMap<Attribute, uint32_t> numbers;
  for (Attribute attribute : all) {
    auto layout = dyn_cast<task::LayoutAttr>(attribute);
    if (!layout) {
      mapping.add_layout_of_buffer(0);
      continue;
    }
    auto [found, isNew] = numbers.try_emplace(layout, numbers.size() + 1);
    mapping.add_layout_of_buffer(found->second);
    if (!isNew)
      continue;
    Layout &made = *mapping.add_layouts();
    for (ArrayRef<int64_t> rest = layout.getLevels(); !rest.empty();
         rest = rest.drop_front(3)) {
      Layout::Level &level = *made.add_levels();
      level.set_period(uint64_t(rest[0]));
      level.set_chunk(uint64_t(rest[1]));
      level.set_step(uint32_t(rest[2]));
    }
    for (int32_t part : layout.getParts())
      made.add_parts(uint32_t(part));
  }
}

} // namespace

FailureOr<std::string> exportMapping(ModuleOp module,
                                     const machine::Description &machine,
                                     const plan::Plan &plan,
                                     const cpu::CompileOptions &host,
                                     Mapping &mapping) {
  Exporter exporter(module, machine, mapping);
  exporter.run();
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    addNotes(main, machine, mapping);
  auto memories = module->getAttrOfType<DenseI32ArrayAttr>(task::kMemoriesAttr);
  if (!memories || memories.size() != plan.buffers_size())
    return emitError(module.getLoc(), "has no '")
           << task::kMemoriesAttr << "': task-place sets it";
  for (int32_t memory : memories.asArrayRef())
    mapping.add_memory_of_buffer(uint32_t(memory));
  addLayouts(module, mapping);
  if (auto weights =
          module->getAttrOfType<DenseI32ArrayAttr>(task::kWeightsAttr))
    for (int32_t buffer : weights.asArrayRef())
      mapping.add_weights(uint32_t(buffer));
  if (!host.target)
    return std::string();
  return compileBodies(module, host, mapping);
}

} // namespace gensyn::mapping
