// Where the figures of a page come from: how they are made, and the numbers of
// the machine file.

#include "Html.h"
#include "PageData.h"

namespace gensyn::machine::page {

namespace {

bool isEnergy(const MachineNumber &number) {
  const Unit unit = number.quantity.unit;
  return unit == Unit::Femtojoules || unit == Unit::FemtojoulesPerByte ||
         unit == Unit::Nanowatts;
}

/// Sizes of memories and widths of accumulators.
bool isBound(const MachineNumber &number) {
  return number.quantity.unit == Unit::Bits || number.path.ends_with(".size") ||
         number.path.ends_with(".reserved");
}

enum class Uses : uint8_t { Times, Energies, Bounds };

/// Links to the numbers that a figure is made of.
std::string listNumbers(const std::vector<MachineNumber> &numbers, Uses uses) {
  std::string list;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const MachineNumber &number = numbers[i];
    const Uses own = isEnergy(number)  ? Uses::Energies
                     : isBound(number) ? Uses::Bounds
                                       : Uses::Times;
    if (own == uses)
      list += (list.empty() ? "" : ", ") + figureOf(number.path, idOfNumber(i));
  }
  return list;
}

std::string describe(Origin origin, std::string_view name,
                     std::string_view meaning, const std::string &numbers) {
  return "<tr id=\"" + idOf(origin) + "\">" + cell(name) + "<td>" +
         escape(meaning) +
         (numbers.empty() ? ""
                          : " <details><summary>numbers of the machine "
                            "file</summary>" +
                                numbers + "</details>") +
         "</td></tr>\n";
}

} // namespace

std::string makeSources(const Description &machine,
                        const std::vector<MachineNumber> &numbers,
                        const std::string &digest) {
  const std::string times = listNumbers(numbers, Uses::Times),
                    energies = listNumbers(numbers, Uses::Energies),
                    bounds = listNumbers(numbers, Uses::Bounds);
  std::string methods;
  if (!digest.empty())
    methods =
        describe(Origin::Mapping, "mapping",
                 "Counted in the mapping, whose digest is " + digest +
                     "; memory by addresses, against sizes "
                     "and what is reserved.",
                 bounds) +
        describe(Origin::Simulation, "simulation",
                 "Discrete events of one run, in integer picoseconds: times of "
                 "work, of copies, and of waiting for ports and links.",
                 times) +
        describe(Origin::Energy, "energy",
                 "What the simulation counted, times the energies of the file; "
                 "standby is the time of the run times all powers.",
                 energies) +
        describe(Origin::Estimate, "estimate",
                 "The same without packets, in closed form: times and energies "
                 "of a run at other values of one number.",
                 "") +
        describe(
            Origin::Roofline, "roofline",
            "Operations are counted in the pieces of a kernel, two for each "
            "point of a sum of products and one for other arithmetic; bytes "
            "and times are those of the simulation. The peak is that of all "
            "cores' fastest units, the slopes are bandwidths of shared "
            "memories.",
            "");
  methods +=
      describe(Origin::Remapping, "mapping again",
               "The model mapped in another way or for other numbers, and that "
               "mapping estimated in closed form: times and energies of a run "
               "without its packets.",
               digest.empty() ? times + ", " + energies + ", " + bounds : "");
  std::string rows;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const MachineNumber &number = numbers[i];
    const Source &source = machine.sources[number.quantity.source];
    const Quantity &quantity = number.quantity;
    rows += "<tr id=\"" + idOfNumber(i) + "\">" + cell(number.path) +
            "<td class=\"v\">" +
            escape(printQuantity(quantity.value, quantity.unit)) + "</td>";
    const bool isExact = quantity.low == quantity.high;
    for (int64_t end : {quantity.low, quantity.high})
      rows += "<td class=\"v\">" +
              (isExact ? "" : escape(printQuantity(end, quantity.unit))) +
              "</td>";
    rows += "<td class=\"kind\">" + escape(machine::nameOf(source.kind)) +
            "</td><td>" + escape(source.title) +
            (source.where.empty()
                 ? ""
                 : "<br><small>" + escape(source.where) + "</small>") +
            "</td></tr>\n";
  }
  return section(
      "sources", "Sources",
      "<h3>How figures are made</h3><div class=\"wide\"><table>" + methods +
          "</table></div>\n<h3>The machine file</h3><div "
          "class=\"wide\"><table>" +
          headRow({"number", "#value", "#low", "#high", "kind", "source"}) +
          rows + "</table></div>\n");
}

} // namespace gensyn::machine::page
