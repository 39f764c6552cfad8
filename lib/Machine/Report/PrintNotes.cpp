// What the compiler noted about kernels, as sentences; see Report.h.

#include "gensyn/Machine/Report.h"

#include "gensyn/Executable/Support/Nouns.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <bit>
#include <map>

namespace gensyn::machine {

namespace {

using mapping::Note;

std::string counted(uint64_t number, const std::string &noun) {
  return std::to_string(number) + " " +
         nounFor(static_cast<int64_t>(number), noun);
}

/// An order whose blocks would keep the cores busy; empty if there is none.
std::string suggestOrder(const Note &note, const Note::Dimension &sum) {
  // Smaller blocks cost more joins than they save.
  constexpr uint64_t smallestBlock = 32;
  const auto extent = static_cast<uint64_t>(std::max<int64_t>(sum.extent(), 1));
  const uint64_t wanted =
      std::max<uint64_t>(note.cores() / std::max(note.parts(), 1u), 2);
  const uint64_t block =
      std::max(smallestBlock, std::bit_ceil((extent - 1) / wanted + 1));
  const uint64_t parts = (extent - 1) / block + 1;
  if (parts < 2)
    return "";
  return " blocked<" + std::to_string(block) +
         ", sequential, sequential> would give " + counted(parts, "part") +
         "; that is another program with another digest.";
}

std::string describeSum(const Note &note, const Note::Dimension &sum) {
  std::string text = " Its reduction of " +
                     counted(static_cast<uint64_t>(sum.extent()), "point");
  if (!sum.order().empty())
    text += ", " + sum.order() + ",";
  const std::string most = counted(static_cast<uint64_t>(sum.most()), "part");
  if (sum.split() == "chain")
    return text + " is a chain: each part would wait for the one before it." +
           suggestOrder(note, sum);
  if (sum.split() == "none")
    return text + " cannot be cut.";
  return text + " may be cut into " + most +
         ", whose join costs more than it saves by the estimate.";
}

std::string describeParts(const Note &note) {
  std::string text = counted(note.parts(), "part") + " for " +
                     counted(note.cores(), "core") + ".";
  uint64_t most = 1;
  std::string rest;
  for (const Note::Dimension &dimension : note.dimensions()) {
    if (dimension.is_reduced()) {
      rest += describeSum(note, dimension);
    } else if (dimension.split() == "free") {
      const auto extent =
          static_cast<uint64_t>(std::max<int64_t>(dimension.most(), 1));
      most = most > note.cores()
                 ? most
                 : most * std::min<uint64_t>(extent, uint64_t(1) << 32);
    } else if (dimension.extent() > 1) {
      rest += " Its dimension of " + std::to_string(dimension.extent()) +
              (dimension.split() == "chain"
                   ? " goes on from element to element: each part would wait "
                     "for the one before it."
                   : " cannot be cut: its elements depend on each other.");
    }
  }
  if (most >= note.cores())
    return text + " More parts of its result would not be faster by the "
                  "estimate.";
  return text + " Its result has no more than " + std::to_string(most) + "." +
         rest;
}

std::string describeOperand(const Note::Operand &operand) {
  return std::string(operand.is_result() ? "result " : "operand ") +
         std::to_string(operand.number()) + " of " +
         printBytes(operand.bytes()) +
         " is accessed where it lies, element by element: the smallest piece "
         "does not fit into a core's memory with it.";
}

std::map<uint32_t, const Note *> listNotes(const MappedProgram &program) {
  std::map<uint32_t, const Note *> notes;
  for (const Note &note : program.getMapping().notes())
    notes[note.launch()] = &note;
  return notes;
}

} // namespace

std::string printNotes(const MappedProgram &program, const RunReport &report) {
  constexpr size_t mostKernels = 8;
  const std::map<uint32_t, const Note *> notes = listNotes(program);
  std::string text;
  size_t described = 0, others = 0;
  for (const KernelReport &kernel : report.kernels) {
    const auto found = notes.find(kernel.launches.front());
    if (found == notes.end())
      continue;
    const Note &note = *found->second;
    // Few cores more, or a kernel without a share, would not matter.
    const bool isSmall =
        kernel.sums.path.total() &&
        uint64_t(note.parts()) * 4 <= uint64_t(note.cores()) * 3;
    if (!isSmall && note.in_place().empty())
      continue;
    if (described == mostKernels) {
      ++others;
      continue;
    }
    ++described;
    for (const Note::Operand &operand : note.in_place())
      text += "  " + kernel.kernel + ": " + describeOperand(operand) + "\n";
    if (isSmall)
      text += "  " + kernel.kernel + ": " + describeParts(note) + "\n";
  }
  if (others)
    text += "  and notes on " + counted(others, "faster kernel") + "\n";
  return text.empty() ? text : "What was not done\n" + text;
}

OrderedJson notesToJson(const MappedProgram &program) {
  OrderedJson list = OrderedJson::array();
  for (const Note &note : program.getMapping().notes()) {
    OrderedJson dimensions = OrderedJson::array(),
                inPlace = OrderedJson::array();
    for (const Note::Dimension &dimension : note.dimensions())
      dimensions.push_back({{"extent", dimension.extent()},
                            {"parts", dimension.parts()},
                            {"most", dimension.most()},
                            {"split", dimension.split()},
                            {"is_reduced", dimension.is_reduced()},
                            {"order", dimension.order()}});
    for (const Note::Operand &operand : note.in_place())
      inPlace.push_back({{"number", operand.number()},
                         {"is_result", operand.is_result()},
                         {"bytes", operand.bytes()}});
    list.push_back({{"launch", note.launch()},
                    {"parts", note.parts()},
                    {"cores", note.cores()},
                    {"dimensions", dimensions},
                    {"in_place", inPlace}});
  }
  return list;
}

} // namespace gensyn::machine
