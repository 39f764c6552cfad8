// Graphs: their nodes as a stream records them, and the order in which they
// run.

#include "Machine.h"

#include <algorithm>
#include <random>

namespace gensyn::fakedriver {

size_t GraphData::add(Operation operation, std::vector<size_t> dependencies) {
  auto node = std::make_shared<NodeData>();
  node->operation = std::move(operation);
  node->dependencies = std::move(dependencies);
  nodes.push_back(std::move(node));
  return nodes.size() - 1;
}

std::optional<std::vector<size_t>>
GraphData::find(const cuda::GraphNode *handles, size_t count) const {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < count; ++i) {
    auto found = std::find_if(nodes.begin(), nodes.end(), [&](auto &node) {
      return static_cast<void *>(node.get()) == static_cast<void *>(handles[i]);
    });
    if (found == nodes.end())
      return std::nullopt;
    numbers.push_back(size_t(found - nodes.begin()));
  }
  return numbers;
}

std::vector<size_t> GraphData::order(std::optional<uint64_t> seed) const {
  std::vector<size_t> missing;
  std::vector<std::vector<size_t>> followers(nodes.size());
  std::set<size_t> ready;
  for (size_t i = 0; i < nodes.size(); ++i) {
    missing.push_back(nodes[i]->dependencies.size());
    for (size_t before : nodes[i]->dependencies)
      followers[before].push_back(i);
    if (missing[i] == 0)
      ready.insert(i);
  }
  std::mt19937_64 random(seed.value_or(0));
  std::vector<size_t> numbers;
  while (!ready.empty()) {
    auto next =
        seed ? std::next(ready.begin(), std::ptrdiff_t(random() % ready.size()))
             : std::prev(ready.end());
    const size_t number = *next;
    ready.erase(next);
    numbers.push_back(number);
    for (size_t after : followers[number])
      if (--missing[after] == 0)
        ready.insert(after);
  }
  return numbers;
}

} // namespace gensyn::fakedriver

namespace gensyn::cuda {

using namespace fakedriver;

GENSYN_FAKE_EXPORT cuStreamBeginCapture_v2(Stream stream, unsigned mode) {
  GENSYN_FAKE_BEGIN(Current);
  StreamData *found = stream ? machine.streams.find(stream) : nullptr;
  if (!found)
    return ErrorCaptureUnsupported;
  if (found->capture)
    return ErrorInvalidValue;
  found->capture = std::make_shared<GraphData>();
  found->captureBroken = false;
  found->dependencies.clear();
  return Success;
}

GENSYN_FAKE_EXPORT cuStreamEndCapture(Stream stream, Graph *graph) {
  GENSYN_FAKE_BEGIN(Current);
  StreamData *found = machine.streams.find(stream);
  if (!found || !found->capture)
    return ErrorInvalidValue;
  auto captured = std::move(found->capture);
  found->capture.reset();
  *graph = nullptr;
  if (found->captureBroken)
    return ErrorCaptureUnsupported;
  *graph = reinterpret_cast<Graph>(
      machine.graphs.add(std::make_unique<GraphData>(*captured)));
  return Success;
}

GENSYN_FAKE_EXPORT
cuStreamGetCaptureInfo_v2(Stream stream, CaptureStatus *status,
                          unsigned long long *number, Graph *graph,
                          const GraphNode **dependencies, size_t *count) {
  GENSYN_FAKE_BEGIN(Current);
  StreamData *found = machine.find(stream);
  if (!found || !status)
    return ErrorInvalidValue;
  *status = found->capture ? 1 : 0;
  if (!found->capture)
    return Success;
  if (number)
    *number = 1;
  if (graph)
    *graph = reinterpret_cast<Graph>(found->capture.get());
  found->handles.clear();
  for (size_t node : found->dependencies)
    found->handles.push_back(
        reinterpret_cast<GraphNode>(found->capture->nodes[node].get()));
  if (dependencies)
    *dependencies = found->handles.data();
  if (count)
    *count = found->handles.size();
  return Success;
}

GENSYN_FAKE_EXPORT
cuStreamUpdateCaptureDependencies(Stream stream, GraphNode *dependencies,
                                  size_t count, unsigned flags) {
  GENSYN_FAKE_BEGIN(Current, count);
  StreamData *found = machine.find(stream);
  if (!found || !found->capture)
    return ErrorIllegalState;
  auto numbers = found->capture->find(dependencies, count);
  // A real driver might take no nodes at all; it does not say so.
  if (!numbers || count == 0 || flags > CaptureSetDependencies)
    return ErrorInvalidValue;
  if (flags != CaptureSetDependencies)
    numbers->insert(numbers->end(), found->dependencies.begin(),
                    found->dependencies.end());
  std::sort(numbers->begin(), numbers->end());
  // Each is given once.
  if (std::adjacent_find(numbers->begin(), numbers->end()) != numbers->end())
    return ErrorInvalidValue;
  found->dependencies = std::move(*numbers);
  return Success;
}

GENSYN_FAKE_EXPORT cuGraphAddEmptyNode(GraphNode *node, Graph graph,
                                       const GraphNode *dependencies,
                                       size_t count) {
  GENSYN_FAKE_BEGIN(Current);
  GraphData *found = machine.graphs.find(graph);
  machine.streams.each([&](StreamData &stream) {
    if (stream.capture &&
        reinterpret_cast<Graph>(stream.capture.get()) == graph)
      found = stream.capture.get();
  });
  if (!found)
    return ErrorInvalidHandle;
  auto numbers = found->find(dependencies, count);
  if (!numbers)
    return ErrorInvalidValue;
  const size_t added =
      found->add([]() -> Result { return Success; }, std::move(*numbers));
  *node = reinterpret_cast<GraphNode>(found->nodes[added].get());
  return Success;
}

GENSYN_FAKE_EXPORT cuGraphInstantiateWithFlags(GraphExec *executable,
                                               Graph graph,
                                               unsigned long long flags) {
  GENSYN_FAKE_BEGIN(Current);
  const GraphData *found = machine.graphs.find(graph);
  if (!found)
    return ErrorInvalidHandle;
  *executable = reinterpret_cast<GraphExec>(
      machine.executables.add(std::make_unique<GraphData>(*found)));
  return Success;
}

GENSYN_FAKE_EXPORT cuGraphLaunch(GraphExec executable, Stream stream) {
  GENSYN_FAKE_BEGIN(Current);
  const GraphData *found = machine.executables.find(executable);
  StreamData *target = machine.find(stream);
  if (!found || !target)
    return ErrorInvalidHandle;
  target->hasLaunched = true;
  for (size_t number : found->order(machine.graphSeed)) {
    const NodeData &node = *found->nodes[number];
    if (Result error = machine.add(*target, node.operation))
      return error;
    if (EventData *event = machine.events.find(node.record))
      event->note(*target);
  }
  return Success;
}

GENSYN_FAKE_EXPORT cuGraphExecDestroy(GraphExec executable) {
  GENSYN_FAKE_BEGIN(Current);
  return machine.executables.remove(executable) ? Success : ErrorInvalidHandle;
}

GENSYN_FAKE_EXPORT cuGraphDestroy(Graph graph) {
  GENSYN_FAKE_BEGIN(Current);
  return machine.graphs.remove(graph) ? Success : ErrorInvalidHandle;
}

} // namespace gensyn::cuda
