// See RankTrace.h.

#include "gensyn/Runtime/Ranks/RankTrace.h"

#include "Tags.h"
#include "gensyn/Executable/Support/Json.h"

#include <utility>

namespace gensyn::runtime {

/// About 100 bytes each in the file.
static constexpr size_t kMostSpans = 1'000'000;
/// Shorter ones of waiting cannot be seen.
static constexpr std::chrono::microseconds kShortestWait(20);

RankTrace::RankTrace(communication::Communicator &ranks) : ranks(ranks) {
  ranks.observeWaits([this](Clock::time_point begin, Clock::time_point end) {
    if (end - begin >= kShortestWait)
      add("waiting", begin, end);
  });
  ranks.barrier();
  start = Clock::now();
}

void RankTrace::add(std::string name, Clock::time_point begin,
                    Clock::time_point end) {
  const std::lock_guard lock(mutex);
  if (spans.size() < kMostSpans)
    spans.push_back({std::move(name), begin, end});
  else
    ++leftOut;
}

/// The spans as elements of a list, each on a line.
std::string RankTrace::print() const {
  std::string text =
      printJson({{"ph", "M"},
                 {"name", "process_name"},
                 {"pid", ranks.rank()},
                 {"args", {{"name", ranks.describe(ranks.rank())}}}});
  for (const auto &[name, begin, end] : spans) {
    if (begin < start)
      continue;
    using Microseconds = std::chrono::duration<double, std::micro>;
    text += ",\n" + printJson({{"ph", "X"},
                               {"name", name},
                               {"pid", ranks.rank()},
                               {"tid", 0},
                               {"ts", Microseconds(begin - start).count()},
                               {"dur", Microseconds(end - begin).count()}});
  }
  return text;
}

std::string RankTrace::gather() {
  ranks.observeWaits(nullptr);
  std::string own = print();
  const std::vector<std::string> sizes =
      ranks.gather(std::to_string(own.size()));
  if (ranks.rank() != 0) {
    ranks.wait(ranks.send(0, kTraceTag, std::as_bytes(std::span(own))));
    return "";
  }
  std::string text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + own;
  for (int rank = 1; rank < ranks.size(); ++rank) {
    std::string other(std::stoull(sizes[size_t(rank)]), ' ');
    ranks.wait(ranks.receive(rank, kTraceTag,
                             std::as_writable_bytes(std::span(other))));
    text += ",\n" + other;
  }
  return text + "\n]}\n";
}

} // namespace gensyn::runtime
