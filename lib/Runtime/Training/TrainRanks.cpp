// What the ranks of a run tell each other outside of steps: that they train the
// same, when they stop, and the state that a run goes on from.

#include "../Ranks/DifferentRank.h"
#include "Trainer.h"
#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gensyn::runtime {

bool Trainer::isFirst() const {
  return !options.ranks || options.ranks->rank() == 0;
}

/// Ends on all ranks after the same step, and saves after the same.
void Trainer::agreeToStop() {
  if (!options.ranks)
    return;
  const CheckpointInterval &every = options.checkpointEvery;
  const std::chrono::duration<double> since =
      std::chrono::steady_clock::now() - savedAt;
  const bool saves = isFirst() &&
                     every.unit == CheckpointInterval::Unit::Seconds &&
                     since.count() >= every.count;
  savesTogether = false;
  for (const std::string &wish : options.ranks->gather(stop.load() ? "stop"
                                                       : saves     ? "save"
                                                                   : "")) {
    stopsTogether = stopsTogether || wish == "stop";
    savesTogether = savesTogether || wish == "save";
  }
}

std::string Trainer::digestParameters() {
  DividedTensors::Stream stream;
  std::string text(TensorDigest::kBeginning);
  bool isDivided = false;
  for (const auto &[name, stored] : store.modelNames()) {
    const Value &value = store.value(stored);
    text += TensorDigest::describe(name, value.elementType(), value.shape());
    stream.emplace_back(std::exchange(text, ""), stored);
    isDivided |= tensors.isDivided(stored);
  }
  // Otherwise each rank says what it has.
  return isDivided ? tensors.digest(stream) : store.digest();
}

static std::string toText(const CheckpointInterval &interval) {
  using Unit = CheckpointInterval::Unit;
  return OrderedJson(interval.count).dump() +
         (interval.unit == Unit::Epochs  ? " epochs"
          : interval.unit == Unit::Steps ? " steps"
                                         : " s");
}

/// What must be equal, in the order in which a difference is reported.
std::vector<std::pair<std::string, std::string>>
Trainer::listAgreements() const {
  const nlohmann::json state = describeState(facts, progress, digest);
  std::vector<std::pair<std::string, std::string>> all = {
      {"numerics version", facts.numericsVersion},
      {"model's frozen tensors", facts.constants},
      {"data", facts.dataIdentity + " " + std::to_string(facts.samples)},
      {"recipe", facts.recipe.dump()},
      {"program", facts.programDigest + " " + facts.lastBatchDigest},
      {"parameters", digest},
      {"steps",
       std::to_string(options.maxSteps) + " " + std::to_string(recipe.epochs)},
      {"position", state.at("step").dump()},
      {"--on-nan", options.stopOnNan ? "stop" : "continue"},
      {"--checkpoint-every", toText(options.checkpointEvery)}};
  return all;
}

void Trainer::requireAgreement() const {
  if (!options.ranks)
    return;
  communication::Communicator &ranks = *options.ranks;
  OrderedJson mine = OrderedJson::array();
  const auto agreements = listAgreements();
  for (const auto &[what, value] : agreements)
    mine.push_back(value);
  const std::vector<std::string> all = ranks.gather(mine.dump(
      -1, ' ', /*ensure_ascii=*/true, OrderedJson::error_handler_t::replace));
  const std::optional<int> rank = findDifferentRank(all);
  if (!rank)
    return;
  const auto first = OrderedJson::parse(all.front(), nullptr, false);
  const auto other = OrderedJson::parse(all[size_t(*rank)], nullptr, false);
  for (size_t i = 0; i < agreements.size(); ++i)
    if (i >= first.size() || i >= other.size() || first[i] != other[i])
      failBadInput(ranks.describe(*rank) +
                       (agreements[i].first.ends_with("s") ||
                                agreements[i].first == "data"
                            ? " has other "
                            : " has another ") +
                       agreements[i].first + " than " + ranks.describe(0) +
                       (agreements[i].first == "steps" ||
                                agreements[i].first == "recipe" ||
                                agreements[i].first == "data"
                            ? ""
                            : ": " + std::string(other[i]) + " instead of " +
                                  std::string(first[i])),
                   "all ranks train the same model with the same recipe, "
                   "data and options");
}

static OrderedJson toJson(const TensorHeaders &headers) {
  OrderedJson list = OrderedJson::array();
  for (const auto &[name, header] : headers)
    list.push_back(
        {name, std::string(gensyn::name(header.type)), header.shape});
  return list;
}

static TensorHeaders fromJson(const OrderedJson &list) {
  TensorHeaders headers;
  for (const OrderedJson &entry : list)
    headers.emplace(
        entry.at(0).get<std::string>(),
        TensorHeader{
            elementTypeFromName(entry.at(1).get<std::string>()).value(),
            entry.at(2).get<std::vector<int64_t>>()});
  return headers;
}

/// Tells the other ranks which state the first one has found; restore() gives
/// them the tensors.
std::optional<Trainer::Saved>
Trainer::shareSaved(std::optional<Saved> saved) const {
  communication::Communicator &ranks = *options.ranks;
  OrderedJson header;
  if (saved)
    header = {{"state", saved->checkpoint.state},
              {"place", saved->place.string()},
              {"where", saved->where},
              {"model", toJson(saved->model)},
              {"optimizer", toJson(saved->optimizer)}};
  header = OrderedJson::parse(ranks.broadcast(header.dump(), 0));
  if (header.is_null())
    return std::nullopt;
  if (ranks.rank() != 0) {
    saved.emplace();
    saved->checkpoint.state = header.at("state");
    saved->place = header.at("place").get<std::string>();
    saved->where = header.at("where").get<std::string>();
    saved->progress = readProgress(saved->checkpoint.state, saved->where);
    saved->model = fromJson(header.at("model"));
    saved->optimizer = fromJson(header.at("optimizer"));
    // The first rank has found it there.
    if (!saved->place.empty() && tensors.usesFiles())
      saved->files = std::make_shared<const CheckpointFiles>(openVerified(
          options.folder / "checkpoints" / saved->place.filename()));
  }
  return saved;
}

/// A digest for each tensor that must be the same on all ranks.
static OrderedJson digestEach(const ParameterStore &store,
                              const DividedTensors &divided) {
  OrderedJson digests;
  for (const TensorMap &tensors : {store.model(), store.optimizer()})
    for (const auto &[name, tensor] : tensors)
      if (!divided.isDivided(name))
        digests[name] = hashHex(tensor.data(), size_t(tensor.byteSize()));
  return digests;
}

/// The ranks that do not have what most have; all of them if there is no
/// majority.
static std::vector<int> findMinority(const std::vector<std::string> &all) {
  std::map<std::string, int> counts;
  for (const std::string &one : all)
    ++counts[one];
  const auto most = std::max_element(
      counts.begin(), counts.end(),
      [](const auto &a, const auto &b) { return a.second < b.second; });
  std::vector<int> others;
  for (size_t rank = 0; rank < all.size(); ++rank)
    if (all[rank] != most->first || size_t(most->second) * 2 <= all.size())
      others.push_back(int(rank));
  return others;
}

void Trainer::compareRanks() const {
  if (!options.ranks || !options.checkEvery ||
      progress.step % options.checkEvery)
    return;
  communication::Communicator &ranks = *options.ranks;
  const OrderedJson own = digestEach(store, tensors);
  const std::string text = own.dump();
  const std::vector<std::string> all =
      ranks.gather(hashHex(text.data(), text.size()));
  if (!findDifferentRank(all))
    return;
  std::vector<OrderedJson> each;
  for (const std::string &other : ranks.gather(text))
    each.push_back(OrderedJson::parse(other));
  std::string where;
  for (const auto &[name, digest] : own.items())
    if (where.empty() &&
        std::any_of(each.begin(), each.end(), [&](const OrderedJson &other) {
          return other.value(name, OrderedJson()) != each.front().at(name);
        }))
      where = name;
  std::string who;
  const std::vector<int> minority = findMinority(all);
  for (int rank : minority)
    who += (who.empty() ? "" : " and ") + ranks.describe(rank);
  const bool isKnown = minority.size() < all.size();
  throw Failure(
      ExitCode::OutOfResources,
      who + (minority.size() == 1 ? " has" : " have") +
          (isKnown ? " other bits than most ranks" : " different bits") +
          " after step " + std::to_string(progress.step) + ", first in " +
          quote(where),
      isKnown ? "its machine computes or remembers wrongly; --resume on others "
                "goes on from the last checkpoint"
              : "one of the machines computes or remembers wrongly; with three "
                "ranks or more it is named");
}

/// A step is divided over as many ranks as it has microbatches, at most.
void Trainer::requireMicrobatches() const {
  if (!options.ranks)
    return;
  if (options.parallel.count() > 1 && recipe.accumulate < 2)
    throw Failure(ExitCode::Usage,
                  options.recipeFile.string() +
                      ": 'accumulate' is 1, and ranks of --parallel need "
                      "several microbatches",
                  "a step of \"accumulate\": 2 or more is another program than "
                  "the present one");
  const int64_t groups = options.ranks->size() / options.parallel.count();
  if (groups <= recipe.accumulate)
    return;
  const std::string size = std::to_string(groups);
  throw Failure(
      ExitCode::Usage,
      options.recipeFile.string() + ": 'accumulate' is " +
          std::to_string(recipe.accumulate) + ", too few microbatches for " +
          size + (options.parallel.count() > 1 ? " groups of ranks" : " ranks"),
      "a step of \"accumulate\": " + size +
          " or more is divided over them; it is another program than the "
          "present one");
}

} // namespace gensyn::runtime
