// Random programs of nested conditions and loops, in which every thread takes
// its own path, against an interpreter of their syntax tree.

#include "../Support.h"

#include <memory>

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

constexpr unsigned registers = 10;
using Values = std::array<uint32_t, registers>;

/// A statement: arithmetic, a condition, or a loop that runs up to eight times
/// and can be left in the middle.
struct Node {
  enum class Kind { Arithmetic, If, Loop, Leave };
  Kind kind = Kind::Arithmetic;
  unsigned operation = 0, dest = 0, a = 0, b = 0;
  std::vector<Node> first, second;
};

class Generator {
public:
  explicit Generator(Patterns &source) : patterns(source) {}

  std::vector<Node> list(unsigned depth, unsigned loops) {
    std::vector<Node> nodes(1 + patterns.next() % 4);
    for (Node &node : nodes) {
      node.operation = pick(4);
      node.dest = pick(registers);
      node.a = pick(registers);
      node.b = pick(registers);
      unsigned choice = pick(10);
      if (depth == 0 || choice < 4)
        continue;
      if (choice == 4 && loops != 0) {
        node.kind = Node::Kind::Leave;
      } else if (choice < 8) {
        node.kind = Node::Kind::If;
        node.first = list(depth - 1, loops);
        if (choice != 5)
          node.second = list(depth - 1, loops);
      } else if (loops < 2) {
        node.kind = Node::Kind::Loop;
        node.first = list(depth - 1, loops + 1);
      }
    }
    return nodes;
  }

private:
  unsigned pick(unsigned count) {
    return static_cast<unsigned>(patterns.next() % count);
  }
  Patterns &patterns;
};

class Printer {
public:
  std::string text;

  void print(const std::vector<Node> &nodes) {
    for (const Node &node : nodes)
      print(node);
  }

private:
  static std::string r(unsigned number) {
    return "%r" + std::to_string(number);
  }

  void print(const Node &node) {
    static constexpr const char *names[] = {"add.s32", "sub.s32", "mul.lo.s32",
                                            "xor.b32"};
    std::string a = r(node.a), b = r(node.b);
    std::string label = "L" + std::to_string(labels++);
    std::string p = "%p" + std::to_string(10 + labels % 20);
    switch (node.kind) {
    case Node::Kind::Arithmetic:
      text += std::string(names[node.operation]) + " " + r(node.dest) + ", " +
              a + ", " + b + ";\n";
      break;
    case Node::Kind::Leave:
      text += "setp.lt.s32 " + p + ", " + a + ", " + b + ";\n@" + p + " bra " +
              exits.back() + ";\n";
      break;
    case Node::Kind::If:
      text += "setp.gt.s32 " + p + ", " + a + ", " + b + ";\n@!" + p + " bra " +
              label + "_else;\n";
      print(node.first);
      text += "bra.uni " + label + "_end;\n" + label + "_else:\n";
      print(node.second);
      text += label + "_end:\n";
      break;
    case Node::Kind::Loop: {
      std::string counter = r(20 + static_cast<unsigned>(exits.size()));
      exits.push_back(label + "_end");
      text += "and.b32 " + counter + ", " + a + ", 7;\n" + label + ":\n" +
              "setp.eq.u32 " + p + ", " + counter + ", 0;\n@" + p + " bra " +
              label + "_end;\nsub.s32 " + counter + ", " + counter + ", 1;\n";
      print(node.first);
      text += "bra " + label + ";\n" + label + "_end:\n";
      exits.pop_back();
      break;
    }
    }
  }

  unsigned labels = 0;
  std::vector<std::string> exits;
};

/// Returns true if the innermost loop is left.
bool interpret(const std::vector<Node> &nodes, Values &v) {
  for (const Node &node : nodes) {
    uint32_t a = v[node.a], b = v[node.b];
    switch (node.kind) {
    case Node::Kind::Arithmetic:
      v[node.dest] = node.operation == 0   ? a + b
                     : node.operation == 1 ? a - b
                     : node.operation == 2 ? a * b
                                           : a ^ b;
      break;
    case Node::Kind::Leave:
      if (int32_t(a) < int32_t(b))
        return true;
      break;
    case Node::Kind::If:
      if (interpret(int32_t(a) > int32_t(b) ? node.first : node.second, v))
        return true;
      break;
    case Node::Kind::Loop:
      for (uint32_t count = a & 7; count != 0; --count)
        if (interpret(node.first, v))
          break;
      break;
    }
  }
  return false;
}

TEST(PtxRandomControlFlow, agreesWithAnInterpreter) {
  Patterns patterns(2026);
  for (unsigned round = 0; round != 150; ++round) {
    std::vector<Node> program = Generator(patterns).list(5, 0);
    Printer printer;
    for (unsigned i = 4; i != registers; ++i)
      printer.text += "mad.lo.u32 %r" + std::to_string(i) + ", %thread, " +
                      std::to_string(7 * i) + ", " + std::to_string(i) + ";\n";
    printer.print(program);
    printer.text += "mov.b32 %ro, %r0;\n";
    for (unsigned i = 1; i != registers; ++i)
      printer.text += "mad.lo.u32 %ro, %ro, 31, %r" + std::to_string(i) + ";\n";

    std::vector<Row> rows;
    for (unsigned i = 0; i != 50; ++i)
      rows.push_back({patterns.word(), patterns.word() % 16, patterns.word(),
                      patterns.word() % 8});
    auto out = runRows(printer.text, rows);
    for (uint32_t i = 0; i != rows.size(); ++i) {
      Values values;
      for (uint32_t k = 0; k != registers; ++k)
        values[k] = k < 4 ? static_cast<uint32_t>(rows[i][k]) : i * 7 * k + k;
      interpret(program, values);
      uint32_t expected = values[0];
      for (unsigned k = 1; k != registers; ++k)
        expected = expected * 31 + values[k];
      ASSERT_EQ(out[i], expected) << "round " << round << ", row " << i << "\n"
                                  << printer.text;
    }
  }
}

} // namespace
