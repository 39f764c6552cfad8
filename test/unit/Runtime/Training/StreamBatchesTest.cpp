// Batches of a stream: their programs, and runs that go on.

#include "Training/StreamBatches.h"
#include "TrainFixture.h"
#include "Training/Trainer.h"

namespace {

using namespace gensyn;
using namespace gensyn::test;

/// Batches of given sizes with x = 0, 1, 2, ... and t = 1.
class Numbers final : public BatchStream {
public:
  explicit Numbers(std::vector<int64_t> sizes) : sizes(std::move(sizes)) {}

  std::string name() const override { return "numbers"; }
  void begin(int64_t) override {
    ++epochs;
    next_ = 0;
    first = 0;
  }
  std::optional<TensorMap> next() override {
    if (next_ == failing)
      throw std::runtime_error("of the stream");
    if (next_ == sizes.size())
      return std::nullopt;
    ++made;
    return makeBatch(sizes[next_++]);
  }
  bool skip() override {
    if (next_ == sizes.size())
      return false;
    first += sizes[next_++];
    return true;
  }

  TensorMap makeBatch(int64_t samples) {
    std::vector<float> x;
    for (int64_t i = 0; i < samples; ++i)
      x.push_back(float(first++));
    TensorMap batch;
    batch.emplace("x", Tensor::of<float>({samples}, x));
    batch.emplace("t", Tensor::of<int64_t>({samples}, std::vector<int64_t>(
                                                          size_t(samples), 1)));
    return batch;
  }

  std::vector<int64_t> sizes;
  size_t failing = ~size_t(0);
  int64_t epochs = 0, made = 0;

private:
  size_t next_ = 0;
  int64_t first = 0;
};

class StreamBatchesTest : public TrainTest {
protected:
  StreamBatchesTest() {
    source = [this](const ProgramRequest &request) {
      ++programs;
      return makeFake(std::string(name(request.kind)), request.batchSize,
                      fixedBatch);
    };
    options.recipe.batchSize = 0;
    options.folder.clear();
  }

  std::unique_ptr<Trainer> make() {
    return std::make_unique<Trainer>(options, source, silent, stop);
  }

  ProgramSource source;
  int64_t programs = 0;
};

TEST_F(StreamBatchesTest, eachSizeHasAProgram) {
  Numbers numbers({4, 4, 2, 4});
  auto trainer = make();
  TrainResult result = trainer->fit({nullptr, &numbers}, {}, 3, 0);
  EXPECT_EQ(result.steps, 12);
  EXPECT_EQ(programs, 2);
  // The first batch is made before the run begins, and used.
  EXPECT_EQ(numbers.made, 12);
  EXPECT_EQ(trainer->position().epoch, 3);
  EXPECT_TRUE(trainer->position().epochComplete);
  EXPECT_TRUE(trainer->fit({nullptr, &numbers}, {}, 3, 0).wasFinished);
}

TEST_F(StreamBatchesTest, olderProgramsMakeRoom) {
  std::vector<int64_t> sizes;
  for (size_t i = 1; i <= ProgramPool::kMostPrograms + 1; ++i)
    sizes.push_back(int64_t(i));
  sizes.push_back(2); // kept
  sizes.push_back(1); // the oldest
  Numbers numbers(sizes);
  make()->fit({nullptr, &numbers}, {}, 1, 0);
  EXPECT_EQ(programs, int64_t(ProgramPool::kMostPrograms) + 2);
}

TEST_F(StreamBatchesTest, runsAndStepsAreTheSame) {
  Numbers numbers({4, 4, 2}), others({4, 4, 2});
  auto whole = make(), stepped = make(), split = make();
  whole->fit({nullptr, &numbers}, {}, 2, 0);
  for (int64_t epoch = 1; epoch <= 2; ++epoch) {
    others.begin(epoch);
    while (std::optional<TensorMap> batch = others.next())
      stepped->step(std::move(*batch));
  }
  EXPECT_EQ(stepped->position().step, 6);
  EXPECT_EQ(stepped->position().epoch, 0);
  EXPECT_EQ(stepped->parameters()->digest(), whole->parameters()->digest());
  for (int64_t most : {2, 3, 4, 0})
    split->fit({nullptr, &numbers}, {}, 2, most);
  EXPECT_EQ(split->parameters()->digest(), whole->parameters()->digest());
  EXPECT_EQ(split->position().step, 6);
}

TEST_F(StreamBatchesTest, aStepWithinAnEpochIsNotOfIt) {
  Numbers numbers({4, 4, 2});
  auto trainer = make();
  trainer->fit({nullptr, &numbers}, {}, 1, 2);
  trainer->step(numbers.makeBatch(3));
  EXPECT_EQ(trainer->position().step, 3);
  EXPECT_EQ(trainer->position().stepInEpoch, 2);
  const int64_t made = numbers.made;
  trainer->fit({nullptr, &numbers}, {}, 1, 0);
  EXPECT_EQ(numbers.made, made + 1);
  EXPECT_EQ(trainer->position().step, 4);
  EXPECT_EQ(trainer->position().stepInEpoch, 3);
}

TEST_F(StreamBatchesTest, aStateGoesOnAnywhere) {
  Numbers numbers({4, 4, 2});
  auto whole = make(), one = make(), other = make();
  EXPECT_EQ(failureOf([&] { one->state(); }),
            "2: there is no state before the first step");
  whole->fit({nullptr, &numbers}, {}, 2, 0);
  one->fit({nullptr, &numbers}, {}, 2, 4);
  other->setState(one->state(), "s");
  EXPECT_EQ(other->position().step, 4);
  other->fit({nullptr, &numbers}, {}, 2, 0);
  EXPECT_EQ(other->parameters()->digest(), whole->parameters()->digest());
  EXPECT_EQ(other->state().state, whole->state().state);
  // Back to the fourth step.
  other->setState(one->state(), "s");
  EXPECT_EQ(other->parameters()->digest(), one->parameters()->digest());
}

/// Also where the steps end with an epoch, which only the next batch tells.
TEST_F(StreamBatchesTest, aFolderGoesOn) {
  Numbers numbers({4, 4, 2});
  auto whole = make();
  whole->fit({nullptr, &numbers}, {}, 2, 0);
  for (int64_t most : {3, 4}) {
    options.folder = scratch / ("run" + std::to_string(most));
    options.start = RunStart::New;
    make()->fit({nullptr, &numbers}, {}, 2, most);
    options.start = RunStart::Resume;
    auto resumed = make();
    resumed->fit({nullptr, &numbers}, {}, 2, 0);
    EXPECT_EQ(resumed->parameters()->digest(), whole->parameters()->digest());
    EXPECT_EQ(rows("loss").size(), 6u);
    EXPECT_EQ(rows("parameters").size(), 2u);
  }
}

TEST_F(StreamBatchesTest, whatAStreamThrowsComesAfterTheStep) {
  Numbers numbers({4, 4, 2});
  numbers.failing = 2;
  options.folder = scratch / "run";
  auto trainer = make();
  EXPECT_THROW(trainer->fit({nullptr, &numbers}, {}, 2, 0), std::runtime_error);
  EXPECT_EQ(trainer->position().step, 2);
  EXPECT_FALSE(trainer->position().epochComplete);
  EXPECT_TRUE(std::filesystem::exists(scratch / "run/checkpoints/step-2"));
  numbers.failing = ~size_t(0);
  EXPECT_EQ(trainer->fit({nullptr, &numbers}, {}, 2, 0).steps, 6);
}

TEST_F(StreamBatchesTest, evaluationsOfStreams) {
  Numbers numbers({4, 4, 2}), all({10});
  auto trainer = make();
  trainer->fit({nullptr, &numbers}, {nullptr, &numbers}, 1, 0);
  const EvalRecord parts = trainer->evaluate({nullptr, &numbers});
  const EvalRecord whole = trainer->evaluate({nullptr, &all});
  EXPECT_EQ(parts.samples, 10);
  EXPECT_EQ(parts.loss, 4.5); // the mean of 0 to 9, exact in any order
  EXPECT_EQ(whole.loss, 4.5);
}

TEST_F(StreamBatchesTest, batchesThatDoNotFit) {
  Numbers numbers({4});
  auto trainer = make();
  auto said = [&](auto change) {
    TensorMap batch = numbers.makeBatch(4);
    change(batch);
    return failureOf([&] { trainer->step(std::move(batch)); });
  };
  EXPECT_EQ(said([](TensorMap &batch) { batch.clear(); }),
            "3: the batch: the batch has no tensors");
  EXPECT_EQ(
      said([&](TensorMap &batch) { batch["t"] = numbers.makeBatch(3)["t"]; }),
      "3: the batch: 't' has 3 samples, 'x' has 4");
  EXPECT_EQ(said([](TensorMap &batch) { batch.erase("t"); }),
            "3: the batch: no tensor for the model's target 't'; the file has "
            "'x'");
  options.classes = 1;
  EXPECT_EQ(said([](TensorMap &) {}),
            "3: the batch: target 't': element 0 is 1; the model has classes 0 "
            "to 0");
  options.classes = 0;
  options.recipe.batchSize = 3;
  EXPECT_EQ(said([](TensorMap &) {}),
            "3: the batch: the batch has 4 samples, and a step of the recipe "
            "3");
  options.recipe.batchSize = 0;
  fixedBatch = 5;
  trainer = make();
  EXPECT_EQ(said([](TensorMap &) {}),
            "3: the batch: the batch has 4 samples, and the model's batch is "
            "fixed at 5");
  Numbers none({});
  EXPECT_EQ(failureOf([&] { make()->fit({nullptr, &none}, {}, 1, 0); }),
            "3: numbers: epoch 1 has no batches");
  options.recipe.accumulate = 2;
  EXPECT_EQ(failureOf([&] { make()->fit({nullptr, &numbers}, {}, 1, 0); }),
            "3: r: 'accumulate' needs 'batch_size', the samples of a "
            "microbatch");
}

} // namespace
