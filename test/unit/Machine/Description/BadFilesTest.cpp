// Wrong machine files: each is refused with one line.

#include "TinyMachine.h"
#include "gensyn/Executable/Support/Failure.h"

namespace gensyn::machine {
namespace {

std::string messageOf(const std::string &text) {
  try {
    parseTiny(text);
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code, ExitCode::BadInput);
    const std::string message = failure.what();
    EXPECT_EQ(message.find('\n'), std::string::npos);
    return message;
  }
  return "";
}

struct Case {
  std::string part, replacement, message;
};

const std::string kSize = R"({"value": 64, "unit": "KiB", "source": "sheet"})";
const std::string kInSize = "memories[0] 'local': size: ";

std::vector<Case> numberCases() {
  auto size = [](const std::string &replacement, const std::string &message) {
    return Case{kSize, replacement, kInSize + message};
  };
  return {
      size("64", "a JSON object is wanted, number is there"),
      size(R"({"unit": "KiB", "source": "sheet"})", "no 'value'"),
      size(R"({"value": 64, "source": "sheet"})", "no 'unit'"),
      size(R"({"value": 64, "unit": "KiB"})", "no 'source'"),
      size(R"({"value": 64, "unit": "KiB", "source": "shet"})",
           "source 'shet' is not known; the nearest known one is 'sheet'"),
      size(R"({"value": 64, "unit": "Kib", "source": "sheet"})",
           "unit 'Kib' is not known; the nearest known one is 'KiB'"),
      size(R"({"value": 64, "unit": "\u001b[2J\n", "source": "sheet"})",
           R"(unit '\x1b[2J\n' is not known)"),
      size(R"({"value": 64, "unit": "MHz", "source": "sheet"})",
           "'unit' is \"MHz\"; one of B, kB, KiB, MB, MiB, GB, GiB, TiB is "
           "wanted"),
      size(R"({"value": 0.3, "unit": "KiB", "source": "sheet"})",
           "'value' is 0.3 KiB; a whole number of B is wanted"),
      size(R"({"value": -64, "unit": "KiB", "source": "sheet"})",
           "'value' is -64 KiB; more than 0 is wanted"),
      size(R"({"value": 0, "unit": "KiB", "source": "sheet"})",
           "'value' is 0 KiB; more than 0 is wanted"),
      size(R"({"value": 1e300, "unit": "KiB", "source": "sheet"})",
           "'value' is 1e+300 KiB; at most 1000000000000000 B is wanted"),
      size(R"({"value": "64", "unit": "KiB", "source": "sheet"})",
           "'value' is \"64\"; a number is wanted"),
      size(R"({"value": 64, "unit": "KiB", "source": "sheet", "low": 65})",
           "'low' is 65 KiB; at most 'value', 64 KiB, is wanted"),
      size(R"({"value": 64, "unit": "KiB", "source": "sheet", "high": 63.5})",
           "'value' is 64 KiB; at most 'high', 63.5 KiB, is wanted"),
      size(R"({"value": 64, "unit": "KiB", "source": "guess"})",
           "the source 'guess' is an assumption, so 'low' and 'high' that "
           "differ are wanted"),
      size(
          R"({"value": 64, "unit": "KiB", "source": "guess", "low": 64, "high": 64})",
          "the source 'guess' is an assumption, so 'low' and 'high' that "
          "differ are wanted"),
      size(R"({"value": 64, "unit": "KiB", "source": "sheet", "lo": 1})",
           "key 'lo' is not known; the nearest known one is 'low'"),
      size(R"({"value": 64, "unit": 5, "source": "sheet"})",
           "'unit' is 5; a name is wanted"),
  };
}

std::vector<Case> partCases() {
  return {
      {"\"name\": \"tiny\",", "", "no 'name'"},
      {"\"name\": \"tiny\"", "\"name\": \"\"",
       "'name' is \"\"; a name is wanted"},
      {"\"kind\": \"datasheet\"", "\"kind\": \"rumour\"",
       "sources: sheet: kind 'rumour' is not known"},
      {"\"title\": \"nobody knows\"", "\"titel\": \"nobody knows\"",
       "sources: guess: no 'title'"},
      {R"({"name": "fast", "frequency")", R"({"name": "fast", "frequenzy")",
       "clocks[0] 'fast': no 'frequency'"},
      {"\"clocks\": [", "\"clocks\": 7, \"x\": [",
       "'clocks' is 7; a list of objects is wanted"},
      {"\"units\": [\n", "\"units\": [], \"more\": [\n",
       "'units' has 0 items; 1 to 1024 are wanted"},
      {"\"name\": \"big\"", "\"name\": \"local\"",
       "memories[1] 'local': name 'local' is there twice"},
      {"\"addressable\": true", "\"addressable\": 1",
       "memories[1] 'big': 'addressable' is 1; true or false is wanted"},
      {"\"ports\": [[1, 1]]", "\"ports\": [[2, 1]]",
       "memories[1] 'big': no node is at [2, 1]"},
      {"\"ports\": [[1, 1]]", "\"ports\": [[1, 1]], \"per\": \"core\"",
       "memories[1] 'big': per 'core' is not known"},
      {"\"ports\": [[1, 1]], \"addressable\": true,", "",
       "memories[1] 'big': 'bandwidth' is there without 'ports'"},
      {"{\"value\": 1, \"unit\": \"KiB\"", "{\"value\": 64, \"unit\": \"KiB\"",
       "memories[0] 'local': 'reserved' is 65536 B; less than 'size', 65536 B, "
       "is wanted"},
      {"\"clock\": \"fast\"", "\"clock\": \"slow\"",
       "units[0] 'cpu': clock 'slow' is not known"},
      {"\"step\": [4", "\"arrangements\": [{\"step\": [1]}], \"step\": [4",
       "units[0] 'cpu': rates[0]: 'arrangements' is [{\"step\":[1]}]; nothing "
       "beside 'step' is wanted"},
      {"\"step\": [4, 16, 1]", "\"arrangements\": [{\"step\": [4, 16, 1]}]",
       "units[0] 'cpu': rates[0]: arrangements[0]: 'step' is [4,16,1]; a list "
       "of 5 integers from 1 to 4096 is wanted"},
      {"\"step\": [4, 16, 1]",
       "\"arrangements\": [{\"step\": [4, 16, 1, 1, 1]}], \"granules\": "
       "[{\"lines\": 2, \"positions\": 0}]",
       "units[0] 'cpu': rates[0]: granules[0]: 'positions' is 0; an integer "
       "from 1 to 4096 is wanted"},
      {"\"step\": [4, 16, 1]", "\"step\": [4, 16, 1], \"granules\": []",
       "units[0] 'cpu': rates[0]: 'granules' is there without "
       "'arrangements'"},
      {"\"operation\": \"float\"", "\"operation\": \"floats\"",
       "units[0] 'cpu': rates[2]: operation 'floats' is not known; the nearest "
       "known one is 'float'"},
      {"\"types\": [\"i8\"]", "\"types\": [\"int8\"]",
       "units[0] 'cpu': rates[0]: type 'int8' is not known; the nearest known "
       "one is 'i8'"},
      {"\"step\": [4, 16, 1]", "\"step\": [4, 0, 1]",
       "units[0] 'cpu': rates[0]: 'step' is [4,0,1]; a list of 3 integers from "
       "1 to 65536 is wanted"},
      {"\"step\": [4, 16, 1]", "\"step\": [4, 16]",
       "units[0] 'cpu': rates[0]: 'step' is [4,16]; a list of 3 integers from "
       "1 to 65536 is wanted"},
      {"\"operation\": \"load\"",
       "\"operation\": \"load\", \"types\": [\"f32\"]",
       "no core computes everything: core kind 'core' has no load of i1"},
      {"\"memory\": \"local\"", "\"memory\": \"big\"",
       "core_kinds[0] 'core': 'memory' is 'big', which has ports; a memory "
       "without ports is wanted"},
      {"\"units\": [\"cpu\"]", "\"units\": [\"gpu\"]",
       "core_kinds[0] 'core': unit 'gpu' is not known; the nearest known one "
       "is 'cpu'"},
      {"\"units\": [\"cpu\"]", "\"units\": []",
       "core_kinds[0] 'core': 'units' is []; at least one unit is wanted"},
      {"\"engine\": \"dma\"", "\"engine\": \"dmb\"",
       "core_kinds[0] 'core': engine 'dmb' is not known; the nearest known one "
       "is 'dma'"},
      {"\"units\": [\"cpu\"]", "\"units\": [\"cpu\", \"cpu\"]",
       "core_kinds[0] 'core': unit 'cpu' is there twice"},
      {"\"engine\": \"dma\",",
       R"("engine": "dma", "target": {"name": "cortex-m4"},)",
       "core_kinds[0] 'core': target: instruction set 'cortex-m4' is not "
       "known"},
      {"\"engine\": \"dma\",",
       R"("engine": "dma", "target": {"name": "thumbv7em-none-eabihf/cortex-m4"},)",
       "core_kinds[0] 'core': target: no 'origin'"},
      {"\"engine\": \"dma\",",
       R"("engine": "dma", "target": {"name": "thumbv7em-none-eabihf/cortex-m4",
         "origin": {"value": 100, "unit": "B", "source": "sheet"}},)",
       "core_kinds[0] 'core': target: 'origin' is 100 B; a multiple of 1024 B "
       "up to 2147483648 B is wanted"},
      {"\"types\": [\"i8\"]", "\"types\": [\"i8\", \"i8\"]",
       "units[0] 'cpu': rates[0]: type 'i8' is there twice"},
  };
}

std::vector<Case> layoutCases() {
  const std::string nodes = R"("nodes": [{"from": [0, 0], "size": [2, 2]}])";
  const std::string cores = R"("at": [{"from": [0, 0], "size": [2, 2]}]})";
  const std::string mesh = "{\"kind\": \"mesh\",";
  const std::string end = "[2, 2]}]}\n  ]";
  return {
      {nodes, R"("nodes": [])",
       "network: 'nodes' is []; a list of positions [x, y] and rectangles "
       "{\"from\": [x, y], \"size\": [columns, rows]} is wanted"},
      {nodes, R"("nodes": [{"from": [0, 0], "size": [2, 2]}, [1, 1]])",
       "network: 'nodes': position [1, 1] is there twice"},
      {nodes, R"("nodes": [[0, 0], [1, "a"]])",
       "network: 'nodes' is [[0,0],[1,\"a\"]]; a list of positions [x, y] and "
       "rectangles {\"from\": [x, y], \"size\": [columns, rows]} is wanted"},
      {nodes, R"("nodes": [{"from": [0, 0], "size": [2000, 2000]}])",
       "network: 'nodes' has more than 1048576 positions"},
      {nodes, R"("nodes": [{"from": [0, 0], "size": [-2, 2]}])",
       "network: nodes[0]: 'size' is [-2,2]; a list of 2 integers from 1 to "
       "1048576 is wanted"},
      {nodes, R"("nodes": [{"from": [0, 0], "size": [2, 2]}], "wrap": [1, 2])",
       "network: position [0, 0] is there twice"},
      {mesh, "{\"kind\": \"ring\",",
       "network: links[0]: kind 'ring' is not known"},
      {mesh, "{\"kind\": \"star\", \"center\": [5, 5],",
       "network: links[0]: no node is at [5, 5]"},
      {mesh, "{\"kind\": \"mesh\", \"steps\": [[7, 0]],",
       "network: links[0]: connects nothing"},
      {mesh, "{\"kind\": \"mesh\", \"steps\": [[1, 0]],",
       "network: no path connects core 0 with core 2 in both directions"},
      {mesh,
       "{\"kind\": \"pairs\", \"from\": [[0, 0]], \"to\": [[0, 1], [1, 1]],",
       "network: links[0]: 'from' has 1 positions and 'to' 2; the same number "
       "is wanted"},
      {mesh,
       "{\"kind\": \"pairs\", \"from\": [[0, 0], [1, 0], [1, 1]], \"to\": "
       "[[1, 0], [1, 1], [0, 1]], \"one_way\": true,",
       "network: no path connects core 0 with core 1 in both directions"},
      {cores, R"("at": [[4, 4]]})", "cores[0]: no node is at [4, 4]"},
      {cores,
       R"("at": [{"from": [0, 0], "size": [2, 2]}], "per_node": [0, 2]})",
       "cores[0]: 'per_node' is [0,2]; a list of 2 integers from 1 to 64 is "
       "wanted"},
      {"\"cores\": [", "\"cores\": [], \"x\": [",
       "'cores' is []; at least one core is wanted"},
      {end, end + R"(, "boards": {"at": [[0, 0]]})",
       "'boards' is there without 'chips'"},
      {end, end + R"(, "dead": [{"cores": [4]}])",
       "dead[0]: 'cores' is [4]; a list of integers from 0 to 3 is wanted"},
      {end, end + R"(, "dead": [{"cores": [0, 1, 2, 3]}])",
       "all cores are dead"},
      {end, end + R"(, "dead": [{"cores": [0], "chips": [[1, 0]]}])",
       "dead[0]: no chip is at [1, 0]"},
      {end,
       end + R"(, "dead": [{"links": {"from": [[0, 0]], "to": [[1, 1]]}}])",
       "dead[0]: links: no link is between [0, 0] and [1, 1]"},
      {end,
       end +
           R"(, "dead": [{"links": {"from": [[0, 0], [0, 0]], "to": [[1, 0], [0, 1]]}}])",
       "network: no path connects core 0 with core 1 in both directions"},
      {end,
       end +
           R"(, "chips": {"node": [0, 0], "at": [{"from": [0, 0], "size": [1000, 1000]}]})",
       "the machine has more than 1048576 nodes"},
      {end, end + R"(, "chips": {"node": [0, 0], "at": [[0, 0], [1, 0]]})",
       "network: no path connects core 0 with core 4 in both directions"},
      {end, end + R"(, "chips": {"node": [9, 0], "at": [[0, 0], [1, 0]]})",
       "chips: no node is at [9, 0]"},
      {end, end + R"(, "colour": "red")", "key 'colour' is not known"},
      {end, end + R"(, "wrap": [2, 2])", "key 'wrap' is not known"},
      {end,
       end +
           R"(, "dead": [{"chip_links": {"from": [[0, 0]], "to": [[1, 0], [2, 0]]}}])",
       "dead[0]: chip_links: 'from' has 1 positions and 'to' 2; the same "
       "number is wanted"},
      {end,
       end + R"(, "dead": [{"links": {"from": [[0, 0]], "to": [[7, 1]]}}])",
       "dead[0]: links: no node is at [7, 1]"},
      {end,
       end +
           R"(, "dead": [{"cores": [0], "chips": [[0, 0]], "boards": [[1, 1]]}])",
       "dead[0]: no board is at [1, 1]"},
  };
}

std::vector<Case> textCases() {
  return {
      {"\"about\"", "\"name\"", "'name' is there twice"},
      {"\"value\": 300", "\"value\": NaN",
       "the machine file is not JSON: parse error at line 9, column 45: syntax "
       "error while parsing value - invalid literal; last read: '\"value\": "
       "N'"},
      {"\"value\": 300", "\"value\": 1e999",
       "the machine file is not JSON: number overflow parsing '1e999'"},
      {"\"four cores\"", "\"four \xff\"",
       "the machine file is not JSON: parse error at line 3, column 18: syntax "
       "error while parsing value - invalid string: ill-formed UTF-8 byte; "
       "last read: '\"four \\xff'"},
      {"\"where\": \"page 1\"",
       "\"where\": " + std::string(70, '[') + std::string(70, ']'),
       "the machine file is nested deeper than 64"},
      {"{", "[",
       "the machine file is not JSON: parse error at line 2, column 9: syntax "
       "error while parsing array - unexpected ':'; expected ']'"},
  };
}

void check(const std::vector<Case> &cases) {
  for (const Case &bad : cases)
    EXPECT_EQ(messageOf(tinyWith(bad.part, bad.replacement)),
              "tiny.json: " + bad.message)
        << bad.part << " -> " << bad.replacement;
}

TEST(BadFiles, Numbers) { check(numberCases()); }
TEST(BadFiles, Parts) { check(partCases()); }
TEST(BadFiles, Layouts) { check(layoutCases()); }
TEST(BadFiles, Texts) { check(textCases()); }

/// A short file that would take hours if every entry were followed.
TEST(BadFiles, HugeRepetition) {
  std::string text =
      tinyWith("[[1, 1]], \"addressable\"",
               "[[0, 0]], \"per\": \"machine\", \"addressable\"");
  for (int i = 0; i < 2; ++i) {
    const std::string size = "\"size\": [2, 2]";
    text.replace(text.find(size), size.size(), "\"size\": [1, 1]");
  }
  const size_t begin = text.find("{\"kind\": \"mesh\"");
  const size_t end = text.find("}}", begin) + 2;
  const std::string mesh = text.substr(begin, end - begin);
  text.erase(begin, end - begin);
  text.resize(text.rfind('}'));
  text +=
      R"(, "chips": {"node": [0, 0], "at": [{"from": [0, 0], "size": [380, 380]}], "links": [)" +
      mesh + R"(]}, "dead": [{"cores": [0]})";
  for (int i = 0; i < 10'000; ++i)
    text += R"(, {"cores": [0, 0, 0]})";
  EXPECT_EQ(
      messageOf(text + "]}"),
      "tiny.json: dead[7]: 'dead' lists more than 4194304 cores and links");
}

TEST(BadFiles, NoFile) {
  EXPECT_EQ(messageOf(""),
            "tiny.json: the machine file is not JSON: parse error at line 1, "
            "column 1: syntax error while parsing value - unexpected end of "
            "input; expected '[', '{', or a literal");
  EXPECT_EQ(messageOf("7"),
            "tiny.json: a JSON object is wanted, number is there");
  EXPECT_EQ(messageOf("{}"), "tiny.json: no 'name'");
}

} // namespace
} // namespace gensyn::machine
