// Losses and parameters that are not finite any more.

#include "TrainFixture.h"

#include <limits>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

class TrainNonFiniteTest : public TrainTest {
protected:
  void writeX(std::vector<float> x) {
    TensorMap data;
    const auto n = int64_t(x.size());
    data.emplace("x", Tensor::of<float>({n}, x));
    data.emplace("t",
                 Tensor::of<int64_t>({n}, std::vector<int64_t>(size_t(n))));
    writeSafeTensors(scratch / "x", data);
    options.data = scratch / "x";
  }

  std::string checkpoint(int64_t step) {
    return (options.folder / "checkpoints" / ("step-" + std::to_string(step)))
        .string();
  }

  /// The failure of the run and its note.
  std::string said() {
    try {
      run();
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code, ExitCode::BadInput);
      return failure.what() + ("; " + failure.note);
    }
    return "";
  }

  /// w in the run's parameters.
  float weight() {
    SafeTensors file(options.folder / "parameters.safetensors");
    return std::as_const(*std::make_unique<Tensor>(file.tensor("w")))
        .as<float>()[0];
  }

  const float nan = std::numeric_limits<float>::quiet_NaN();
};

} // namespace

TEST_F(TrainNonFiniteTest, aLossStopsAtItsStepWithWhatWasGood) {
  // The sixth sample: step 2 of 3.
  writeX({1, 1, 1, 1, 1, nan, 1, 1, 1, 1});
  const std::string error = said();
  EXPECT_EQ(error, "the loss of step 2 is NaN; the compiler is needed to name "
                   "the op; sample 5 has a NaN in 'x'; the state after "
                   "step 1 is saved in " +
                       checkpoint(1) +
                       "; --on-nan continue goes on regardless");
  EXPECT_EQ(weight(), 4.0f);
  EXPECT_EQ(rows("loss").size(), 2u);
  // Going on meets it again, from the state that was saved.
  options.start = RunStart::Resume;
  EXPECT_EQ(said(), error);
}

TEST_F(TrainNonFiniteTest, theProbeGetsTheStepThatDidIt) {
  writeX({1, 2, 3, 4, 5, nan, 7, 8, 9, 10});
  options.probe = [&](int64_t batch, const std::string &digest,
                      const std::vector<Tensor> &inputs) {
    EXPECT_EQ(batch, 4);
    EXPECT_EQ(digest, "digest-of-train");
    // w, count, x, t before the second step.
    EXPECT_EQ(inputs[0].as<float>()[0], 10.0f);
    EXPECT_EQ(inputs[1].as<float>()[0], 1.0f);
    EXPECT_EQ(inputs[2].as<float>()[0], 5.0f);
    NonFiniteOps ops;
    ops.nan = {"node 'n' (Log)", ElementType::F32, {2, 3}, 4};
    ops.infinity = {"node 'i' (Exp)", ElementType::F32, {2}, 1};
    ops.infinityFirst = true;
    return ops;
  };
  EXPECT_EQ(said().substr(0, 157),
            "the loss of step 2 is NaN: node 'n' (Log) made the first NaN, "
            "element 4 of float32[2,3] (before, node 'i' (Exp) made the first "
            "infinity, element 1 of float32");
}

TEST_F(TrainNonFiniteTest, theFirstStepLeavesTheBeginning) {
  writeX({nan, 1, 1, 1});
  EXPECT_NE(said().find("it is the first step"), std::string::npos);
  EXPECT_EQ(weight(), 0.0f);
  EXPECT_FALSE(std::filesystem::exists(checkpoint(0)));
}

TEST_F(TrainNonFiniteTest, theBeginningHasTheParametersThatWereGiven) {
  writeX({1, 1, 1, 1, 1, nan, 1, 1, 1, 1});
  TensorMap given;
  given.emplace("w", Tensor::of<float>({2}, {5.0f, 5.0f}));
  writeSafeTensors(scratch / "given", given);
  options.parameters = scratch / "given";
  EXPECT_NE(said(), "");
  EXPECT_EQ(weight(), 9.0f);
}

TEST_F(TrainNonFiniteTest, aParameterIsNotSavedWhenItIsNotFinite) {
  // w grows by 3e38 an epoch; only the losses stay finite.
  writeX({3e38f, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(said().substr(0, 36), "'w' has an infinity after step 6, si");
  EXPECT_EQ(weight(), 3e38f);
  // The checkpoint after the first epoch stood there already.
  EXPECT_TRUE(std::filesystem::exists(checkpoint(3)));
  EXPECT_FALSE(std::filesystem::exists(checkpoint(6)));
  options.start = RunStart::Replace;
  options.checkpointEvery = {CheckpointInterval::Unit::Steps, 1};
  EXPECT_EQ(said().substr(0, 35), "'w' has an infinity after step 4; t");
}

TEST_F(TrainNonFiniteTest, goesOnWhereThatIsAskedFor) {
  writeX({1, 1, 1, 1, 1, nan, 1, 1, 1, 1});
  options.stopOnNan = false;
  EXPECT_EQ(run().steps, 9);
}
