// Simulates the end of a training step that ranks divide by data: the backward
// pass of the last microbatch, whose kernels take a given time, and the
// exchange of sums by the layers that real runs have.

#include "Addition.h"
#include "ArrivingRanges.h"
#include "Models.h"
#include "PartInputs.h"
#include "Ring.h"
#include "SimulatedRank.h"
#include "StepLayout.h"
#include "SumBuckets.h"
#include "SumExchange.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

namespace gensyn::simulation {

namespace {
namespace sg = simgrid::s4u;

struct Options {
  std::string platform, model = "gpt2", network = "flows";
  int ranks = 8;
  bool ring = false;
  /// Islands do not add first.
  bool flat = false;
  /// Each rank gets its part of each sum alone, and parameters travel behind
  /// the update (`--shard optimizer` and `gradients`).
  bool sharded = false;
  /// Floating-point operations of a rank in a second.
  double rate = 40e12;
  /// Bytes after which a bucket is full; 0: as in runs, and 25 MB for the ring.
  double bucket = 0;
  Costs costs;
};

struct Dates {
  /// Of the end of the backward pass, when all sums are where they belong, and
  /// when all parameters are everywhere.
  double computed = 0, shared = 0, arrived = 0;
  uint64_t bytes = 0, messages = 0;
  /// Of all ranks.
  uint64_t passes = 0, tests = 0;
};

/// Computes until a date, while bytes move.
void computeUntil(SimulatedRank &rank, communication::Engine &engine,
                  double date) {
  const communication::TransferState never{};
  rank.wakeAt(date);
  while (sg::Engine::get_clock() < date) {
    (void)engine.isDone(never);
    rank.pause();
  }
}

std::vector<Port> portsOf(const Model &model) {
  std::vector<Port> ports;
  for (size_t i = 0; i <= model.parameters.size(); ++i)
    ports.push_back({runtime::nameOfSum(i), Role::Output, ElementType::F32,
                     i ? model.parameters[i - 1].shape : std::vector<int64_t>(),
                     nullptr});
  return ports;
}

/// The order in which gradients are complete.
std::vector<size_t> backwardOrder(const Model &model) {
  std::vector<size_t> order(model.parameters.size());
  std::iota(order.rbegin(), order.rend(), size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return model.parameters[a].readyAt < model.parameters[b].readyAt;
  });
  return order;
}

double backwardSeconds(const Model &model, double rate) {
  return model.operations() / rate * 2 / 3;
}

/// Gradients that are complete one after another.
std::vector<std::vector<size_t>> bucketsOf(const Model &model, double bytes) {
  std::vector<std::vector<size_t>> buckets(1);
  double filled = 0;
  for (size_t i : backwardOrder(model)) {
    if (filled >= bytes) {
      buckets.emplace_back();
      filled = 0;
    }
    buckets.back().push_back(i);
    filled += double(model.parameters[i].elements()) * 4;
  }
  return buckets;
}

/// The sums in the order in which they are complete: the loss, and the
/// gradients.
std::vector<size_t> orderSums(const Model &model) {
  std::vector<size_t> order = {0};
  for (size_t i : backwardOrder(model))
    order.push_back(i + 1);
  return order;
}

/// Buckets of tensors over all ranks, as train-shard-update cuts them.
runtime::TensorCuts cutSums(const std::vector<Port> &ports,
                            const runtime::Islands &islands) {
  const int ranks = islands.ranks();
  const std::vector<runtime::Cut> cuts = runtime::cutInBuckets(
      ports, ranks, 4 * std::max(int64_t(1) << 18, int64_t(ranks) << 12));
  plan::SplitStep step;
  for (size_t i = 0; i < ports.size(); ++i) {
    plan::Cut &cut = *step.add_cuts();
    cut.set_name(ports[i].name);
    for (const runtime::Range &range : cuts[i]) {
      cut.add_begins(range.begin);
      cut.add_counts(range.count);
    }
  }
  return {step, islands};
}

/// Makes parameters whole after an update, in the order of the forward pass.
void gatherParameters(communication::Communicator &ranks,
                      const runtime::Islands &islands,
                      const runtime::TensorCuts &cuts,
                      const std::vector<Port> &ports,
                      const std::vector<std::byte *> &places) {
  std::vector<std::unique_ptr<runtime::ArrivingTensor>> arriving;
  for (size_t i = 1; i < ports.size(); ++i)
    arriving.push_back(runtime::beginToArrive(
        ranks, islands, i,
        Tensor::over(ports[i].type, ports[i].shape, places[i]),
        *cuts.find(ports[i].name)));
  for (const auto &one : arriving)
    one->wait();
}

void runRank(SimulatedRank &rank, const Options &options, const Model &model,
             Dates &latest) {
  rank.begin();
  auto own = std::make_unique<communication::Engine>(rank.transport(),
                                                     rank.engineOptions());
  communication::Engine &engine = *own;
  communication::Communicator ranks(std::move(own));
  const std::vector<Port> ports = portsOf(model);
  runtime::StepPhase phase;
  phase.ports.outputs = ports;
  const runtime::StepLayout layout(
      {}, std::span(&phase, 1), {{}, ranks.size(), ranks.rank()}, ranks.size());
  runtime::Addition addition({});
  // It would free symbolic memory.
  engine.setHosts(ranks.gather(rank.machine()));
  const runtime::Islands islands = options.flat
                                       ? runtime::Islands{1, ranks.size()}
                                       : runtime::findIslands(ranks, 1);
  const runtime::TensorCuts known =
      options.sharded ? cutSums(ports, islands) : runtime::TensorCuts();
  auto &exchange = *new runtime::SumExchange(
      ranks, layout,
      runtime::SumCuts(layout, orderSums(model), known, islands,
                       options.bucket > 0 ? int64_t(options.bucket)
                                          : runtime::bucketBytes(ranks.size())),
      addition, false);

  ranks.barrier();
  const double begin = sg::Engine::get_clock();
  const double seconds = backwardSeconds(model, options.rate);
  std::vector<std::byte *> places;
  size_t offset = 0;
  std::byte *memory = symbolicMemory(size_t(model.elements()) * 4);
  for (const Port &port : ports) {
    places.push_back(memory + offset);
    offset +=
        (size_t(countBytes(port.type, port.shape).value_or(0)) + 63) / 64 * 64;
  }
  const uint64_t bytesBefore = ranks.statistics().bytesSent;
  const uint64_t messagesBefore = ranks.statistics().messagesSent;
  exchange.begin();
  const auto offer = [&](size_t sum) {
    exchange.offer(0, sum, places[sum]);
    exchange.progress();
  };
  offer(0);
  for (size_t i : backwardOrder(model)) {
    computeUntil(rank, engine, begin + seconds * model.parameters[i].readyAt);
    offer(i + 1);
  }
  const double computed = sg::Engine::get_clock();
  exchange.finish();
  const double shared = sg::Engine::get_clock();
  if (options.sharded)
    gatherParameters(ranks, islands, known, ports, places);
  latest.arrived = std::max(latest.arrived, sg::Engine::get_clock() - begin);
  latest.computed = std::max(latest.computed, computed - begin);
  latest.shared = std::max(latest.shared, shared - begin);
  latest.bytes =
      std::max(latest.bytes, ranks.statistics().bytesSent - bytesBefore);
  latest.messages = std::max(latest.messages,
                             ranks.statistics().messagesSent - messagesBefore);
  ranks.finish();
}

std::vector<Bucket> ringBuckets(const Model &model, const Options &options) {
  const double seconds = backwardSeconds(model, options.rate);
  std::vector<Bucket> buckets;
  const double most = options.bucket > 0 ? options.bucket : 25e6;
  for (const std::vector<size_t> &bucket : bucketsOf(model, most)) {
    Bucket &made = buckets.emplace_back();
    for (size_t i : bucket)
      made.bytes += uint64_t(model.parameters[i].elements()) * 4;
    made.readyAt = seconds * model.parameters[bucket.back()].readyAt;
  }
  return buckets;
}

void print(const Options &options, const Model &model, const Dates &dates) {
  const double ranks = options.ranks, bytes = double(model.elements()) * 4;
  const double seconds = backwardSeconds(model, options.rate);
  std::printf(
      "{\"ranks\": %d, \"model\": \"%s\", \"network\": \"%s\", \"way\": "
      "\"%s\", "
      "\"gradients\": %.0f, \"compute\": %.6f, \"exposed\": %.6f, "
      "\"gathered\": %.6f, \"late\": %.6f, \"bytes\": %llu, \"bound\": %.0f, "
      "\"messages\": %llu, \"passes\": %.0f, \"tests\": %.0f}\n",
      options.ranks, options.model.c_str(), options.network.c_str(),
      options.ring ? "ring" : "tree", bytes, seconds * 3 / 2,
      dates.shared - seconds,
      std::max(dates.arrived, dates.shared) - dates.shared,
      dates.computed - seconds, static_cast<unsigned long long>(dates.bytes),
      2 * (ranks - 1) / ranks * bytes,
      static_cast<unsigned long long>(dates.messages),
      double(dates.passes) / ranks, double(dates.tests) / ranks);
}

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "gensyn-simulate-ranks: error: %s\n", message.c_str());
  std::exit(2);
}

Options parse(int count, char **words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--ring" || word == "--flat" || word == "--sharded") {
      (word == "--ring"   ? options.ring
       : word == "--flat" ? options.flat
                          : options.sharded) = true;
      continue;
    }
    if (i + 1 == count)
      fail("option '" + word + "' has no value");
    const char *value = words[++i];
    const double number = std::atof(value);
    if (word == "--platform")
      options.platform = value;
    else if (word == "--model")
      options.model = value;
    else if (word == "--network")
      options.network = value;
    else if (word == "--ranks")
      options.ranks = int(number);
    else if (word == "--rate")
      options.rate = number;
    else if (word == "--bucket")
      options.bucket = number;
    else if (word == "--call")
      options.costs.call = number;
    else if (word == "--test")
      options.costs.test = number;
    else if (word == "--checksum")
      options.costs.checksum = number;
    else if (word == "--memory")
      options.costs.memory = number;
    else
      fail("option '" + word + "' is not known");
  }
  if (options.platform.empty())
    fail("no --platform");
  if (options.ranks < 2)
    fail("--ranks is " + std::to_string(options.ranks) +
         ", expected 2 or more");
  if (options.rate <= 0)
    fail("--rate is not a positive number");
  if (options.network != "flows" && options.network != "queues")
    fail("--network is '" + options.network + "', expected flows or queues");
  return options;
}

int run(int count, char **words) {
  // SimGrid takes its own options away.
  sg::Engine engine(&count, words);
  const Options options = parse(count, words);
  const std::optional<Model> model = modelOf(options.model);
  if (!model)
    fail("--model is '" + options.model +
         "', expected gpt2, llama3-8b or single");
  engine.load_platform(options.platform);
  if (engine.get_host_count() < size_t(options.ranks))
    fail("'" + options.platform + "' has " +
         std::to_string(engine.get_host_count()) + " hosts, expected " +
         std::to_string(options.ranks));
  const auto network = options.network == "flows" ? makeFlows(options.ranks)
                                                  : makeQueues(options.ranks);
  Dates latest;
  int ended = 0;
  SimulatedRank::Ranks ranks;
  if (options.ring) {
    latest.bytes = uint64_t(2 * (options.ranks - 1.0) / options.ranks *
                            double(model->elements()) * 4);
    sg::Actor::create("ring", network->hosts()[0], [&] {
      const sg::ActorPtr self = sg::Actor::self();
      runRing(*network, options.costs, ringBuckets(*model, options),
              [&, self](double date) {
                latest.shared = date;
                self->resume();
              });
      latest.computed = backwardSeconds(*model, options.rate);
      sg::this_actor::suspend();
      ++ended;
    });
  } else {
    for (int rank = 0; rank < options.ranks; ++rank)
      ranks.push_back(std::make_unique<SimulatedRank>(rank, ranks, *network,
                                                      options.costs));
    for (auto &rank : ranks)
      sg::Actor::create("rank", network->hosts()[size_t(&rank - &ranks[0])],
                        [&] {
                          runRank(*rank, options, *model, latest);
                          ++ended;
                        });
  }
  engine.run();
  if (ended != (options.ring ? 1 : options.ranks))
    fail("ranks wait for ever");
  for (const auto &rank : ranks) {
    latest.passes += rank->passes();
    latest.tests += rank->tests();
  }
  print(options, *model, latest);
  std::fflush(stdout);
  // SimGrid is slow to free what is left.
  std::_Exit(0);
}
} // namespace

} // namespace gensyn::simulation

int main(int count, char **words) {
  return gensyn::simulation::run(count, words);
}
