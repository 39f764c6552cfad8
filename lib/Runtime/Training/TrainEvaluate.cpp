// Evaluations of a run: after each epoch, and when a caller asks for one.

#include "DataSetBatches.h"
#include "Trainer.h"
#include "gensyn/Communication/Communicator.h"

#include <bit>
#include <utility>

namespace gensyn::runtime {

std::unique_ptr<BatchSource> Trainer::makeEvaluation(const FitData &from) {
  if (from.set)
    return std::make_unique<DataSetEvaluation>(
        *from.set, microbatch ? microbatch : recipe.batchSize, evalPrograms,
        [&](const std::string &message) { observer.warn(message); });
  BatchRules rules = rulesOf("");
  rules.mostSamples = 0;
  rules.ranks = nullptr; // the first one evaluates
  return std::make_unique<StreamBatches>(*from.stream, rules, evalPrograms);
}

/// The bits of a number, which JSON's text may not keep.
static uint64_t bitsOf(double value) { return std::bit_cast<uint64_t>(value); }

/// The first rank evaluates, since every rank has the same parameters.
EvalRecord Trainer::evaluateTogether(Evaluator *local) {
  if (!options.ranks)
    return local->run();
  communication::Communicator &ranks = *options.ranks;
  const ParameterStore::Names averaged = store.averagedNames();
  std::vector<std::string> read;
  for (const auto &[name, stored] :
       recipe.evaluatesAverages && !averaged.empty() ? averaged
                                                     : store.modelNames())
    read.push_back(stored);
  tensors.gather(read);
  EvalRecord record;
  OrderedJson text;
  if (ranks.rank() == 0) {
    record = local->run();
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
  if (ranks.rank() == 0)
    return record;
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
  if (!evaluates)
    return;
  evaluated = evaluateTogether(evaluator ? &*evaluator : nullptr);
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

EvalRecord Trainer::evaluate(FitData evalData) {
  std::optional<Evaluator> own;
  if (isFirst()) {
    limitClasses(evalData);
    std::unique_ptr<BatchSource> all = makeEvaluation(evalData);
    all->seek(1, 0); // now there is a program, which has the parameters
    if (!begun)
      setInitialValues();
    programDigest = all->program().executable().program_digest();
    own.emplace(std::move(all), recipe);
  }
  return evaluateTogether(own ? &*own : nullptr);
}

} // namespace gensyn::runtime
