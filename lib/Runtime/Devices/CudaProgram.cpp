// See CudaProgram.h.

#include "CudaProgram.h"

#include "ProfilerRange.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/KernelProfile.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>

namespace gensyn::cuda {

using runtime::Value;

/// The alignment of inputs that kernels count on (EmitKernel.cpp).
static constexpr uint64_t kernelAlignment = 64;
/// Maximum number of graphs for different addresses that are cached; a training
/// run needs two or four.
static constexpr size_t mostGraphs = 16;
/// Maximum number of addresses of runs without a graph that are remembered.
static constexpr size_t mostSeen = 64;

static uint64_t reserve(uint64_t &end, uint64_t bytes) {
  uint64_t begin =
      (end + tensorAlignment - 1) / tensorAlignment * tensorAlignment;
  end = begin + bytes;
  return begin;
}

static uint64_t portBytes(const Port &port) {
  return uint64_t(countBytes(port.type, port.shape).value_or(0));
}

CudaProgram::CudaProgram(std::shared_ptr<const plan::Executable> source,
                         std::shared_ptr<DeviceContext> owner)
    : Program(std::move(source)), context(std::move(owner)),
      plan(executable().plan()), streamTimes(*context),
      graphTimes(*context, /*isCaptured=*/true) {
  rangeName =
      executable().kind() + " " + executable().program_digest().substr(0, 8);
  const char *blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
  oneByOne = blocking && std::string(blocking) == "1";
  isStatic = !oneByOne && countWork(plan).has_value();
  if (isStatic)
    order = findLaunchGraph(plan);
  const CurrentContext entered = context->enter();
  measure();
  foresee();
  kernels = std::make_unique<LoadedKernels>(context, executable());
  if (kernels->localBytes() != 0)
    foresee();
  allocate();
}

CudaProgram::~CudaProgram() {
  const Driver &driver = context->driver;
  const CurrentContext entered = context->tryEnter();
  // Memory must not be released while copies use it.
  driver.cuStreamSynchronize(context->copies);
  driver.cuStreamSynchronize(context->compute);
  destroyGraphs();
}

void CudaProgram::destroyGraphs() {
  for (auto &[places, graph] : graphs)
    context->driver.cuGraphExecDestroy(graph);
  graphs.clear();
  last = nullptr;
}

bool CudaProgram::isInPlace(size_t output) const {
  return output < size_t(plan.in_place_size()) && plan.in_place(int(output)) &&
         signature().donated[output] >= 0;
}

/// Computes the memory layout.
void CudaProgram::measure() {
  for (const Port &port : signature().inputs) {
    inputOffsets.push_back(0);
    if (!isKept(port))
      inputOffsets.back() = reserve(slotBytes, portBytes(port));
  }
  for (const std::string &bytes : plan.constants())
    constantOffsets.push_back(reserve(constantBytes, bytes.size()));
  resultBytes = uint64_t(plan.faults_size()) * 8 + 8 + countChecks(plan);
  for (const Port &port : signature().outputs)
    lossOffsets.push_back(isFigure(port) ? reserve(resultBytes, portBytes(port))
                                         : 0);
}

/// Checks that there is enough memory, that of the loaded kernels included.
void CudaProgram::foresee() {
  std::map<std::string, uint64_t> kept;
  for (const Port &port : signature().inputs)
    if (isKept(port))
      kept[port.name] = portBytes(port);
  const uint64_t shared = RunMemory::of(context)->bytes;
  uint64_t own = countPages(plan.arena_bytes());
  own -= std::min(own, countPages(shared));
  for (uint64_t bytes :
       {plan.prepared_bytes(), constantBytes, uint64_t(plan.faults_size()) * 8})
    own += countPages(bytes);
  own += slots.size() * countPages(slotBytes);
  for (size_t j = 0; j < signature().outputs.size(); ++j)
    if (!isInPlace(j))
      own += countPages(portBytes(signature().outputs[j]));
  context->foresee(own, kept, kernels ? kernels->localBytes() : 0);
}

void CudaProgram::allocate() {
  arena = RunMemory::of(context);
  reserveRunMemory();
  prepared = std::make_unique<OwnedMemory>(context, plan.prepared_bytes());
  constants = std::make_unique<OwnedMemory>(context, constantBytes);
  faultWords =
      std::make_unique<OwnedMemory>(context, uint64_t(plan.faults_size()) * 8);
  results = std::make_unique<PinnedMemory>(context, resultBytes);
  faultMemory.words = faultWords->address;
  faultMemory.copy = results->begin;
  faultMemory.checks = results->begin + size_t(plan.faults_size()) * 8 + 8;
  const Driver &driver = context->driver;
  for (int i = 0; i < plan.constants_size(); ++i)
    if (const std::string &bytes = plan.constants(i); !bytes.empty())
      driver.check(driver.cuMemcpyHtoDAsync_v2(
                       constants->address + constantOffsets[size_t(i)],
                       bytes.data(), bytes.size(), context->compute),
                   "copy constants to " + context->label);
}

/// Another program may have moved the memory that is shared.
void CudaProgram::reserveRunMemory() {
  arena->reserve(plan.arena_bytes());
  if (arena->address != recorded)
    destroyGraphs();
  recorded = arena->address;
}

void CudaProgram::stage(std::span<const Tensor *const> inputs) {
  if (!context->isBusy)
    started = Clock::now();
  if (slotBytes == 0)
    return;
  const CurrentContext entered = context->enter();
  next = current ^ 1;
  slots[next].fill(context, slotBytes, inputs, inputOffsets);
}

bool CudaProgram::isBorrowed(const Value *value) const {
  const auto *memory =
      value ? dynamic_cast<const BorrowedMemory *>(value->device()) : nullptr;
  return memory && memory->context == context;
}

/// Memory of others is read where it is, if kernels can.
Address CudaProgram::bindBorrowed(const BorrowedMemory &memory, size_t input) {
  if (memory.address % kernelAlignment == 0 || memory.bytes == 0)
    return memory.address;
  streamTimes.beginCopy(context->compute, kCopyOnGpu, 2 * memory.bytes);
  return slots[current].copyOnGpu(context, slotBytes, inputOffsets[input],
                                  memory.address, memory.bytes);
}

std::vector<Address> CudaProgram::bindInputs(std::span<Value *const> kept) {
  const Driver &driver = context->driver;
  std::vector<Address> addresses;
  for (size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]) {
      // There is no memory where no input has an element.
      addresses.push_back(slots[current].at(inputOffsets[i]));
      continue;
    }
    if (isBorrowed(kept[i])) {
      addresses.push_back(bindBorrowed(
          static_cast<const BorrowedMemory &>(*kept[i]->device()), i));
      continue;
    }
    auto *memory = dynamic_cast<KeptMemory *>(kept[i]->device());
    if (!memory || memory->context != context) {
      const Tensor &tensor = kept[i]->read();
      auto copy =
          std::make_unique<KeptMemory>(context, uint64_t(tensor.byteSize()));
      memory = copy.get();
      if (tensor.byteSize() != 0) {
        streamTimes.beginCopy(context->compute, kCopyOfParameters,
                              uint64_t(tensor.byteSize()));
        driver.check(driver.cuMemcpyHtoDAsync_v2(copy->address, tensor.data(),
                                                 size_t(tensor.byteSize()),
                                                 context->compute),
                     "copy parameters to " + context->label);
      }
      kept[i]->setCopy(std::move(copy));
    }
    addresses.push_back(memory->address);
  }
  return addresses;
}

std::vector<Address> CudaProgram::bindOutputs(std::span<Value *const> kept,
                                              std::span<Value> outputs) {
  std::vector<Address> addresses;
  made.clear();
  for (size_t j = 0; j < outputs.size(); ++j) {
    const uint64_t bytes = portBytes(signature().outputs[j]);
    Value &source =
        isInPlace(j) ? *kept[size_t(signature().donated[j])] : outputs[j];
    std::unique_ptr<runtime::DeviceMemory> memory = source.takeMemory();
    auto *usable = dynamic_cast<KeptMemory *>(memory.get());
    if (usable && usable->context == context && usable->bytes == bytes) {
      memory.release();
      made.emplace_back(usable);
    } else {
      made.push_back(std::make_unique<KeptMemory>(context, bytes));
    }
    addresses.push_back(made.back()->address);
  }
  return addresses;
}

std::vector<Address>
CudaProgram::place(const std::vector<Address> &inputs,
                   const std::vector<Address> &outputs) const {
  std::vector<Address> places;
  for (const plan::Buffer &buffer : plan.buffers()) {
    switch (buffer.place_case()) {
    case plan::Buffer::kInput:
      places.push_back(inputs[buffer.input()]);
      break;
    case plan::Buffer::kOutput:
      places.push_back(outputs[buffer.output()]);
      break;
    case plan::Buffer::kConstant:
      places.push_back(constants->address + constantOffsets[buffer.constant()]);
      break;
    case plan::Buffer::kFault:
      places.push_back(faultMemory.words + 8 * uint64_t(buffer.fault()));
      break;
    case plan::Buffer::kPrepared:
      places.push_back(prepared->address + buffer.prepared());
      break;
    default:
      places.push_back(arena->address + buffer.arena());
    }
  }
  return places;
}

/// Enqueues a whole run: clears its faults before, copies them and its loss
/// back after it.
void CudaProgram::enqueue(CudaSteps &steps, const std::vector<Address> &outputs,
                          bool hasBranches) {
  faultMemory.checked.clear();
  steps.clearFaults();
  if (hasBranches)
    steps.setBranches(order);
  runSteps(plan, steps);
  for (size_t j = 0; j < outputs.size(); ++j)
    if (const Port &port = signature().outputs[j];
        isFigure(port) && portBytes(port) != 0)
      steps.copyToHost(results->begin + lossOffsets[j], outputs[j],
                       portBytes(port));
  steps.stopTimes();
}

GraphExec CudaProgram::record(std::vector<Address> places,
                              const std::vector<Address> &outputs) {
  const Driver &driver = context->driver;
  graphTimes.clear();
  CudaSteps steps(*context, *kernels, plan, std::move(places), faultMemory,
                  *faults, graphTimes, CudaSteps::Mode::Record);
  driver.check(
      driver.cuStreamBeginCapture_v2(context->compute, CaptureThreadLocal),
      "record a graph");
  Graph graph = nullptr;
  try {
    // Times are those between neighbours in a chain.
    enqueue(steps, outputs, /*hasBranches=*/!context->profile);
  } catch (...) {
    driver.cuStreamEndCapture(context->compute, &graph);
    if (graph)
      driver.cuGraphDestroy(graph);
    // Their times are lost.
    destroyGraphs();
    throw;
  }
  driver.check(driver.cuStreamEndCapture(context->compute, &graph),
               "record a graph");
  GraphExec executable = nullptr;
  Result error = driver.cuGraphInstantiateWithFlags(&executable, graph, 0);
  driver.cuGraphDestroy(graph);
  driver.check(error, "make a graph");
  return executable;
}

void CudaProgram::begin(std::span<Value *const> kept,
                        std::span<Value> outputs) {
  const bool borrows = std::any_of(kept.begin(), kept.end(),
                                   [&](Value *v) { return isBorrowed(v); });
  try {
    start(kept, outputs, borrows);
  } catch (...) {
    // Nothing reads memory of others after the call.
    const CurrentContext entered = context->tryEnter();
    if (borrows)
      context->driver.cuStreamSynchronize(context->compute);
    throw;
  }
}

void CudaProgram::start(std::span<Value *const> kept, std::span<Value> outputs,
                        bool borrows) {
  const Driver &driver = context->driver;
  const CurrentContext entered = context->enter();
  const nvtx::ProfilerRange range(&rangeName);
  if (!started)
    started = Clock::now();
  streamTimes.clear();
  reserveRunMemory();
  current = next;
  faults.emplace(plan);
  preparation.bind(kept);
  if (borrows)
    context->awaitArrivals();
  std::vector<Address> inputAddresses = bindInputs(kept);
  std::vector<Address> outputAddresses = bindOutputs(kept, outputs);
  streamTimes.stop(context->compute);
  slots[current].awaitCopy();
  isRunning = context->isBusy = true;
  targets = outputs;
  auto makeSteps = [&] {
    return CudaSteps(
        *context, *kernels, plan, place(inputAddresses, outputAddresses),
        faultMemory, *faults, streamTimes,
        oneByOne ? CudaSteps::Mode::OneByOne : CudaSteps::Mode::Decide);
  };
  if (preparation.start()) {
    CudaSteps steps = makeSteps();
    runPreparation(plan, steps);
    steps.stopTimes();
  }
  preparation.finish();
  std::vector<Address> key = inputAddresses;
  key.insert(key.end(), outputAddresses.begin(), outputAddresses.end());
  isGraph = isStatic && (!borrows || graphs.count(key) || seen.count(key));
  if (!isGraph) {
    if (seen.size() >= mostSeen)
      seen.clear();
    if (isStatic)
      seen.insert(std::move(key));
    CudaSteps steps = makeSteps();
    return enqueue(steps, outputAddresses);
  }
  auto found = graphs.find(key);
  if (found == graphs.end()) {
    if (graphs.size() >= mostGraphs)
      destroyGraphs();
    GraphExec graph =
        record(place(inputAddresses, outputAddresses), outputAddresses);
    found = graphs.emplace(std::move(key), graph).first;
  }
  last = found->second;
  driver.check(driver.cuGraphLaunch(last, context->compute), "launch a graph");
}

void CudaProgram::repeat() {
  const CurrentContext entered = context->enter();
  reserveRunMemory();
  if (!last)
    failUnsupported("the program does not run as a graph");
  context->driver.check(context->driver.cuGraphLaunch(last, context->compute),
                        "launch a graph");
}

/// Checks the faults of a graph, which only copied words and flags.
void CudaProgram::finishFaults() {
  for (size_t i = 0; i < size_t(plan.faults_size()); ++i) {
    uint64_t element;
    std::memcpy(&element, faultMemory.copy + i * 8, sizeof(element));
    faults->record(i, element);
  }
  for (size_t i = 0; i < faultMemory.checked.size(); ++i)
    if (faultMemory.checks[i] == 0)
      faults->record(faultMemory.checked[i]);
  faults->merge(0);
}

/// Adds the times of a run that has ended to the profile.
void CudaProgram::addTimes() {
  if (context->profile)
    context->profile->addRun(secondsSince(*started));
  started.reset();
  streamTimes.addTo(plan);
  if (isGraph)
    graphTimes.addTo(plan);
  slots[current].addTimes();
}

/// Waits for the run in progress.
const FaultWords &CudaProgram::finish() {
  isRunning = context->isBusy = false;
  const CurrentContext entered = context->enter();
  std::vector<int> launches(size_t(plan.launches_size()));
  std::iota(launches.begin(), launches.end(), 0);
  context->synchronize(describeKernels(plan, launches));
  if (isGraph)
    finishFaults();
  for (size_t j = 0; j < targets.size(); ++j) {
    const Port &port = signature().outputs[j];
    targets[j].setNew(std::move(made[j]));
    if (!isFigure(port))
      continue;
    Tensor loss(port.type, port.shape);
    if (loss.byteSize() != 0)
      std::memcpy(loss.data(), results->begin + lossOffsets[j],
                  size_t(loss.byteSize()));
    targets[j].setHost(std::move(loss));
  }
  addTimes();
  return *faults;
}

void CudaProgram::end() {
  if (isRunning)
    finish().report();
}

void CudaProgram::run(std::span<const Tensor *const> inputs,
                      std::span<Tensor> outputs) {
  runToFaults(inputs, outputs).report();
}

const FaultWords &
CudaProgram::runToFaults(std::span<const Tensor *const> inputs,
                         std::span<Tensor> outputs, int times) {
  std::vector<const Tensor *> given;
  std::vector<Value> values;
  values.reserve(inputs.size());
  std::vector<Value *> kept;
  for (size_t i = 0; i < inputs.size(); ++i) {
    bool stays = isKept(signature().inputs[i]);
    given.push_back(stays ? nullptr : inputs[i]);
    kept.push_back(stays ? &values.emplace_back(*inputs[i]) : nullptr);
  }
  std::vector<Value> results;
  for (const Port &port : signature().outputs)
    results.emplace_back(port.type, port.shape);
  for (int i = 0; i < times; ++i) {
    stage(given);
    begin(kept, results);
    finish();
  }
  for (size_t j = 0; j < outputs.size(); ++j)
    outputs[j] = results[j].read();
  return *faults;
}

} // namespace gensyn::cuda
