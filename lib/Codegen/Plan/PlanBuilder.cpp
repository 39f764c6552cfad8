// Converts a function of kernels to buffers, launches and steps.

#include "PlanBuilder.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Faults.h"

using namespace mlir;

namespace gensyn::codegen {

static uint64_t bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  std::optional<ElementType> element =
      repro::getElementType(tensor.getElementType());
  return static_cast<uint64_t>(tensor.getNumElements()) *
         static_cast<uint64_t>(byteWidth(*element));
}

uint32_t PlanBuilder::addBuffer(plan::Buffer buffer, uint64_t bytes) {
  buffer.set_bytes(bytes);
  *plan.add_buffers() = std::move(buffer);
  return static_cast<uint32_t>(plan.buffers_size() - 1);
}

/// Adds a buffer in the arena, live from now on.
uint32_t PlanBuilder::addArena(uint64_t bytes) {
  const uint32_t number = addBuffer(plan::Buffer(), bytes);
  blockOf[number] = blocks.size();
  blocks.push_back({bytes, now, now, 0});
  return number;
}

/// Adds a buffer that the current launch prepares.
uint32_t PlanBuilder::addPrepared(uint64_t bytes) {
  const uint32_t number = addBuffer(plan::Buffer(), bytes);
  prepared.add(number, bytes);
  return number;
}

/// Returns the buffer for operands that a launch does not read.
uint32_t PlanBuilder::emptyBuffer() {
  if (!empty) {
    plan::Buffer buffer;
    buffer.set_arena(0);
    empty = addBuffer(std::move(buffer), 0);
  }
  return *empty;
}

uint32_t PlanBuilder::faultBuffer(Operation *op) {
  const unsigned slot = faultSlots.lookup(op);
  auto [found, isNew] = faultBuffers.try_emplace(slot);
  if (isNew) {
    plan::Buffer buffer;
    buffer.set_fault(slot);
    found->second = addBuffer(std::move(buffer), sizeof(uint64_t));
  }
  return found->second;
}

uint32_t PlanBuilder::bufferOf(Value value) {
  return buffers.at(repro::getStorage(value));
}

/// True if no op after `kernel` reads `storage`, in its block or elsewhere.
static bool isLastUse(Value storage, repro::KernelOp kernel) {
  SmallVector<Value> names = {storage};
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      if (isa<repro::ReshapeOp>(user)) {
        names.push_back(user->getResult(0));
        continue;
      }
      if (user->getBlock() != kernel->getBlock() ||
          (user != kernel && !user->isBeforeInBlock(kernel)))
        return false;
    }
  return true;
}

/// Returns the launches of a kernel; each kernel is asked for once.
FailureOr<KernelLaunches> PlanBuilder::findLaunches(repro::KernelOp kernel) {
  auto [found, isNew] = launches.try_emplace(kernel);
  if (!isNew)
    return found->second;
  FailureOr<KernelLaunches> made = launchesOf(kernel);
  if (failed(made))
    return failure();
  if (made->launches.size() > 1)
    splitKernels.insert(kernel);
  launches[kernel] = *made;
  return made;
}

/// True if `result` of the kernel may be written to the memory of `storage`:
/// the kernel is its last reader, and reads it in place if at all.
bool PlanBuilder::isReadInPlace(Value storage, repro::KernelOp kernel,
                                unsigned result) {
  if (!isLastUse(storage, kernel) || failed(findLaunches(kernel)))
    return false;
  auto [found, isNew] = pairs.try_emplace(kernel);
  if (isNew)
    found->second = findInPlacePairs(kernel);
  for (auto [operand, value] : llvm::enumerate(kernel.getInputs())) {
    auto isPair = [&](const InPlacePair &pair) {
      return pair.operand == operand && pair.result == result;
    };
    if (repro::getStorage(value) == storage &&
        (splitKernels.contains(kernel) ||
         llvm::none_of(found->second, isPair)) &&
        llvm::none_of(launches.lookup(kernel).inPlace, isPair))
      return false;
  }
  return true;
}

/// Returns the buffer of an operand that `result` may reuse.
std::optional<uint32_t>
PlanBuilder::findOperandToOverwrite(repro::KernelOp kernel, unsigned result) {
  for (Value operand : kernel.getInputs()) {
    Value storage = repro::getStorage(operand);
    auto producer = storage.getDefiningOp<repro::KernelOp>();
    if (!producer || producer->getBlock() != kernel->getBlock() ||
        bytesOf(storage.getType()) !=
            bytesOf(kernel.getResult(result).getType()))
      continue;
    const uint32_t buffer = buffers.at(storage);
    if (blockOf.count(buffer) && isReadInPlace(storage, kernel, result) &&
        // Another result may have taken it already.
        llvm::none_of(kernel.getResults(), [&](Value other) {
          auto known = buffers.find(other);
          return known != buffers.end() && known->second == buffer;
        }))
      return buffer;
  }
  return std::nullopt;
}

void PlanBuilder::use(uint32_t buffer) {
  prepared.use(buffer, /*prepares=*/false);
  auto found = blockOf.find(buffer);
  if (found == blockOf.end())
    return;
  ArenaBlock &block = blocks[found->second];
  block.last = std::max(block.last, now);
  for (LoopScope &loop : loops)
    if (block.first < loop.begin)
      loop.buffers.insert(buffer);
}

/// The kernels that compute a terminator's operands write them to `places`.
LogicalResult PlanBuilder::bindYielded(Operation *terminator,
                                       ArrayRef<uint32_t> places) {
  for (auto [number, value] : llvm::enumerate(terminator->getOperands())) {
    Value storage = repro::getStorage(value);
    if (!storage.getDefiningOp<repro::KernelOp>() ||
        storage.getParentBlock() != terminator->getBlock() ||
        !buffers.try_emplace(storage, places[number]).second)
      return terminator->emitOpError("result ")
             << number << " has no kernel of its own";
  }
  return success();
}

LogicalResult PlanBuilder::visitFunction(func::FuncOp function) {
  faultSlots = repro::getFaultSlots(function);
  setFaultSlots(function, "", plan);
  preparedKernels.emplace(function, options);
  Block &block = function.getBody().front();
  for (BlockArgument argument : block.getArguments()) {
    plan::Buffer buffer;
    buffer.set_input(argument.getArgNumber());
    buffers[argument] =
        addBuffer(std::move(buffer), bytesOf(argument.getType()));
  }
  SmallVector<uint32_t> outputs;
  for (auto [number, value] :
       llvm::enumerate(block.getTerminator()->getOperands())) {
    plan::Buffer buffer;
    buffer.set_output(static_cast<uint32_t>(number));
    outputs.push_back(addBuffer(std::move(buffer), bytesOf(value.getType())));
  }
  if (failed(bindYielded(block.getTerminator(), outputs)) ||
      failed(visitBlock(block, *plan.mutable_steps())))
    return failure();
  joinCarries();
  return success();
}

LogicalResult PlanBuilder::build(func::FuncOp function) {
  if (failed(visitFunction(function)))
    return failure();
  if (!hasControl)
    plan.clear_steps();
  finishArena();
  setInPlace(function);
  return success();
}

FailureOr<Timeline> PlanBuilder::findTimeline(func::FuncOp function,
                                              PairCache &known) {
  std::swap(pairs, known);
  const LogicalResult done = visitFunction(function);
  std::swap(pairs, known);
  if (failed(done))
    return failure();
  Timeline timeline;
  for (auto [value, buffer] : buffers)
    if (auto found = blockOf.find(buffer); found != blockOf.end())
      timeline.blockOf[value] = found->second;
  timeline.blocks = std::move(blocks);
  timeline.begins = std::move(begins);
  return timeline;
}

Operation *Timeline::opAt(int64_t time) const {
  auto after =
      llvm::upper_bound(begins, time, [](int64_t time, const auto &entry) {
        return time < entry.first;
      });
  return after == begins.begin() ? nullptr : std::prev(after)->second;
}

/// Finds the outputs that may be written over the input that they replace.
void PlanBuilder::setInPlace(func::FuncOp function) {
  auto donated =
      function->getParentOfType<ModuleOp>()->getAttrOfType<DenseI64ArrayAttr>(
          program::kDonatedAttr);
  if (!donated)
    return;
  Block &block = function.getBody().front();
  for (auto [number, value] :
       llvm::enumerate(block.getTerminator()->getOperands())) {
    auto result = dyn_cast<OpResult>(repro::getStorage(value));
    auto kernel =
        result ? dyn_cast<repro::KernelOp>(result.getOwner()) : nullptr;
    const int64_t replaced = donated[number];
    plan.add_in_place(kernel && replaced >= 0 &&
                      block.getArgument(replaced).getType() ==
                          value.getType() &&
                      isReadInPlace(block.getArgument(replaced), kernel,
                                    result.getResultNumber()));
  }
}

LogicalResult PlanBuilder::visitBlock(Block &block, Steps &steps) {
  for (Operation &op : block.without_terminator())
    if (failed(visit(&op, steps)))
      return failure();
  return success();
}

LogicalResult PlanBuilder::visit(Operation *op, Steps &steps) {
  if (!isa<repro::ReshapeOp, repro::ConstantOp>(op))
    begins.emplace_back(now, op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](repro::ReshapeOp) { return success(); })
      .Case([&](repro::ConstantOp constant) { return visit(constant); })
      .Case<repro::KernelOp, repro::CheckOp, repro::IfOp, repro::LoopOp>(
          [&](auto known) { return visit(known, steps); })
      .Default([](Operation *other) {
        return other->emitOpError("is not in a kernel");
      });
}

LogicalResult PlanBuilder::visit(repro::ConstantOp constant) {
  const Tensor tensor =
      repro::toTensor(cast<ElementsAttr>(constant.getValue()));
  plan.add_constants(reinterpret_cast<const char *>(tensor.data()),
                     static_cast<size_t>(tensor.byteSize()));
  plan::Buffer buffer;
  buffer.set_constant(static_cast<uint32_t>(plan.constants_size() - 1));
  buffers[constant.getResult()] =
      addBuffer(std::move(buffer), static_cast<uint64_t>(tensor.byteSize()));
  return success();
}

/// Returns the main launch of a kernel: on a CPU the last one, since operands
/// are packed before it; on a GPU the one with the most threads, since the
/// others prepare and finish.
static plan::Launch &findLargest(MutableArrayRef<plan::Launch> launches) {
  if (launches.back().block().empty())
    return launches.back();
  auto size = [](const plan::Launch &launch) {
    uint64_t threads = 1;
    for (uint32_t extent : launch.grid())
      threads *= extent;
    for (uint32_t extent : launch.block())
      threads *= extent;
    return threads + static_cast<uint64_t>(launch.tiles());
  };
  return *llvm::max_element(launches,
                            [&](const plan::Launch &a, const plan::Launch &b) {
                              return size(a) < size(b);
                            });
}

/// A schedule that divides a kernel has set those of the parts.
static void setFlops(repro::KernelOp kernel,
                     MutableArrayRef<plan::Launch> launches) {
  if (llvm::all_of(launches, [](const plan::Launch &launch) {
        return launch.flops() == 0;
      }))
    findLargest(launches).set_flops(
        static_cast<uint64_t>(countKernelFlops(kernel)));
}

/// Adds a launch that runs before runs.
void PlanBuilder::addPreparing(repro::KernelOp kernel, plan::Launch launch,
                               ArrayRef<uint32_t> used) {
  launch.set_prepares(true);
  launch.set_operation(nameNode(kernel));
  launch.set_source_kernel(kernel.getSym().str());
  for (uint32_t buffer : used) {
    launch.add_buffers(buffer);
    prepared.use(buffer, /*prepares=*/true);
  }
  prepared.endLaunch();
  timeOfLaunch.push_back(now);
  *plan.add_launches() = std::move(launch);
}

LogicalResult PlanBuilder::visit(repro::KernelOp kernel, Steps &steps) {
  FailureOr<KernelLaunches> made = findLaunches(kernel);
  if (failed(made))
    return failure();
  const bool isPrepared = preparedKernels->contains(kernel);
  SmallVector<uint32_t> used;
  for (Value input : kernel.getInputs())
    used.push_back(bufferOf(input));
  for (OpResult result : kernel.getResults()) {
    if (isPrepared) {
      buffers[result] = addPrepared(bytesOf(result.getType()));
    } else if (!buffers.count(result)) {
      std::optional<uint32_t> operand =
          findOperandToOverwrite(kernel, result.getResultNumber());
      writtenInPlace += operand.has_value();
      buffers[result] =
          operand ? *operand : addArena(bytesOf(result.getType()));
    }
    used.push_back(buffers.at(result));
  }
  for (Operation *op : kernel.getFaultingOps())
    used.push_back(faultBuffer(op));
  for (auto [number, size] : llvm::enumerate(made->workspaces)) {
    const auto bytes = static_cast<uint64_t>(size);
    const bool lasts = isPrepared || llvm::is_contained(made->prepared, number);
    used.push_back(lasts ? addPrepared(bytes) : addArena(bytes));
  }
  if (!made->launches.empty())
    setFlops(kernel, made->launches);
  for (plan::Launch &launch : made->launches) {
    if (isPrepared || launch.prepares()) {
      addPreparing(kernel, std::move(launch), used);
      continue;
    }
    for (auto [number, buffer] : llvm::enumerate(used)) {
      if (llvm::is_contained(made->unread, number)) {
        launch.add_buffers(emptyBuffer());
        continue;
      }
      launch.add_buffers(buffer);
      use(buffer);
    }
    launch.set_operation(nameNode(kernel));
    launch.set_source_kernel(kernel.getSym().str());
    timeOfLaunch.push_back(now);
    steps.Add()->set_launch(static_cast<uint32_t>(plan.launches_size()));
    *plan.add_launches() = std::move(launch);
    ++now;
  }
  return success();
}

LogicalResult PlanBuilder::visit(repro::CheckOp check, Steps &steps) {
  hasControl = true;
  const uint32_t ok = bufferOf(check.getOk());
  use(ok);
  plan::Step::Check &step = *steps.Add()->mutable_check();
  step.set_ok(ok);
  step.set_fault(faultSlots.lookup(check));
  ++now;
  return success();
}

LogicalResult PlanBuilder::visit(repro::IfOp branch, Steps &steps) {
  hasControl = true;
  const uint32_t predicate = bufferOf(branch.getPredicate());
  use(predicate);
  plan::Step::If &step = *steps.Add()->mutable_branch();
  step.set_predicate(predicate);
  SmallVector<uint32_t> results;
  for (Value result : branch.getResults()) {
    buffers[result] = addArena(bytesOf(result.getType()));
    results.push_back(buffers.at(result));
  }
  ++now;
  for (Block *block : {&branch.getThenBlock(), &branch.getElseBlock()}) {
    for (auto [argument, capture] :
         llvm::zip_equal(block->getArguments(), branch.getCaptures()))
      buffers[argument] = bufferOf(capture);
    if (failed(bindYielded(block->getTerminator(), results)) ||
        failed(visitBlock(*block, block == &branch.getThenBlock()
                                      ? *step.mutable_then_steps()
                                      : *step.mutable_else_steps())))
      return failure();
  }
  begins.emplace_back(now, branch);
  for (uint32_t result : results)
    use(result);
  ++now;
  return success();
}

/// True if a kernel of a loop's body may write the next carried value over the
/// current one: it is the last to read it, and reads it in place.
bool PlanBuilder::isUpdatedInPlace(BlockArgument current, Value next) {
  auto result = dyn_cast<OpResult>(repro::getStorage(next));
  auto kernel = result ? dyn_cast<repro::KernelOp>(result.getOwner()) : nullptr;
  return kernel && kernel->getBlock() == current.getOwner() &&
         llvm::any_of(kernel.getInputs(),
                      [&](Value operand) {
                        return repro::getStorage(operand) == current;
                      }) &&
         isReadInPlace(current, kernel, result.getResultNumber());
}

/// Adds two buffers that alternately hold a carried value, or a single one that
/// is updated in place; the first is initialized.
plan::Step::Carry PlanBuilder::addCarry(Value init, BlockArgument current,
                                        Value next, Steps &steps) {
  const uint64_t bytes = bytesOf(init.getType());
  const bool inPlace = current && isUpdatedInPlace(current, next);
  writtenInPlace += inPlace;
  plan::Step::Carry carry;
  carry.set_current(addArena(bytes));
  carry.set_next(inPlace ? carry.current() : addArena(bytes));
  carries.emplace_back(carry.current(), carry.next());
  plan::Step::Copy &copy = *steps.Add()->mutable_copy();
  copy.set_from(bufferOf(init));
  copy.set_to(carry.current());
  use(copy.from());
  ++now;
  return carry;
}

LogicalResult PlanBuilder::visit(repro::LoopOp loop, Steps &steps) {
  hasControl = true;
  plan::Step::Loop step;
  step.set_trips(static_cast<int64_t>(loop.getTrips()));
  step.set_index(addArena(sizeof(int64_t)));
  Block &block = loop.getBlock();
  buffers[loop.getIndex()] = step.index();
  if (Value condition = loop.getCondition()) {
    *step.add_carries() = addCarry(condition, {}, {}, steps);
    step.set_condition(step.carries(0).current());
  }
  for (auto [argument, init, next, result] :
       llvm::zip_equal(loop.getCarried(), loop.getInits(), loop.getYielded(),
                       loop.getResults())) {
    plan::Step::Carry &carry = *step.add_carries();
    carry = addCarry(init, argument, next, steps);
    buffers[argument] = buffers[result] = carry.current();
  }
  for (auto [argument, invariant] :
       llvm::zip_equal(loop.getInvariantArguments(), loop.getInvariants()))
    buffers[argument] = bufferOf(invariant);
  if (loop.mayFault())
    step.set_exhaust_fault(faultSlots.lookup(loop));

  SmallVector<uint32_t> places;
  for (const plan::Step::Carry &carry : step.carries())
    places.push_back(carry.next());
  ++now;
  loops.push_back({now, {}});
  ++now;
  if (failed(bindYielded(block.getTerminator(), places)) ||
      failed(visitBlock(block, *step.mutable_body())))
    return failure();
  begins.emplace_back(now, loop);
  // The index and the carried values are live throughout the loop.
  use(step.index());
  for (const plan::Step::Carry &carry : step.carries())
    use(carry.current());
  LoopScope scope = loops.pop_back_val();
  for (uint32_t buffer : scope.buffers)
    use(buffer);
  ++now;
  *steps.Add()->mutable_loop() = std::move(step);
  return success();
}

/// Alternating buffers may each have the other's role.
void PlanBuilder::joinCarries() {
  for (auto [current, next] : carries) {
    ArenaBlock &a = blocks[blockOf[current]], &b = blocks[blockOf[next]];
    a.first = b.first = std::min(a.first, b.first);
    a.last = b.last = std::max(a.last, b.last);
  }
}

void PlanBuilder::finishArena() {
  plan.set_arena_bytes(packArena(blocks));
  for (auto [buffer, block] : blockOf)
    plan.mutable_buffers(static_cast<int>(buffer))
        ->set_arena(blocks[block].offset);
  prepared.finish(plan);
  describeArena();
}

void PlanBuilder::describeArena() {
  const LiveSet set = findLargestLiveSet(blocks);
  plan::Memory &memory = *plan.mutable_memory();
  memory.set_lower_bound(set.bytes);
  memory.set_without_reuse(sumBlocks(blocks));
  memory.set_written_in_place(writtenInPlace);
  std::vector<uint32_t> bufferOfBlock(blocks.size());
  for (auto [buffer, block] : blockOf)
    bufferOfBlock[block] = buffer;
  for (size_t block : set.blocks)
    if (blocks[block].bytes)
      memory.add_largest(bufferOfBlock[block]);
  auto after = llvm::upper_bound(timeOfLaunch, set.time);
  if (after != timeOfLaunch.begin())
    memory.set_launch(static_cast<uint32_t>(after - timeOfLaunch.begin() - 1));
}

LogicalResult
buildPlan(func::FuncOp function,
          function_ref<FailureOr<KernelLaunches>(repro::KernelOp)> launchesOf,
          plan::Plan &plan, const PlanOptions &options) {
  return PlanBuilder(plan, launchesOf, options).build(function);
}

} // namespace gensyn::codegen
