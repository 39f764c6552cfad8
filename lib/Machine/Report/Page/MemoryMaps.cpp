// What lies where in a core's memory, over the time of a run.

#include "Html.h"
#include "PageData.h"

#include "gensyn/Executable/mapping.pb.h"

#include <algorithm>
#include <map>
#include <optional>

namespace gensyn::machine::page {

namespace {

/// A value in a core's memory, from the start of the task that writes it to the
/// end of the last one that reads it.
struct Stay {
  uint64_t first, last; ///< bytes, the last one excluded
  int64_t begin, end;
  uint32_t kernel;
};

/// Bytes of the core's own memory that a task accesses.
struct Access {
  uint64_t first, last;
  bool isWrite;
};

/// The address in a core's memory of a location that a task of `owner` names.
std::optional<uint64_t> addressIn(uint32_t core, uint32_t owner,
                                  const mapping::Location &location) {
  if (location.memory_case() == mapping::Location::kLocal && owner == core)
    return location.local() + location.offset();
  if (location.memory_case() == mapping::Location::kCore &&
      location.core() == core)
    return location.offset();
  return std::nullopt;
}

void addCopySide(const mapping::Copy &copy, std::optional<uint64_t> start,
                 bool isWrite, std::vector<Access> &accesses) {
  if (!start)
    return;
  // Rows may follow each other in both directions.
  uint64_t low = *start, high = *start + copy.row_bytes();
  for (const mapping::Copy::Dimension &dimension : copy.dimensions()) {
    const int64_t stride =
        isWrite ? dimension.to_stride() : dimension.from_stride();
    const int64_t all =
        stride *
        static_cast<int64_t>(std::max<uint64_t>(dimension.count(), 1) - 1);
    (all < 0 ? low : high) += static_cast<uint64_t>(all);
  }
  accesses.push_back({low, high, isWrite});
}

/// What a task of `owner` accesses in a core's memory.
std::vector<Access> listAccesses(const mapping::Mapping &mapping,
                                 const mapping::Task &task, uint32_t core,
                                 uint32_t owner) {
  std::vector<Access> accesses;
  auto addressOf = [&](const mapping::Location &location) {
    return addressIn(core, owner, location);
  };
  if (task.has_copy()) {
    const mapping::Copy &copy = task.copy();
    addCopySide(copy, addressOf(copy.from()), false, accesses);
    addCopySide(copy, addressOf(copy.to()), true, accesses);
    for (const mapping::Location &other : copy.others())
      addCopySide(copy, addressOf(other), true, accesses);
    return accesses;
  }
  const mapping::Compute &compute = task.compute();
  const mapping::Body &body = mapping.bodies(static_cast<int>(compute.body()));
  for (int i = 0; i < compute.arguments_size(); ++i)
    if (const std::optional<uint64_t> start = addressOf(compute.arguments(i));
        start && i < body.arguments_size())
      accesses.push_back({*start, *start + body.arguments(i),
                          static_cast<uint32_t>(i) >= body.operands()});
  return accesses;
}

/// Finds the task of each event of a core.
class TaskFinder {
public:
  TaskFinder(const mapping::Mapping &mapping, uint32_t core) {
    for (int i = 0; i < mapping.segments_size(); ++i) {
      const mapping::Segment &segment = mapping.segments(i);
      for (const mapping::Core &own : segment.cores()) {
        if (own.core() != core)
          continue;
        for (uint32_t launch : segment.launches())
          coreOf[launch] = &own;
        for (const mapping::Repetition &repetition : segment.repetitions())
          for (uint32_t launch : repetition.launches())
            coreOf[launch] = &own;
      }
    }
  }

  /// Null for a task that is not in the mapping.
  const mapping::Task *find(const TraceEvent &event) const {
    const auto core = coreOf.find(event.launch);
    const auto number = static_cast<int>(event.number);
    return core == coreOf.end() || number >= core->second->tasks_size()
               ? nullptr
               : &core->second->tasks(number);
  }

private:
  std::map<uint32_t, const mapping::Core *> coreOf;
};

/// Tasks of the core and copies of others into its memory, in the order of
/// their ends.
std::vector<std::pair<TraceEvent, const mapping::Task *>>
findTasks(const PageData &data, uint32_t core) {
  std::vector<std::pair<TraceEvent, const mapping::Task *>> found;
  auto add = [&](uint32_t owner) {
    const TaskFinder finder(data.program.getMapping(), owner);
    for (const TraceEvent &event : data.record->tasksOf(owner))
      if (const mapping::Task *task = finder.find(event))
        found.emplace_back(event, task);
  };
  add(core);
  for (uint32_t other : data.record->getParts().copying)
    if (other != core)
      add(other);
  std::stable_sort(
      found.begin(), found.end(),
      [](const auto &a, const auto &b) { return a.first.end < b.first.end; });
  return found;
}

std::vector<Stay> findStays(const PageData &data, uint32_t core) {
  const mapping::Mapping &mapping = data.program.getMapping();
  std::vector<Stay> done, live;
  for (const auto &[event, task] : findTasks(data, core))
    for (const Access &access :
         listAccesses(mapping, *task, core, event.core)) {
      auto overlaps = [&](const Stay &stay) {
        return stay.first < access.last && access.first < stay.last;
      };
      if (!access.isWrite) {
        for (Stay &stay : live)
          if (overlaps(stay))
            stay.end = std::max(stay.end, event.end);
        continue;
      }
      for (const Stay &stay : live)
        if (overlaps(stay))
          done.push_back(stay);
      std::erase_if(live, overlaps);
      live.push_back({access.first, access.last, event.begin, event.end,
                      data.record->getParts().kernelOfLaunch[event.launch]});
    }
  done.insert(done.end(), live.begin(), live.end());
  return done;
}

constexpr double left = 70, plot = 920, height = 240;

/// Many stays are painted into a grid, whose equal neighbours are one
/// rectangle.
constexpr size_t mostStays = 1500;
constexpr int64_t columns = 240, rows = 64;

std::string drawRectangle(double x, double y, double width, double tall,
                          uint32_t kernel) {
  return "<rect class=\"" + colourOf(kernel) + "\"" + box(x, y, width, tall) +
         " data-k=\"" + std::to_string(kernel) + "\"/>";
}

std::string drawGrid(const std::vector<Stay> &stays, int64_t time,
                     uint64_t size) {
  constexpr uint32_t nothing = ~uint32_t(0);
  std::vector<uint32_t> grid(columns * rows, nothing);
  auto scaled = [](Wide part, Wide whole, int64_t count) {
    return std::min<int64_t>(
        static_cast<int64_t>(part * static_cast<Wide>(count) / whole),
        count - 1);
  };
  for (const Stay &stay : stays) {
    const Wide all = static_cast<Wide>(time);
    const int64_t x1 = scaled(static_cast<Wide>(stay.begin), all, columns);
    const int64_t x2 = scaled(static_cast<Wide>(stay.end), all, columns);
    const int64_t y1 = scaled(stay.first, size, rows);
    const int64_t y2 = scaled(stay.last - 1, size, rows);
    for (int64_t y = y1; y <= y2; ++y)
      for (int64_t x = x1; x <= x2; ++x)
        grid[static_cast<size_t>(y * columns + x)] = stay.kernel;
  }
  std::string shapes;
  constexpr double wide = plot / columns, tall = height / rows;
  for (int64_t y = 0; y < rows; ++y)
    for (int64_t x = 0; x < columns;) {
      const uint32_t kernel = grid[static_cast<size_t>(y * columns + x)];
      int64_t end = x + 1;
      if (kernel == nothing) {
        x = end;
        continue;
      }
      auto isKernel = [&](int64_t row, int64_t from, int64_t to) {
        for (int64_t i = from; i < to; ++i)
          if (grid[static_cast<size_t>(row * columns + i)] != kernel)
            return false;
        return true;
      };
      while (end < columns && isKernel(y, end, end + 1))
        ++end;
      int64_t below = y + 1;
      for (; below < rows && isKernel(below, x, end); ++below)
        std::fill_n(grid.begin() + below * columns + x, end - x, nothing);
      shapes += drawRectangle(left + static_cast<double>(x) * wide,
                              static_cast<double>(y) * tall,
                              static_cast<double>(end - x) * wide,
                              static_cast<double>(below - y) * tall, kernel);
      x = end;
    }
  return shapes;
}

std::string drawMap(const PageData &data, const ChosenCore &chosen) {
  const MemoryKind &memory = data.machine().memoryOf(chosen.core);
  const auto size = static_cast<uint64_t>(
      std::max<int64_t>(memory.size.value - memory.reserved.value, 1));
  const int64_t time = std::max<int64_t>(data.report.time, 1);
  std::vector<Stay> stays = findStays(data, chosen.core);
  std::erase_if(stays, [&](const Stay &stay) {
    return stay.first >= stay.last || stay.last > size;
  });
  std::string shapes;
  if (stays.size() > mostStays)
    shapes = drawGrid(stays, time, size);
  else
    for (const Stay &stay : stays) {
      const double x =
          static_cast<double>(stay.begin) * plot / static_cast<double>(time);
      const double end =
          static_cast<double>(stay.end) * plot / static_cast<double>(time);
      const double y =
          static_cast<double>(stay.first) * height / static_cast<double>(size);
      const double bottom =
          static_cast<double>(stay.last) * height / static_cast<double>(size);
      shapes += drawRectangle(left + x, y, std::max(end - x, 0.4),
                              std::max(bottom - y, 0.4), stay.kernel);
    }
  std::string axes;
  for (int64_t tick : ticks(time, 10)) {
    const double x =
        left + static_cast<double>(tick) * plot / static_cast<double>(time);
    axes += "<path class=\"grid\" d=\"M" + coordinate(x) + " 0V" +
            coordinate(height) + "\"/>" +
            label(x, height + 16, tick ? printTime(tick) : "0", "tick");
  }
  // Powers of two.
  uint64_t step = 1;
  while (size / step > 6)
    step *= 2;
  for (uint64_t address = 0; address <= size; address += step) {
    const double y =
        static_cast<double>(address) * height / static_cast<double>(size);
    axes += "<path class=\"grid\" d=\"M" + coordinate(left) + " " +
            coordinate(y) + "h" + coordinate(plot) + "\"/>" +
            label(left - 6, std::max(y + 4, 9.0), printBytes(address), "name");
  }
  const std::string svg =
      "<svg viewBox=\"0 0 " + coordinate(left + plot + 40) + " " +
      coordinate(height + 24) + "\"><rect class=\"plot\"" +
      box(left, 0, plot, height) + "/>" + axes + shapes + "</svg>";
  return picture(svg,
                 "Core " + std::to_string(chosen.core) + ", " + chosen.why +
                     ": addresses downwards, without what " + memory.name +
                     " reserves. A value stays from the start of the task "
                     "that writes it to the end of the last one that reads it.",
                 Origin::Simulation);
}

} // namespace

std::string makeMemoryMaps(const PageData &data) {
  std::string maps;
  for (const ChosenCore &chosen : data.chosen)
    maps += drawMap(data, chosen);
  return section("memory", "Memory of cores over time", maps);
}

} // namespace gensyn::machine::page
