// An evaluation that ranks divide. It is done in rounds, so that a rank has the
// figures of few batches in memory.

#include "../Ranks/ReportFailures.h"
#include "../Ranks/Tags.h"
#include "Evaluate.h"
#include "gensyn/Communication/Communicator.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gensyn::runtime {

using communication::Transfer;

/// Batches of a rank in a round, where their figures are few numbers.
static constexpr int64_t kMostBatches = 16;

BatchRange shareOfRound(int64_t done, int64_t batches, int64_t most, int rank,
                        int ranks) {
  const int64_t left = batches - done;
  const int64_t each = std::min((left + ranks - 1) / ranks, most);
  const int64_t begin = std::min(each * rank, left);
  return {done + begin, done + std::min(begin + each, left)};
}

/// Figures as numbers one after another; counts are exact.
static void append(const BatchFigures &figures, std::vector<double> &numbers) {
  const AccuracyCount hits = figures.hits.value_or(AccuracyCount());
  numbers.insert(numbers.end(),
                 {double(figures.samples), figures.loss, figures.weight,
                  double(figures.hits.has_value()), double(hits.right),
                  double(hits.counted)});
  for (const std::vector<double> &metric : figures.metrics) {
    numbers.push_back(double(metric.size()));
    numbers.insert(numbers.end(), metric.begin(), metric.end());
  }
}

/// Reads what append() wrote from `place` on, and moves it behind that.
static BatchFigures read(const std::vector<double> &numbers, size_t metrics,
                         size_t &place) {
  auto next = [&] { return numbers.at(place++); };
  BatchFigures figures;
  figures.samples = int64_t(next());
  figures.loss = next();
  figures.weight = next();
  const bool hasHits = next() != 0;
  AccuracyCount hits;
  hits.right = int64_t(next());
  hits.counted = int64_t(next());
  if (hasHits)
    figures.hits = hits;
  for (size_t i = 0; i < metrics; ++i) {
    std::vector<double> &metric =
        figures.metrics.emplace_back(static_cast<size_t>(next()));
    for (double &number : metric)
      number = next();
  }
  return figures;
}

namespace {

/// The figures of a rank's batches, on their way to the first rank.
class FiguresSender {
public:
  explicit FiguresSender(communication::Communicator &ranks) : ranks(ranks) {}

  /// Returns when the figures before are there.
  void send(std::vector<double> figures) {
    wait();
    numbers = std::move(figures);
    count = numbers.size();
    transfers = {
        ranks.send(0, kFiguresTag, std::as_bytes(std::span(&count, 1))),
        ranks.send(0, kFiguresTag, std::as_bytes(std::span(numbers)))};
  }
  void wait() {
    for (const Transfer &transfer : transfers)
      ranks.wait(transfer);
    transfers.clear();
  }

private:
  communication::Communicator &ranks;
  std::vector<double> numbers;
  uint64_t count = 0;
  std::vector<Transfer> transfers;
};

} // namespace

static std::vector<double> receive(communication::Communicator &ranks,
                                   int from) {
  uint64_t count = 0;
  ranks.wait(ranks.receive(from, kFiguresTag,
                           std::as_writable_bytes(std::span(&count, 1))));
  std::vector<double> numbers(count);
  ranks.wait(ranks.receive(from, kFiguresTag,
                           std::as_writable_bytes(std::span(numbers))));
  return numbers;
}

EvalRecord Evaluator::runTogether(communication::Communicator &ranks) {
  const auto start = std::chrono::steady_clock::now();
  const BatchFacts facts = batches->facts();
  Sums sums = begin();
  // Other metrics than those of classes have figures of each element.
  const int64_t most =
      sums.metrics.empty() || recipe.loss.hasClasses() ? kMostBatches : 1;
  FiguresSender sender(ranks);
  reportFailures(ranks, [&] {
    BatchRange last;
    for (int64_t done = 0; done < facts.steps; done = last.end) {
      auto share = [&](int rank) {
        return shareOfRound(done, facts.steps, most, rank, ranks.size());
      };
      last = share(ranks.size() - 1);
      const BatchRange own = share(ranks.rank());
      std::vector<double> numbers;
      batches->seek(1, own.begin);
      for (int64_t i = own.begin; i < own.end; ++i) {
        const BatchFigures figures = measure(batches->next().value(), sums);
        if (ranks.rank() == 0)
          add(figures, sums);
        else
          append(figures, numbers);
      }
      if (ranks.rank() != 0) {
        sender.send(std::move(numbers));
        continue;
      }
      for (int rank = 1; rank < ranks.size(); ++rank) {
        numbers = receive(ranks, rank);
        for (size_t place = 0; place < numbers.size();)
          add(read(numbers, sums.metrics.size(), place), sums);
      }
    }
    sender.wait();
  });
  EvalRecord record = finish(sums);
  record.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return record;
}

} // namespace gensyn::runtime
