// The machines that come with the tools, against published figures.

#include "TinyMachine.h"
#include "Units.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Machine/DescribeMachine.h"
#include "gensyn/Machine/MachineNumbers.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace gensyn::machine {
namespace {

TEST(Machines, AllLoadAndHaveNumbersOfSources) {
  EXPECT_EQ(listMachines(),
            (std::vector<std::string>{"a100", "ethos-u55-128", "ethos-u55-256",
                                      "gap9", "gensyn-block", "h100",
                                      "spinnaker2-board", "spinnaker2-chip",
                                      "spinnaker2-rack", "stm32l4", "xr-soc"}));
  for (const std::string &name : listMachines()) {
    const Description machine = findMachine(name);
    EXPECT_EQ(machine.name, name);
    for (const Source &source : machine.sources)
      EXPECT_GT(source.numbers, 0U)
          << name << ": no number is of the source " << source.name;
    const Totals totals = totalsOf(machine);
    EXPECT_LT(totals.assumed, totals.numbers);
  }
}

TEST(Machines, SpiNNaker2Chip) {
  const Description machine = findMachine("spinnaker2-chip");
  const Totals totals = totalsOf(machine);
  EXPECT_EQ(totals.cores, 152U);
  // Two monitor cores.
  EXPECT_EQ(totals.deadCores, 2U);
  EXPECT_EQ(totals.coreMemory.value, 19 << 20);
  // "up to 6.4 Gbyte/s sustained".
  EXPECT_EQ(totals.sharedBandwidth.value, 6'400'000'000);
  // 5.84 int8 TOPS at 300 MHz.
  EXPECT_EQ(peakOf(machine, "i8").value, 5'836'800'000'000);
  EXPECT_EQ(peakOf(machine, "i8").low, 2'918'400'000'000);
  // 3 cycles for a fused multiply-add.
  EXPECT_EQ(peakOf(machine, "f32").value, 30'400'000'000);
  // At 150 MHz, with the slowest routine.
  EXPECT_EQ(peakOf(machine, "f64").low, 114'000'000);
  // The position of core 1 in SpiNNMachine's QUAD_MAP is (7, 6, 0).
  EXPECT_EQ(machine.cores[0].node, 5U * 7 + 6);
  EXPECT_EQ(machine.cores[151].node, 2U * 7 + 4);
}

TEST(Machines, SpiNNaker2Board) {
  const Description machine = findMachine("spinnaker2-board");
  const Totals totals = totalsOf(machine);
  EXPECT_EQ(machine.chips, 48U);
  EXPECT_EQ(totals.coreMemory.value, int64_t(912) << 20);
  EXPECT_EQ(totals.sharedMemory.value,
            (int64_t(96) << 30) + 48 * (int64_t(512) << 10));
  EXPECT_EQ(totals.sharedBandwidth.value, 307'200'000'000 + 48 * 4'800'000'000);
  // 96 monitor cores, four of each chip that lend their memory, nine chips with
  // a core less and two with two.
  EXPECT_EQ(totals.cores, 7296U);
  EXPECT_EQ(totals.deadCores, 96U + 48 * 4 + 9 + 4);
  // A chip inside of the board has six neighbours.
  const uint32_t router = 2 * 7 + 3;
  std::vector<uint32_t> neighbours(48);
  for (const Link &link : machine.network.links)
    if (link.from / 42 != link.to / 42) {
      EXPECT_EQ(link.from % 42, router);
      ++neighbours[link.from / 42];
    }
  EXPECT_EQ(*std::max_element(neighbours.begin(), neighbours.end()), 6U);
}

TEST(Machines, SpiNNaker2Rack) {
  const Description machine = findMachine("spinnaker2-rack");
  EXPECT_EQ(machine.chips, 24U * 48);
  EXPECT_EQ(machine.cores.size(), 175'104U);
  // A torus without holes: every chip has six neighbours.
  std::vector<uint32_t> neighbours(machine.chips);
  for (const Link &link : machine.network.links)
    if (link.from / 42 != link.to / 42)
      ++neighbours[link.from / 42];
  for (uint32_t count : neighbours)
    EXPECT_EQ(count, 6U);
}

/// The three files repeat the chip's numbers.
TEST(Machines, BoardAndRackConsistOfTheChip) {
  auto parse = [](const char *name) {
    return nlohmann::json::parse(findMachine(name).text);
  };
  nlohmann::json chip = parse("spinnaker2-chip");
  chip["memories"][1]["per"] = "machine";
  for (const char *name : {"spinnaker2-board", "spinnaker2-rack"}) {
    nlohmann::json other = parse(name);
    // Four cores of a chip lend their memory to all.
    EXPECT_EQ(other["memories"][1]["name"], "lent") << name;
    other["memories"].erase(1);
    for (const char *key : {"clocks", "memories", "units", "engines",
                            "core_kinds", "network", "cores"})
      EXPECT_EQ(other[key], chip[key]) << name << " " << key;
  }
}

TEST(Machines, PublishedPeaks) {
  // NVIDIA: 624 int8 TOPS, 19.5 and 9.7 TFLOPS; 1979, 66.9 and 33.5.
  EXPECT_EQ(peakOf(findMachine("a100"), "i8").value, 623'738'880'000'000);
  EXPECT_EQ(peakOf(findMachine("a100"), "f32").value, 19'491'840'000'000);
  EXPECT_EQ(peakOf(findMachine("a100"), "f64").value, 9'745'920'000'000);
  EXPECT_EQ(peakOf(findMachine("h100"), "i8").value, 1'978'859'520'000'000);
  EXPECT_EQ(peakOf(findMachine("h100"), "f32").value, 66'908'160'000'000);
  EXPECT_EQ(peakOf(findMachine("h100"), "f64").value, 33'454'080'000'000);
  EXPECT_EQ(totalsOf(findMachine("h100")).sharedBandwidth.value,
            3'350'000'000'000);
  // Arm: 256 GOPS for each 256 MACs at 500 MHz; here with the processor.
  EXPECT_EQ(peakOf(findMachine("ethos-u55-256"), "i8").value -
                peakOf(findMachine("ethos-u55-128"), "i8").value,
            128'000'000'000);
  // 1024 MACs of ZigZag's file are in the step.
  const Rate rate = findMachine("xr-soc").units[0].rates[0];
  EXPECT_EQ(rate.step[0] * rate.step[1] * rate.step[2], 1024);
  EXPECT_EQ(findMachine("stm32l4").clocks[0].frequency.value, 120'000'000);
}

TEST(Machines, AreFoundByFile) {
  const std::string path =
      (std::filesystem::path(testing::TempDir()) / "mine.json").string();
  std::ofstream(path) << tinyText();
  EXPECT_EQ(findMachine(path).name, "tiny");
  EXPECT_EQ(findMachine(path).text, tinyText());
  std::filesystem::remove(path);
}

TEST(Machines, UnknownNames) {
  try {
    findMachine("spinnaker-chip");
    FAIL();
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code, ExitCode::Usage);
    EXPECT_STREQ(failure.what(), "machine 'spinnaker-chip' is not known; the "
                                 "nearest known one is 'spinnaker2-chip'");
    EXPECT_NE(failure.note.find("'gap9'"), std::string::npos);
  }
}

TEST(Machines, DescribedAsATable) {
  const std::string text = describe(findMachine("spinnaker2-chip"));
  for (const char *line :
       {"spinnaker2-chip: SpiNNaker2: ",
        "\n  pe     300 MHz [150 MHz, 300 MHz]\n",
        "\n  dram    2 GiB [1 GiB, 2 GiB]  16 MiB [0 B, 128 MiB]    6.4 GB/s "
        "[6.4 GB/s, 9.6 GB/s]",
        "\n  mac   multiply_add 4x16x1  i8 ui8        1 cycle  ",
        "\n  m4f   multiply_add         others        1 cycle  ",
        "\n  cores                152, of which 2 dead\n",
        "\n  peak of i8           5.837 Top/s [2.918 Top/s, 5.837 Top/s]\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  // Memories of 48 chips are one line.
  nlohmann::json board =
      nlohmann::json::parse(findMachine("spinnaker2-board").text);
  board["memories"][2]["per"] = "chip";
  const Description machine = parseTiny(board.dump());
  EXPECT_EQ(machine.sharedMemories().size(), 1 + 48U);
  EXPECT_NE(describe(machine).find("dram[0, 0] and 47 more"),
            std::string::npos);
}

/// The table and the output in docs/Machines.md.
TEST(Machines, DocumentedAsTheyAre) {
  const std::string docs = readText(
      std::filesystem::path(GENSYN_TEST_DIR) / "../docs/Machines.md", 1 << 20);
  for (const std::string &name : listMachines()) {
    const Description machine = findMachine(name);
    const Totals totals = totalsOf(machine);
    std::string row = "\n| " + name + " | " + std::to_string(totals.cores);
    for (const Interval &size : {totals.coreMemory, totals.sharedMemory})
      row += " | " + printQuantity(size.value, Unit::Bytes);
    row += " | " +
           printQuantity(totals.sharedBandwidth.value, Unit::BytesPerSecond);
    for (const char *type : {"i8", "f32"}) {
      std::string peak =
          printQuantity(peakOf(machine, type).value, Unit::Hertz);
      peak.replace(peak.size() - 2, 2, "op/s");
      row += " | " + peak;
    }
    row += " | " + std::to_string(totals.assumed) + " of " +
           std::to_string(totals.numbers) + " |\n";
    EXPECT_NE(docs.find(row), std::string::npos) << row;
  }
  const std::string text = describe(findMachine("spinnaker2-chip"));
  std::istringstream lines(text.substr(text.find("  total\n")));
  for (std::string line; std::getline(lines, line);)
    EXPECT_NE(docs.find("\n  " + line + "\n"), std::string::npos) << line;
}

} // namespace
} // namespace gensyn::machine
