// Machines by repetition: rectangles, chips and boards.

#include "TinyMachine.h"

#include <algorithm>

namespace gensyn::machine {
namespace {

/// `tiny` with more members at its end.
std::string tinyAnd(const std::string &members) {
  std::string text = tinyText();
  text.resize(text.rfind('}'));
  return text + ",\n" + members + "}\n";
}

const std::string kLink =
    R"("bandwidth": {"value": 1, "unit": "GB/s", "source": "sheet"},
  "latency": {"value": 1, "unit": "us", "source": "sheet"},
  "energy": {"value": 1, "unit": "pJ/B", "source": "sheet"})";

std::string chips(const std::string &at, const std::string &more = "") {
  return R"("chips": {"node": [1, 0], "at": )" + at +
         R"(, "links": [{"kind": "mesh", )" + kLink + "}]" + more + "}";
}

/// The pairs of nodes of all links, in their order.
std::vector<std::pair<uint32_t, uint32_t>> ends(const Description &machine) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (const Link &link : machine.network.links)
    pairs.emplace_back(link.from, link.to);
  return pairs;
}

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

TEST(Layout, RectanglesAreNumberedRowByRow) {
  const Description machine = parseTiny(tinyText());
  ASSERT_EQ(machine.cores.size(), 4U);
  EXPECT_EQ(machine.chips, 1U);
  for (uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(machine.cores[i].node, i);
    EXPECT_EQ(machine.cores[i].x, int32_t(i % 2));
    EXPECT_EQ(machine.cores[i].y, int32_t(i / 2));
    EXPECT_FALSE(machine.cores[i].isDead);
  }
  EXPECT_EQ(machine.sharedMemories(), std::vector<uint32_t>{1});
  EXPECT_EQ(machine.memories[1].nodes, std::vector<uint32_t>{3});
}

TEST(Layout, LinksOfAMeshLeadAlongXFirst) {
  EXPECT_EQ(
      ends(parseTiny(tinyText())),
      (Pairs{{0, 1}, {1, 0}, {2, 3}, {3, 2}, {0, 2}, {2, 0}, {1, 3}, {3, 1}}));
}

TEST(Layout, SeveralCoresOfANode) {
  const Description machine = parseTiny(tinyWith(
      "\"kind\": \"core\",", "\"kind\": \"core\", \"per_node\": [2, 1],"));
  ASSERT_EQ(machine.cores.size(), 8U);
  EXPECT_EQ(machine.cores[3].node, 1U);
  EXPECT_EQ(machine.cores[3].x, 3);
  EXPECT_EQ(machine.cores[3].y, 0);
}

TEST(Layout, Stars) {
  const Description machine = parseTiny(tinyWith(
      "{\"kind\": \"mesh\",", "{\"kind\": \"star\", \"center\": [1, 0],"));
  EXPECT_EQ(ends(machine),
            (Pairs{{0, 1}, {1, 0}, {2, 1}, {1, 2}, {3, 1}, {1, 3}}));
}

TEST(Layout, PairsInOneDirection) {
  const Description machine = parseTiny(tinyWith(
      "{\"kind\": \"mesh\",",
      "{\"kind\": \"pairs\", \"from\": [[0, 0], [1, 0], [1, 1], [0, 1]], "
      "\"to\": [[1, 0], [1, 1], [0, 1], [0, 0]], \"one_way\": true,"));
  EXPECT_EQ(ends(machine), (Pairs{{0, 1}, {1, 3}, {3, 2}, {2, 0}}));
  EXPECT_EQ(machine.route(1, 0), (std::vector<uint32_t>{1, 2, 3}));
}

TEST(Layout, RingsByWrap) {
  std::string text =
      tinyWith(R"([{"from": [0, 0], "size": [2, 2]}],)",
               R"([{"from": [0, 0], "size": [4, 1]}], "wrap": [4, 1],)");
  auto replace = [&](const std::string &part, const std::string &other) {
    text.replace(text.find(part), part.size(), other);
  };
  replace("[[1, 1]]", "[[3, 0]]");
  replace(R"("at": [{"from": [0, 0], "size": [2, 2]}])",
          R"("at": [[0, 0], [3, 0]])");
  const std::string mesh = R"({"kind": "mesh", "steps": [[1, 0]],)";
  replace(R"({"kind": "mesh",)", mesh);
  const Pairs ring = {{0, 1}, {1, 0}, {1, 2}, {2, 1},
                      {2, 3}, {3, 2}, {3, 0}, {0, 3}};
  EXPECT_EQ(ends(parseTiny(text)), ring);
  EXPECT_EQ(parseTiny(text).route(0, 3), std::vector<uint32_t>{7});
  replace("[[1, 0]]", "[[-1, 0]]");
  EXPECT_EQ(ends(parseTiny(text)).front(),
            (std::pair<uint32_t, uint32_t>(0, 3)));
}

TEST(Layout, ChipsRepeatCoresNodesAndMemories) {
  const Description machine = parseTiny(tinyAnd(chips("[[0, 0], [1, 0]]")));
  EXPECT_EQ(machine.chips, 2U);
  ASSERT_EQ(machine.cores.size(), 8U);
  EXPECT_EQ(machine.network.nodes, 8U);
  EXPECT_EQ(machine.cores[5].node, 5U);
  EXPECT_EQ(machine.cores[5].chip, 1U);
  // Two columns of the first chip and a gap.
  EXPECT_EQ(machine.cores[5].x, 4);
  ASSERT_EQ(machine.network.links.size(), 18U);
  EXPECT_EQ(ends(machine)[16], (std::pair<uint32_t, uint32_t>(1, 5)));
  EXPECT_EQ(machine.network.links[16].latency.value, 1'000'000);
  EXPECT_EQ(machine.sharedMemories(), (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(machine.memories[2].name, "big[1, 0]");
  EXPECT_EQ(machine.memories[2].nodes, std::vector<uint32_t>{7});
}

TEST(Layout, AMemoryOfTheMachineIsSpreadOverChips) {
  std::string text = tinyAnd(chips("[[0, 0], [1, 0]]"));
  text.replace(text.find("\"ports\""), 0, "\"per\": \"machine\", ");
  const Description machine = parseTiny(text);
  ASSERT_EQ(machine.sharedMemories(), std::vector<uint32_t>{1});
  EXPECT_EQ(machine.memories[1].nodes, (std::vector<uint32_t>{3, 7}));
  EXPECT_EQ(machine.memories[1].size.value, int64_t(2) << 30);
  EXPECT_EQ(machine.memories[1].bandwidth.high, 12'800'000'000);
  EXPECT_EQ(machine.memories[1].latency.value, 100'000);
}

TEST(Layout, BoardsHaveLinksOfTheirOwn) {
  const Description machine = parseTiny(tinyAnd(
      chips("[[0, 0], [1, 0]]") +
      R"(, "boards": {"at": [[0, 0], [2, 0]], "wrap": [4, 1], "links": [{"kind": "mesh", )" +
      kLink + "}]}"));
  EXPECT_EQ(machine.chips, 4U);
  const Pairs pairs = ends(machine);
  // Links of chips on a board, then between boards, around the end.
  EXPECT_EQ(
      Pairs(pairs.begin() + 32, pairs.end()),
      (Pairs{
          {1, 5}, {5, 1}, {9, 13}, {13, 9}, {5, 9}, {9, 5}, {13, 1}, {1, 13}}));
}

TEST(Layout, DeadCoresOfSomeChips) {
  const Description machine = parseTiny(tinyAnd(
      chips("[[0, 0], [1, 0]]") +
      R"(, "dead": [{"cores": [1]}, {"cores": [2, 3], "chips": [[1, 0]]}])"));
  std::vector<uint32_t> dead;
  for (uint32_t i = 0; i < machine.cores.size(); ++i)
    if (machine.cores[i].isDead)
      dead.push_back(i);
  EXPECT_EQ(dead, (std::vector<uint32_t>{1, 5, 6, 7}));
}

TEST(Layout, DeadCoresOfOneBoard) {
  const Description machine = parseTiny(tinyAnd(
      chips("[[0, 0], [1, 0]]") +
      R"(, "boards": {"at": [[0, 0], [2, 0]], "links": [{"kind": "mesh", )" +
      kLink +
      R"(}]}, "dead": [{"cores": [0], "chips": [[1, 0]], "boards": [[2, 0]]}])"));
  for (uint32_t i = 0; i < machine.cores.size(); ++i)
    EXPECT_EQ(machine.cores[i].isDead, i == 12) << i;
}

TEST(Layout, DeadLinks) {
  const Description machine = parseTiny(tinyAnd(
      chips("[[0, 0], [1, 0], [0, 1], [1, 1]]") +
      R"(, "dead": [{"links": {"from": [[0, 0]], "to": [[1, 0]]}, "chips": [[1, 0]]},
                    {"chip_links": {"from": [[0, 0]], "to": [[0, 1]]}}])"));
  std::vector<uint32_t> dead;
  for (uint32_t i = 0; i < machine.network.links.size(); ++i)
    if (machine.network.links[i].isDead)
      dead.push_back(i);
  // Eight links of each of four chips, then those along x, then along y.
  EXPECT_EQ(dead, (std::vector<uint32_t>{8, 9, 36, 37}));
  EXPECT_EQ(machine.route(4, 5).size(), 3U);
}

} // namespace
} // namespace gensyn::machine
