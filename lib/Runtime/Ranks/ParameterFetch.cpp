// See ParameterFetch.h.

#include "ParameterFetch.h"

#include "PartInputs.h"
#include "Tags.h"
#include "gensyn/Executable/Support/AlignedMemory.h"

#include <algorithm>
#include <sstream>

namespace gensyn::runtime {

/// Tensors that are on their way before they are needed.
static constexpr size_t kAhead = 2;

ParameterFetch::ParameterFetch(std::vector<Parameter> given,
                               int64_t microbatches,
                               communication::Communicator &ranks)
    : parameters(std::move(given)), ranks(ranks), incoming(parameters.size()) {
  std::string mine;
  for (const Parameter &parameter : parameters)
    mine += std::to_string(parameter.uses * microbatches) + " ";
  for (const std::string &text : ranks.gather(mine)) {
    std::istringstream numbers(text);
    std::vector<uint32_t> &own = asks.emplace_back();
    for (uint32_t number = 0; numbers >> number;)
      own.push_back(number);
    if (own.size() != parameters.size())
      failParts("of ranks have other parameters");
  }
}

void ParameterFetch::begin(std::vector<std::byte *> given) {
  bytes = std::move(given);
  known = std::move(order);
  order.clear();
  ahead.clear();
  const int own = ranks.rank(), size = ranks.size();
  for (size_t i = 0; i < parameters.size(); ++i)
    for (int distance = 1; distance < size; ++distance) {
      const int to = (own + distance) % size;
      const std::span<std::byte> range = at(i).range(own);
      for (uint32_t ask = 0; ask < asks[size_t(to)][i] && !range.empty(); ++ask)
        sends.push_back(ranks.send(to, tagOfParameter(i), range));
    }
}

/// Begins to receive the elements of other ranks.
void ParameterFetch::request(size_t parameter) {
  for (int from = 0; from < ranks.size(); ++from)
    if (const std::span<std::byte> range = at(parameter).range(from);
        from != ranks.rank() && !range.empty())
      incoming[parameter].push_back(
          ranks.receive(from, tagOfParameter(parameter), range));
}

void ParameterFetch::acquire(size_t parameter) {
  if (auto found = std::find(ahead.begin(), ahead.end(), parameter);
      found != ahead.end())
    ahead.erase(found);
  else
    request(parameter);
  order.push_back(parameter);
  // The order of requests is that of the step before, unless the last batch of
  // an epoch has another program.
  for (size_t i = order.size();
       i < known.size() && i < order.size() + kAhead && ahead.size() < kAhead;
       ++i) {
    const size_t next = known[i];
    // One that is being used comes again only when it was forgotten.
    if (next == parameter || !incoming[next].empty())
      break;
    request(next);
    ahead.push_back(next);
  }
  for (const communication::Transfer &transfer : incoming[parameter])
    ranks.wait(transfer);
}

void ParameterFetch::release(size_t parameter) {
  incoming[parameter].clear();
  for (int from = 0; from < ranks.size(); ++from)
    if (const std::span<std::byte> range = at(parameter).range(from);
        from != ranks.rank() && !range.empty())
      releasePages(range.data(), range.size());
}

void ParameterFetch::finish() {
  for (const communication::Transfer &send : sends)
    ranks.wait(send);
  sends.clear();
}

} // namespace gensyn::runtime
