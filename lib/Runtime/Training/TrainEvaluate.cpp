// Evaluations of a run: after each epoch, and when a caller asks for one.

#include "../Ranks/DifferentRank.h"
#include "DataSetBatches.h"
#include "Trainer.h"
#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Data/DataSet.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace gensyn::runtime {

std::unique_ptr<BatchSource> Trainer::makeEvaluation(const FitData &from) {
  evalPrograms.setByAllRanks(!evaluatesAlone(from));
  if (from.set)
    return std::make_unique<DataSetEvaluation>(
        *from.set, microbatch ? microbatch : recipe.batchSize, evalPrograms,
        [&](const std::string &message) {
          if (isFirst())
            observer.warn(message);
        });
  BatchRules rules = rulesOf("");
  rules.mostSamples = 0;
  rules.ranks = nullptr; // see evaluatesAlone()
  return std::make_unique<StreamBatches>(*from.stream, rules, evalPrograms);
}

/// The bits of a number, which JSON's text may not keep.
static uint64_t bitsOf(double value) { return std::bit_cast<uint64_t>(value); }

/// The tensors that an evaluation reads, but for constants.
std::vector<std::string> Trainer::listEvaluated() const {
  const ParameterStore::Names averaged = store.averagedNames();
  std::vector<std::string> read;
  for (const auto &[name, stored] :
       recipe.evaluatesAverages && !averaged.empty() ? averaged
                                                     : store.modelNames())
    read.push_back(stored);
  return read;
}

/// The batches of a stream have no numbers, and may differ from rank to rank.
bool Trainer::evaluatesAlone(const FitData &data) const {
  const std::vector<std::string> read = listEvaluated();
  return !options.ranks || data.stream ||
         std::any_of(read.begin(), read.end(), [&](const std::string &name) {
           return tensors.isToBeDivided(name);
         });
}

EvalRecord Trainer::evaluateTogether(const FitData &from, Evaluator *local) {
  if (!options.ranks)
    return local->run();
  communication::Communicator &ranks = *options.ranks;
  const bool isAlone = evaluatesAlone(from);
  tensors.gather(listEvaluated());
  EvalRecord record;
  OrderedJson text;
  if (!isAlone)
    record = local->runTogether(ranks);
  else if (isFirst())
    record = local->run();
  if (isFirst()) {
    OrderedJson metrics = OrderedJson::array();
    for (const auto &[name, value] : record.metrics)
      metrics.push_back({name, bitsOf(value)});
    text = {{"samples", record.samples},
            {"loss", bitsOf(record.loss)},
            {"seconds", bitsOf(record.seconds)},
            {"metrics", metrics}};
    if (record.accuracy)
      text["accuracy"] = bitsOf(*record.accuracy);
    if (record.perplexity)
      text["perplexity"] = bitsOf(*record.perplexity);
  }
  text = OrderedJson::parse(ranks.broadcast(text.dump(), 0));
  if (isFirst())
    return record;
  record = EvalRecord();
  auto number = [](const OrderedJson &bits) {
    return std::bit_cast<double>(bits.get<uint64_t>());
  };
  record.samples = text.at("samples").get<int64_t>();
  record.loss = number(text.at("loss"));
  record.seconds = number(text.at("seconds"));
  for (const OrderedJson &metric : text.at("metrics"))
    record.metrics.emplace_back(metric.at(0).get<std::string>(),
                                number(metric.at(1)));
  if (text.contains("accuracy"))
    record.accuracy = number(text.at("accuracy"));
  if (text.contains("perplexity"))
    record.perplexity = number(text.at("perplexity"));
  return record;
}

void Trainer::evaluateEpoch() {
  evaluated.reset();
  if (!evalData)
    return;
  evaluated = evaluateTogether(evalData, evaluator ? &*evaluator : nullptr);
  OrderedJson row = {{"step", progress.step},
                     {"epoch", progress.epoch},
                     {"eval_loss", evaluated->loss},
                     {"eval_samples", evaluated->samples}};
  for (const auto &[name, value] : evaluated->figures())
    row[name] = value;
  addToCurve(curve.evalLoss, progress.step, evaluated->loss);
  if (evaluated->accuracy)
    addToCurve(curve.accuracy, progress.step, *evaluated->accuracy);
  row["seconds"] = evaluated->seconds;
  log(row);
}

EvalRecord Trainer::evaluate(FitData from) {
  requireSameEvaluation(from);
  std::optional<Evaluator> own;
  if (isFirst() || !evaluatesAlone(from)) {
    limitClasses(from);
    std::unique_ptr<BatchSource> all = makeEvaluation(from);
    all->seek(1, 0); // now there is a program, which has the parameters
    if (!begun)
      setInitialValues();
    programDigest = all->program().executable().program_digest();
    own.emplace(std::move(all), recipe);
  }
  return evaluateTogether(from, own ? &*own : nullptr);
}

/// Ranks that evaluate together read parts of the same data, and compile the
/// same programs.
void Trainer::requireSameEvaluation(const FitData &from) const {
  if (!options.ranks)
    return;
  communication::Communicator &ranks = *options.ranks;
  const std::vector<std::string> all =
      ranks.gather(from.set      ? from.set->identity() + " " +
                                       std::to_string(from.set->samples())
                   : from.stream ? "some"
                                 : "none");
  if (const std::optional<int> rank = findDifferentRank(all))
    failBadInput(ranks.describe(*rank) + " has other evaluation data than " +
                     ranks.describe(0),
                 "all ranks evaluate the same data");
}

} // namespace gensyn::runtime
