// The floor plan of the machine: cores by how busy they are, memories, links by
// their traffic.

#include "Html.h"
#include "PageData.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gensyn::machine::page {

namespace {

/// Traffic between two places, in both directions.
struct Connection {
  uint64_t bytes[2] = {0, 0};
  int64_t busy = 0; ///< of the busiest link
  bool isDead = true;
  uint32_t from = 0, to = 0; ///< nodes
};

std::string drawLinks(const PageData &data) {
  const Network &network = data.machine().network;
  const FloorPlan &plan = data.plan;
  const bool isByChip = plan.level == FloorPlan::Level::Chip;
  auto placeOf = [&](uint32_t node) {
    return isByChip ? plan.chipOfNode[node] : node;
  };
  std::map<std::pair<uint32_t, uint32_t>, Connection> connections;
  for (size_t i = 0; i < network.links.size(); ++i) {
    const Link &link = network.links[i];
    const uint32_t from = placeOf(link.from), to = placeOf(link.to);
    if (from == to)
      continue;
    Connection &connection = connections[std::minmax(from, to)];
    connection.isDead &= link.isDead;
    connection.from = std::min(link.from, link.to);
    connection.to = std::max(link.from, link.to);
    connection.bytes[from > to] += data.run.linkBytes[i];
    connection.busy = std::max(connection.busy, data.run.linkBusy[i]);
  }
  uint64_t most = 1;
  for (const auto &[ends, connection] : connections)
    most = std::max(most, connection.bytes[0] + connection.bytes[1]);
  // All without traffic are one path.
  std::string quiet, dead, used;
  for (const auto &[ends, connection] : connections) {
    const auto &[x1, y1] = plan.nodes[connection.from];
    const auto &[x2, y2] = plan.nodes[connection.to];
    const std::string line = "M" + coordinate(x1) + " " + coordinate(y1) + "L" +
                             coordinate(x2) + " " + coordinate(y2);
    const uint64_t bytes = connection.bytes[0] + connection.bytes[1];
    if (connection.isDead) {
      dead += line;
      continue;
    }
    if (!bytes) {
      quiet += line;
      continue;
    }
    const double share = static_cast<double>(bytes) / static_cast<double>(most);
    // Links over half a machine would hide what is below them.
    const bool isLong = std::hypot(x2 - x1, y2 - y1) > 3 * data.plan.unit;
    const double widest =
        isLong ? 1.5 : std::clamp(data.plan.unit * 0.12, 2.0, 9.0);
    const std::string noun = isByChip ? "chip " : "node ";
    used += "<path d=\"" + line + "\" stroke-width=\"" +
            coordinate(std::max(0.5, std::sqrt(share) * widest)) +
            "\" data-t=\"" + noun + std::to_string(ends.first) + " to " +
            std::to_string(ends.second) + ": " +
            printBytes(connection.bytes[0]) + ", back " +
            printBytes(connection.bytes[1]) + ", busy " +
            printPercent(static_cast<Wide>(connection.busy),
                         static_cast<Wide>(data.run.time)) +
            "\"/>";
  }
  return "<path class=\"quiet\" d=\"" + quiet +
         "\"/><path class=\"deadlink\" "
         "d=\"" +
         dead + "\"/><g class=\"links\">" + used + "</g>";
}

std::string drawCells(const PageData &data) {
  const Description &machine = data.machine();
  const FloorPlan &plan = data.plan;
  // Thousandths of the time in which cores compute.
  std::vector<uint64_t> shares;
  for (const Cell &cell : plan.cells) {
    Wide busy = 0;
    for (uint32_t core : cell.cores)
      busy += static_cast<Wide>(data.run.cores[core].compute.busy);
    const Wide all =
        static_cast<Wide>(data.run.time) * std::max<Wide>(cell.cores.size(), 1);
    shares.push_back(all ? static_cast<uint64_t>(busy * 1000 / all) : 0);
  }
  const uint64_t most = *std::max_element(shares.begin(), shares.end());
  constexpr uint64_t steps = 9;
  auto stepOf = [](uint64_t value, uint64_t whole) {
    return std::min(value * steps / std::max<uint64_t>(whole, 1), steps - 1);
  };
  std::string cells, labels;
  for (size_t i = 0; i < plan.cells.size(); ++i) {
    const Cell &cell = plan.cells[i];
    if (cell.cores.empty())
      continue;
    // The script colours it by other amounts.
    cells += "<rect" + box(cell.x, cell.y, cell.width, cell.height) +
             " data-c=\"" + std::to_string(i) + "\"" +
             (cell.isDead ? " class=\"dead\"/>"
              : shares[i] ? " class=\"q" +
                                std::to_string(stepOf(shares[i], most)) + "\"/>"
                          : "/>");
    constexpr double wideEnough = 24, roomy = 56;
    if (plan.level != FloorPlan::Level::Core || cell.width < wideEnough)
      continue;
    const double middle = cell.x + cell.width / 2;
    const uint32_t core = cell.cores.front();
    const std::string own = " data-l=\"" + std::to_string(i) + "\"";
    const bool hasRoom = cell.width >= roomy;
    labels += label(middle, cell.y + cell.height / 2 + (hasRoom ? -2 : 4),
                    std::to_string(core), "onCell", own);
    if (hasRoom)
      labels += shortLabel(middle, cell.y + cell.height / 2 + 13,
                           machine.kindOf(core).name, 9, "onCell", own);
  }
  return "<g id=\"cells\">" + cells + "</g>" + labels;
}

std::string drawMemories(const PageData &data) {
  const Description &machine = data.machine();
  const FloorPlan &plan = data.plan;
  if (plan.level == FloorPlan::Level::Chip)
    return "";
  // Several memories may be at one node.
  std::map<uint32_t, std::vector<uint32_t>> memoriesOf;
  for (uint32_t memory : machine.sharedMemories())
    for (uint32_t node : machine.memories[memory].nodes)
      memoriesOf[node].push_back(memory);
  std::string text;
  for (const auto &[node, memories] : memoriesOf) {
    const auto &[x, y] = plan.nodes[node];
    std::string names;
    for (uint32_t memory : memories)
      names += (names.empty() ? "" : ", ") + machine.memories[memory].name +
               ": " + printBytes(data.run.memoryBytes[memory]) +
               " moved, busy " +
               printPercent(static_cast<Wide>(data.run.memoryBusy[memory]),
                            static_cast<Wide>(data.run.time));
    const std::string tip = " data-t=\"" + escape(names) + "\"";
    if (plan.hasCores[node]) {
      // A port: a diamond at the corner of the node.
      const double size = std::clamp(plan.unit * 0.1, 1.5, 8.0);
      text += "<path class=\"port\" d=\"M" + coordinate(x - plan.unit * 0.43) +
              " " + coordinate(y - plan.unit * 0.43 - size) + "l" +
              coordinate(size) + " " + coordinate(size) + "l" +
              coordinate(-size) + " " + coordinate(size) + "l" +
              coordinate(-size) + " " + coordinate(-size) + "z\"" + tip + "/>";
      continue;
    }
    const double size = plan.unit * 0.8;
    text += "<rect class=\"memory\" rx=\"" +
            coordinate(std::min(4.0, size * 0.15)) + "\"" +
            box(x - size / 2, y - size / 2, size, size) + tip + "/>";
    constexpr double wideEnough = 30;
    if (plan.unit < wideEnough)
      continue;
    const auto most = static_cast<size_t>(std::max(size / 7.5, 3.0));
    text += shortLabel(x, y, machine.memories[memories.front()].name, most,
                       "onMemory");
    if (size >= 56)
      text += label(
          x, y + 15,
          printPercent(static_cast<Wide>(data.run.memoryBusy[memories[0]]),
                       static_cast<Wide>(data.run.time)),
          "onMemory small");
  }
  return text;
}

} // namespace

std::string makeFloorPlan(const PageData &data) {
  const FloorPlan &plan = data.plan;
  const char *noun = plan.level == FloorPlan::Level::Core   ? "core"
                     : plan.level == FloorPlan::Level::Node ? "node"
                                                            : "chip";
  std::string controls = "<p class=\"controls\" id=\"metrics\">colour by ";
  for (const auto &[value, name] :
       {std::pair("busy", "computing"), std::pair("copy", "copying"),
        std::pair("fill", "memory fill"), std::pair("energy", "energy"),
        std::pair("bytes", "bytes copied")})
    controls += std::string("<label><input type=\"radio\" name=\"metric\" "
                            "value=\"") +
                value + "\"" +
                (value == std::string("busy") ? " checked" : "") + "> " + name +
                "</label> ";
  controls += "<span class=\"legend\" id=\"legend\"></span></p>\n";
  // Room for what is at the edge.
  constexpr double margin = 6;
  const std::string svg =
      "<svg viewBox=\"" + coordinate(-margin) + " " + coordinate(-margin) +
      " " + coordinate(plan.width + 2 * margin) + " " +
      coordinate(plan.height + 2 * margin) +
      "\" style=\"max-width:" + coordinate(plan.width + 2 * margin) +
      "px\"><defs><pattern id=\"hatch\" width=\"5\" height=\"5\" "
      "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path "
      "d=\"M0 0v5\" class=\"hatch\"/></pattern></defs>" +
      drawLinks(data) + drawCells(data) + drawMemories(data) + "</svg>";
  const std::string caption =
      std::string("Each square is a ") + noun +
      ", hatched if it is dead; a line is a link, as wide as its traffic; "
      "boxes and diamonds are ports of shared memories. A click on a " +
      noun + " lists its kernels.";
  return section("floorplan", "Floor plan",
                 controls + "<div class=\"beside\" style=\"--plan:" +
                     coordinate(std::max(plan.width + 2 * margin, 420.0)) +
                     "px\">" + picture(svg, caption, Origin::Simulation) +
                     "<div id=\"kernelsOf\" class=\"panel\">Click on a " +
                     noun + ".</div></div>\n");
}

} // namespace gensyn::machine::page
