// Pages and maps of differences between tensors and runs written by hand.

#include "Report/Comparison.h"

#include "../../Executable/TestFiles.h"
#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Runtime/Report/ComparisonPage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::runtime::report;
using namespace gensyn::test;
namespace fs = std::filesystem;

namespace {

constexpr int64_t noLimit = 1 << 20;

TEST(Maps, MatricesAreAsSquareAsPossible) {
  const MapShape weight = chooseMapShape({64, 32, 3, 3}, noLimit);
  EXPECT_EQ(weight.rowDims, 1u);
  EXPECT_EQ(weight.rows, 64);
  EXPECT_EQ(weight.columns, 288);
  EXPECT_EQ(weight.blockRows, 1);
  EXPECT_EQ(weight.blockColumns, 2);
  EXPECT_EQ(chooseMapShape({8, 8, 4, 4}, noLimit).rowDims, 2u);
}

TEST(Maps, FlatTensorsAreWrittenInLines) {
  EXPECT_EQ(chooseMapShape({}, noLimit).columns, 1);
  const MapShape bias = chooseMapShape({256}, noLimit);
  EXPECT_EQ(bias.rows, 1);
  EXPECT_EQ(bias.columns, 256);
  // The last line is not full.
  const MapShape vector = chooseMapShape({1000}, noLimit);
  EXPECT_FALSE(vector.rowDims);
  EXPECT_EQ(vector.columns, 32);
  EXPECT_EQ(vector.rows, 32);
  EXPECT_FALSE(chooseMapShape({1, 1000}, noLimit).rowDims);
  EXPECT_FALSE(chooseMapShape({1000, 3}, noLimit).rowDims);
}

TEST(Maps, CellsAreBounded) {
  for (const auto &shape : std::vector<std::vector<int64_t>>{
           {50257, 768}, {int64_t(1) << 40}, {3, 5}, {1 << 20, 1 << 19}})
    for (int64_t most : {1, 7, 1000, 100000}) {
      const MapShape map = chooseMapShape(shape, most);
      EXPECT_LE(map.cellRows() * map.cellColumns(), most);
      EXPECT_LE(map.cellRows(), 128);
      EXPECT_LE(map.cellColumns(), 192);
      EXPECT_GE(map.rows * map.columns, shape.front());
    }
}

/// Two files with one tensor 'x' each.
struct TwoFiles {
  TwoFiles(const std::vector<int64_t> &shape, const std::vector<float> &first,
           const std::vector<float> &second) {
    TensorMap map;
    map.emplace("x", Tensor::of<float>(shape, first));
    writeSafeTensors(folder / "a", map);
    map.clear();
    map.emplace("x", Tensor::of<float>(shape, second));
    writeSafeTensors(folder / "b", map);
    a.emplace(folder / "a");
    b.emplace(folder / "b");
  }
  TensorDifference find(int64_t mostCells, size_t mostWorst = 8) const {
    return findTensorDifference(*a->find("x"), *b->find("x"), mostCells,
                                mostWorst);
  }

  ScratchFolder folder;
  std::optional<SafeTensors> a, b;
};

/// The float that is so many ulps above 1.
float aboveOne(uint32_t ulps) {
  const uint32_t bits = 0x3f800000 + ulps;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

TEST(Maps, ACellIsTheLargestDifferenceOfItsElements) {
  std::vector<float> first(32, 1.0f), second = first;
  second[0] = aboveOne(1);
  second[9] = aboveOne(5);
  second[31] = aboveOne(1 << 20);
  second[30] = std::numeric_limits<float>::quiet_NaN();
  TwoFiles files({4, 8}, first, second);
  const TensorDifference all = files.find(noLimit);
  EXPECT_EQ(all.cells, (std::vector<std::string>{"A", ".C", "", "......!U"}));
  EXPECT_EQ(all.counts[0], 1);
  EXPECT_EQ(all.counts[2], 1);
  EXPECT_EQ(all.counts[20], 1);
  EXPECT_EQ(all.counts[64], 1);
  EXPECT_EQ(files.find(1).cells, std::vector<std::string>{"!"});
}

TEST(Maps, WorstElementsAreByDistanceThenByPosition) {
  std::vector<float> first(6, 1.0f), second = first;
  for (size_t i : {1, 2, 3, 5})
    second[i] = aboveOne(i == 3 ? 7 : 2);
  const TensorDifference found = TwoFiles({6}, first, second).find(noLimit, 3);
  std::vector<int64_t> elements;
  for (const WorstElement &worst : found.worst)
    elements.push_back(worst.element);
  EXPECT_EQ(elements, (std::vector<int64_t>{3, 1, 2}));
  EXPECT_EQ(found.worst.front().ulps, 7u);
}

std::string makePage(const TwoFiles &files) {
  return makeComparisonPage({files.folder / "a", files.folder / "b", *files.a,
                             *files.b, compareTensors(*files.a, *files.b)});
}

TEST(ComparisonPage, ShowsBitsOfBothValues) {
  const std::string page = makePage(TwoFiles({2}, {1, 2}, {1, -2}));
  EXPECT_NE(page.find("0x40000000"), page.npos);
  EXPECT_NE(page.find("0xc0000000"), page.npos);
  EXPECT_NE(page.find("2,147,483,648 ulps"), page.npos);
}

TEST(ComparisonPage, EqualFilesHaveNoMaps) {
  const std::string page = makePage(TwoFiles({2}, {1, 2}, {1, 2}));
  EXPECT_NE(page.find("<dd>bit-equal</dd>"), page.npos);
  EXPECT_NE(page.find("<p>1 tensor: x</p>"), page.npos);
  EXPECT_EQ(page.find("<figure"), page.npos);
}

TEST(ComparisonPage, IsSmallForManyTensorsWithLongNames) {
  ScratchFolder folder;
  TensorMap first, second;
  for (int i = 0; i < 3000; ++i) {
    const std::string name =
        std::to_string(i) + "</script>\n\"'<b>" + std::string(2000, 'n');
    first.emplace(name, Tensor::of<float>({40, 50}, std::vector(2000, 1.0f)));
    second.emplace(name, Tensor::of<float>({40, 50}, std::vector(2000, 1.5f)));
  }
  writeSafeTensors(folder / "a", first);
  writeSafeTensors(folder / "b", second);
  SafeTensors a(folder / "a"), b(folder / "b");
  const std::string page = makeComparisonPage(
      {folder / "a", folder / "b", a, b, compareTensors(a, b)});
  EXPECT_LT(page.size(), 5'000'000u);
  EXPECT_EQ(page.find("<b>" + std::string(9, 'n')), page.npos);
  EXPECT_NE(page.find("and 1,000 tensors more"), page.npos);
}

void writeFile(const fs::path &path, const std::string &text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

TEST(RunStatements, NameWhatDiffers) {
  ScratchFolder folder;
  const fs::path a = folder / "a", b = folder / "b";
  writeFile(a / "program.json",
            R"({"program_digest": "p1", "backend": "cpu"})");
  writeFile(b / "program.json",
            R"({"program_digest": "p2", "backend": "cpu"})");
  writeFile(a / "checkpoints/step-9/state.json",
            R"({"seed": 1, "recipe": {"optimizer": {"lr": 0.5}}})");
  writeFile(b / "checkpoints/step-9/state.json",
            R"({"seed": 2, "recipe": {"optimizer": {}}})");
  std::vector<std::string> lines;
  for (const SettingDifference &statement : compareRunStatements(a, b))
    lines.push_back(statement.name + ": " + statement.first + ", " +
                    statement.second);
  EXPECT_EQ(lines,
            (std::vector<std::string>{"program digest: p1, p2", "seed: 1, 2",
                                      "recipe: optimizer/lr: 0.5, nothing"}));
  // What is missing or of another kind differs in nothing.
  writeFile(a / "program.json", "[1]");
  fs::remove(b / "program.json");
  fs::remove_all(b / "checkpoints");
  EXPECT_TRUE(compareRunStatements(a, b).empty());
  writeFile(b / "program.json", "{");
  EXPECT_THROW(compareRunStatements(a, b), Failure);
}

TEST(RunStatements, TheFirstCheckpointThatDiffers) {
  ScratchFolder folder;
  const fs::path a = folder / "a", b = folder / "b";
  auto write = [](const fs::path &run, int step, const char *digest) {
    writeFile(run / "checkpoints" / ("step-" + std::to_string(step)) /
                  "state.json",
              std::string(R"({"parameters": ")") + digest + "\"}");
  };
  for (const auto &[step, digest] :
       {std::pair(5, "p"), std::pair(10, "q"), std::pair(100, "r")}) {
    write(a, step, digest);
    write(b, step, step == 5 ? digest : "other");
  }
  EXPECT_EQ(findCheckpointDifference(a, b), 10);
  EXPECT_EQ(findCheckpointDifference(a, a), std::nullopt);
  EXPECT_EQ(findCheckpointDifference(a, folder / "none"), std::nullopt);
}

} // namespace
