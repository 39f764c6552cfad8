// See CudaProgram.h.

#include "CudaProgram.h"

#include "CudaHostValues.h"
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
  checks = listChecks(plan);
  resultBytes = uint64_t(plan.faults_size()) * 8 + 8 + checks.size();
  for (const Port &port : signature().outputs)
    lossOffsets.push_back(isFigure(port) ? reserve(resultBytes, portBytes(port))
                                         : 0);
}

/// Checks that there is enough memory, that of the loaded kernels included.
void CudaProgram::foresee() {
  std::map<std::string, KeptValue> kept;
  const std::vector<bool> isReplacedOnce = findReplacedOnce(plan);
  for (size_t i = 0; i < signature().inputs.size(); ++i)
    if (const Port &port = signature().inputs[i]; isKept(port))
      kept[port.name] = {portBytes(port), isReplacedOnce[i]};
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
  for (std::unique_ptr<ResultSlot> &slot : results)
    slot = std::make_unique<ResultSlot>(context, resultBytes);
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

/// The memory of faults of a run with that slot of results. Runs share what is
/// on the GPU, where one follows the other.
FaultMemory CudaProgram::faultMemory(size_t slot) const {
  return {faultWords->address, results[slot]->at(0),
          results[slot]->at(uint64_t(plan.faults_size()) * 8 + 8)};
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
      const std::string &name = signature().inputs[i].name;
      context->settle(name);
      auto copy = std::make_unique<KeptMemory>(
          context, uint64_t(tensor.byteSize()), context->isOnHost(name));
      memory = copy.get();
      if (copy->host) {
        std::memcpy(copy->host->begin, tensor.data(),
                    size_t(tensor.byteSize()));
      } else if (tensor.byteSize() != 0) {
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
      places.push_back(faultWords->address + 8 * uint64_t(buffer.fault()));
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
                          size_t slot, bool hasBranches) {
  steps.clearFaults();
  if (hasBranches)
    steps.setBranches(order);
  runSteps(plan, steps);
  for (size_t j = 0; j < outputs.size(); ++j)
    if (const Port &port = signature().outputs[j];
        isFigure(port) && portBytes(port) != 0)
      steps.copyToHost(results[slot]->at(lossOffsets[j]), outputs[j],
                       portBytes(port));
  steps.stopTimes();
}

GraphExec CudaProgram::record(Run &run, std::vector<Address> places,
                              const std::vector<Address> &outputs) {
  const Driver &driver = context->driver;
  graphTimes.clear();
  CudaSteps steps(*context, *kernels, plan, std::move(places),
                  faultMemory(run.results), run.faults, graphTimes,
                  CudaSteps::Mode::Record);
  driver.check(
      driver.cuStreamBeginCapture_v2(context->compute, CaptureThreadLocal),
      "record a graph");
  Graph graph = nullptr;
  try {
    // Times are those between neighbours in a chain.
    enqueue(steps, outputs, run.results, /*hasBranches=*/!context->profile);
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

/// The slot of the results has the number of that of the inputs if it is free:
/// a graph has the addresses of both. Inputs of others are not in a slot.
size_t CudaProgram::chooseResults(bool borrows) const {
  const size_t wanted = borrows ? 0 : current;
  return !runs.empty() && runs.front().results == wanted ? wanted ^ 1 : wanted;
}

void CudaProgram::start(std::span<Value *const> kept, std::span<Value> outputs,
                        bool borrows) {
  if (runs.size() >= (mayRunAhead() ? results.size() : 1))
    throw Failure(ExitCode::Bug, "a run begins before those in progress end");
  const CurrentContext entered = context->enter();
  const nvtx::ProfilerRange range(&rangeName);
  if (!started)
    started = Clock::now();
  streamTimes.clear();
  reserveRunMemory();
  current = next;
  Run run{current, chooseResults(borrows), false, FaultWords(plan), outputs};
  preparation.bind(kept);
  if (borrows)
    context->awaitArrivals();
  const std::vector<Address> inputAddresses = bindInputs(kept);
  const std::vector<Address> outputAddresses = bindOutputs(kept, outputs);
  streamTimes.stop(context->compute);
  slots[current].awaitCopy();
  context->isBusy = true;
  launch(run, inputAddresses, outputAddresses, borrows);
  results[run.results]->close();
  // From now on a later run may read and replace them.
  for (size_t j = 0; j < outputs.size(); ++j)
    outputs[j].setNew(std::move(made[j]));
  runs.push_back(std::move(run));
}

/// Enqueues the work of a run, as a graph if it can be one.
void CudaProgram::launch(Run &run, const std::vector<Address> &inputs,
                         const std::vector<Address> &outputs, bool borrows) {
  const Driver &driver = context->driver;
  auto makeSteps = [&] {
    return CudaSteps(*context, *kernels, plan, place(inputs, outputs),
                     faultMemory(run.results), run.faults, streamTimes,
                     oneByOne ? CudaSteps::Mode::OneByOne
                              : CudaSteps::Mode::Decide);
  };
  if (preparation.start()) {
    CudaSteps steps = makeSteps();
    runPreparation(plan, steps);
    steps.stopTimes();
  }
  preparation.finish();
  std::vector<Address> key = inputs;
  key.insert(key.end(), outputs.begin(), outputs.end());
  key.push_back(run.results);
  run.isGraph = isStatic && (!borrows || graphs.count(key) || seen.count(key));
  if (!run.isGraph) {
    if (seen.size() >= mostSeen)
      seen.clear();
    if (isStatic)
      seen.insert(std::move(key));
    CudaSteps steps = makeSteps();
    return enqueue(steps, outputs, run.results);
  }
  auto found = graphs.find(key);
  if (found == graphs.end()) {
    if (graphs.size() >= mostGraphs)
      destroyGraphs();
    GraphExec graph = record(run, place(inputs, outputs), outputs);
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
void CudaProgram::finishFaults(Run &run) const {
  const FaultMemory memory = faultMemory(run.results);
  for (size_t i = 0; i < size_t(plan.faults_size()); ++i) {
    uint64_t element;
    std::memcpy(&element, memory.copy + i * 8, sizeof(element));
    run.faults.record(i, element);
  }
  for (size_t i = 0; i < checks.size(); ++i)
    if (memory.checks[i] == 0)
      run.faults.record(checks[i]);
  run.faults.merge(0);
}

/// Adds the times of a run that has ended to the profile.
void CudaProgram::addTimes(const Run &run) {
  if (context->profile)
    context->profile->addRun(secondsSince(*started));
  started.reset();
  streamTimes.addTo(plan);
  if (run.isGraph)
    graphTimes.addTo(plan);
  slots[run.inputs].addTimes();
}

/// Waits for the oldest run in progress.
const FaultWords &CudaProgram::finish() {
  Run run = std::move(runs.front());
  runs.pop_front();
  context->isBusy = !runs.empty();
  const CurrentContext entered = context->enter();
  results[run.results]->wait([&] {
    std::vector<int> launches(size_t(plan.launches_size()));
    std::iota(launches.begin(), launches.end(), 0);
    return describeKernels(plan, launches);
  });
  if (run.isGraph)
    finishFaults(run);
  for (size_t j = 0; j < run.outputs.size(); ++j) {
    const Port &port = signature().outputs[j];
    if (!isFigure(port))
      continue;
    Tensor figure(port.type, port.shape);
    if (figure.byteSize() != 0)
      std::memcpy(figure.data(), results[run.results]->at(lossOffsets[j]),
                  size_t(figure.byteSize()));
    run.outputs[j].setHost(std::move(figure));
  }
  addTimes(run);
  return faults.emplace(std::move(run.faults));
}

void CudaProgram::end() {
  if (!runs.empty())
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
