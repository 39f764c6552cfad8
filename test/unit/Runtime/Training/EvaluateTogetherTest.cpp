// Evaluations that ranks divide: which batches each one runs, and the record.

#include "../ForRanks.h"
#include "Ranks/ReportFailures.h"
#include "TrainFixture.h"
#include "Training/Evaluate.h"

#include <algorithm>
#include <cmath>

namespace {

using namespace gensyn;
using namespace gensyn::test;

/// y[n,2] = x[n,2] rounded to sixteenths, and the mean of (y - t)^2.
class RoundingProgram final : public Program {
public:
  using Program::Program;
  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override {
    const auto x = inputs[0]->span<float>(), t = inputs[1]->span<float>();
    float sum = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const float y = std::rint(x[i] * 16) / 16;
      outputs[0].as<float>()[i] = y;
      sum += (y - t[i]) * (y - t[i]);
    }
    *outputs[1].as<float>() = sum / float(x.size());
  }
};

std::unique_ptr<Program> makeRounding(int64_t n) {
  auto executable = std::make_shared<plan::Executable>();
  executable->set_version(1);
  executable->set_kind("eval");
  plan::Plan &plan = *executable->mutable_plan();
  addInput(plan, "x", "input", {n, 2});
  addInput(plan, "t", "target", {n, 2});
  addOutput(plan, "y", "output", {n, 2});
  addOutput(plan, "loss", "loss", {});
  return std::make_unique<RoundingProgram>(executable);
}

/// Batches of three samples, but the last one of two; notes which were read.
/// Their magnitudes differ so much that sums in another order have other bits.
class Numbers final : public BatchSource {
public:
  Numbers(int64_t count, bool hasClasses)
      : count(count), hasClasses(hasClasses), full(make(3)), rest(make(2)) {}

  void seek(int64_t, int64_t step) override { at = step; }
  std::optional<Batch> next() override {
    if (at >= count)
      return std::nullopt;
    read.push_back(at);
    Batch batch;
    batch.session = at + 1 == count ? rest : full;
    batch.samples = batch.session->batchSize();
    std::vector<float> x, wanted;
    std::vector<int64_t> classes;
    const int64_t each = hasClasses ? 1 : 2;
    for (int64_t i = 0; i < each * batch.samples; ++i) {
      const float value =
          std::ldexp(std::sin(float(at * 6 + i)), int(at * 11 % 61));
      x.push_back(value);
      wanted.push_back(value * 1.01f + 0.3f);
      classes.push_back((at + i) % 2);
    }
    ++at;
    if (hasClasses) {
      batch.tensors.emplace("x", Tensor::of<float>({batch.samples}, x));
      batch.tensors.emplace("t", Tensor::of<int64_t>({batch.samples}, classes));
    } else {
      batch.tensors.emplace("x", Tensor::of<float>({batch.samples, 2}, x));
      batch.tensors.emplace("t", Tensor::of<float>({batch.samples, 2}, wanted));
    }
    return batch;
  }
  const Session &program() const override { return *full; }
  BatchFacts facts() const override {
    BatchFacts facts;
    facts.steps = count;
    return facts;
  }

  std::vector<int64_t> read;

private:
  std::shared_ptr<Session> make(int64_t samples) {
    return std::make_shared<Session>(
        hasClasses ? makeFake("eval", samples) : makeRounding(samples), store);
  }

  int64_t count;
  bool hasClasses;
  ParameterStore store;
  std::shared_ptr<Session> full, rest;
  int64_t at = 0;
};

Recipe recipeOf(bool hasClasses) {
  return parseRecipe(
      hasClasses ? R"({"loss": {"kind": "softmax_cross_entropy", "target": "t"},
                      "metrics": ["top_1", "f1"]})"
                 : R"({"loss": {"kind": "mse", "target": "t"},
                      "metrics": ["mae", "r2"]})",
      "r");
}

void expectSame(const EvalRecord &found, const EvalRecord &wanted) {
  EXPECT_EQ(found.samples, wanted.samples);
  EXPECT_EQ(found.loss, wanted.loss);
  EXPECT_EQ(found.accuracy, wanted.accuracy);
  EXPECT_EQ(found.perplexity, wanted.perplexity);
  EXPECT_EQ(found.metrics, wanted.metrics);
}

TEST(EvaluateTogether, roundsHaveAllBatchesInOrder) {
  for (int64_t most : {1, 4, 16})
    for (int ranks = 1; ranks < 8; ++ranks)
      for (int64_t batches = 0; batches < 80; ++batches) {
        int64_t done = 0;
        while (done < batches) {
          const int64_t round = done;
          const int64_t first =
              shareOfRound(round, batches, most, 0, ranks).end - round;
          EXPECT_GE(first, 1);
          EXPECT_LE(first, most);
          for (int rank = 0; rank < ranks; ++rank) {
            const BatchRange own =
                shareOfRound(round, batches, most, rank, ranks);
            // The first rank has the most of a round.
            EXPECT_LE(own.end - own.begin, first);
            EXPECT_EQ(own.begin, done);
            done = own.end;
          }
        }
        EXPECT_EQ(done, batches);
      }
}

TEST(EvaluateTogether, ranksHaveTheRecordOfOne) {
  for (const bool hasClasses : {true, false}) {
    const Recipe recipe = recipeOf(hasClasses);
    for (int64_t count : {1, 2, 5, 64, 67}) {
      const EvalRecord wanted =
          Evaluator(std::make_unique<Numbers>(count, hasClasses), recipe).run();
      EXPECT_EQ(wanted.metrics.size(), 2u);
      for (int size : {1, 2, 3, 4}) {
        std::vector<std::vector<int64_t>> read(static_cast<size_t>(size));
        const auto errors = forRanks(
            size, [&](communication::Communicator &ranks, size_t rank) {
              auto batches = std::make_unique<Numbers>(count, hasClasses);
              const Numbers &own = *batches;
              Evaluator evaluator(std::move(batches), recipe);
              // The sums of a call begin anew.
              for (int call = 0; call < 2; ++call) {
                const EvalRecord found = evaluator.runTogether(ranks);
                if (rank == 0)
                  expectSame(found, wanted);
              }
              read[rank] = own.read;
            });
        for (const std::string &error : errors)
          EXPECT_EQ(error, "");
        // Each batch is read by one rank, and ranks have about as many.
        std::vector<int64_t> all;
        for (const auto &own : read) {
          all.insert(all.end(), own.begin(), own.end());
          EXPECT_LE(int64_t(own.size()), 2 * (count / size + 1));
        }
        std::sort(all.begin(), all.end());
        std::vector<int64_t> twice;
        for (int64_t i = 0; i < count; ++i)
          twice.insert(twice.end(), 2, i);
        EXPECT_EQ(all, twice);
      }
    }
  }
}

TEST(EvaluateTogether, aFailureEndsAllRanks) {
  const Recipe recipe = recipeOf(/*hasClasses=*/false);
  const auto errors =
      forRanks(3, [&](communication::Communicator &ranks, size_t rank) {
        // This one has targets that are no regression's.
        Evaluator(std::make_unique<Numbers>(40, rank == 1), recipe)
            .runTogether(ranks);
      });
  const std::string text =
      "the evaluation has no 'mae': predictions and targets are not of one "
      "shape and float32 or float64";
  EXPECT_EQ(errors[1], text);
  EXPECT_EQ(errors[0], "rank 1 (here): " + text);
  EXPECT_EQ(errors[2], "rank 1 (here): " + text);
}

/// A whole run: its log, but for seconds, and the step that was best.
class RunTogetherTest : public TrainTest {
protected:
  RunTogetherTest() {
    // Eleven batches of four, and one of three.
    options.evalData = writeData("e", 47);
    options.recipe = parseRecipe(
        R"({"loss": {"kind": "softmax_cross_entropy", "target": "t"},
            "optimizer": {"kind": "SGD", "lr": 0.5},
            "batch_size": 4, "accumulate": 13, "epochs": 3, "metrics": ["top_1"],
            "best": {"metric": "eval_loss"}})",
        "r");
  }

  ProgramSource source() {
    return [](const ProgramRequest &request) {
      return makeFake(std::string(name(request.kind)), request.batchSize);
    };
  }

  std::string log() {
    std::string all;
    for (nlohmann::json row : rows("step")) {
      for (const char *key :
           {"seconds", "samples_per_second", "tokens_per_second"})
        row.erase(key);
      all += row.dump() + "\n";
    }
    return all;
  }
};

TEST_F(RunTogetherTest, theLogIsThatOfOneMachine) {
  const ProgramSource programs = source();
  train(options, programs, silent, stop);
  const std::string wanted = log();
  EXPECT_NE(wanted.find("eval_top_1"), std::string::npos);
  options.start = RunStart::Replace;
  for (int size : {2, 3, 13}) {
    const auto errors =
        forRanks(size, [&](communication::Communicator &ranks, size_t) {
          TrainOptions own = options;
          own.ranks = &ranks;
          TrainObserver observer;
          train(own, programs, observer, stop);
        });
    for (const std::string &error : errors)
      EXPECT_EQ(error, "");
    EXPECT_EQ(log(), wanted) << size;
  }
}

TEST_F(RunTogetherTest, otherEvaluationDataAreAnError) {
  const auto other = writeData("other", 46);
  const ProgramSource programs = source();
  const auto errors =
      forRanks(3, [&](communication::Communicator &ranks, size_t rank) {
        TrainOptions own = options;
        own.ranks = &ranks;
        if (rank == 1)
          own.evalData = other;
        TrainObserver observer;
        reportFailures(ranks, [&] { train(own, programs, observer, stop); });
      });
  // As it learned of it, or as another one did.
  for (const std::string &error : errors)
    EXPECT_NE(error.find(
                  "rank 1 (here) has other evaluation data than rank 0 (here)"),
              std::string::npos)
        << error;
}

} // namespace
