// Reads the mapping of an executable; see MappedProgram.h.

#include "gensyn/Machine/MappedProgram.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"

#include <set>
#include <vector>

#include <google/protobuf/arena.h>

#if GOOGLE_PROTOBUF_VERSION < 4022000
#include <google/protobuf/stubs/logging.h>
#endif

namespace gensyn::machine {

/// Shows an edited mapping; its message has one serial form. One that never was
/// in a file has no digest.
static void checkDigest(mapping::Mapping &mapping) {
  if (mapping.digest().empty())
    return;
  // Taken out, as a copy of the rest takes as long as reading it.
  std::string digest;
  digest.swap(*mapping.mutable_digest());
  mapping.clear_digest();
  // Of one arena, so that nothing is copied.
  auto &code = *google::protobuf::Arena::CreateMessage<mapping::Mapping>(
      mapping.GetArena());
  auto swapCode = [&] {
    for (int i = 0; i < mapping.bodies_size(); ++i) {
      mapping::Body &body = *mapping.mutable_bodies(i);
      mapping::Body &other =
          i < code.bodies_size() ? *code.mutable_bodies(i) : *code.add_bodies();
      body.mutable_calls()->Swap(other.mutable_calls());
      body.mutable_workspaces()->Swap(other.mutable_workspaces());
    }
  };
  swapCode();
  const std::string bytes = mapping.SerializeAsString();
  if (hashHex(bytes.data(), bytes.size()) != digest)
    failBadInput("the program is malformed: its mapping does not have its "
                 "digest");
  swapCode();
  mapping.set_digest(std::move(digest));
}

static std::unique_ptr<google::protobuf::Arena> makeArena() {
  google::protobuf::ArenaOptions options;
  options.max_block_size = size_t(1) << 20;
  return std::make_unique<google::protobuf::Arena>(options);
}

MappedProgram::MappedProgram(const plan::Executable &executable)
    : plan(executable.plan()), arena(makeArena()) {
  if (executable.mapping().empty())
    failUnsupported("the program is not mapped to a machine");
  mapping::Mapping *read =
      google::protobuf::Arena::CreateMessage<mapping::Mapping>(arena.get());
#if GOOGLE_PROTOBUF_VERSION < 4022000
  google::protobuf::LogSilencer quiet; // the error is reported once, below
#endif
  if (!read->ParseFromString(executable.mapping()))
    failBadInput("the program is malformed: its mapping does not parse");
  checkDigest(*read);
  machine = std::make_unique<const Description>(
      parseDescription(read->machine(), "the program's machine file"));
  mapping = read;
  listSegments();
}

MappedProgram::MappedProgram(const plan::Plan &plan,
                             const mapping::Mapping &given, Description machine)
    : plan(plan), arena(makeArena()),
      machine(std::make_unique<const Description>(std::move(machine))) {
  auto *copy =
      google::protobuf::Arena::CreateMessage<mapping::Mapping>(arena.get());
  *copy = given;
  mapping = copy;
  listSegments();
}

void MappedProgram::listSegments() {
  for (int i = 0; i < mapping->segments_size(); ++i)
    if (!mapping->segments(i).launches().empty())
      segments[mapping->segments(i).launches(0)] = static_cast<size_t>(i);
}

MappedProgram::~MappedProgram() = default;

Simulator MappedProgram::makeSimulator() const {
  const bool isKnown = isChecked;
  if (!isKnown)
    Simulator::check(*machine, plan, *mapping);
  isChecked = true;
  return {*machine, plan, *mapping, true};
}

std::optional<size_t> MappedProgram::findSegment(int launch) const {
  const auto found = segments.find(static_cast<uint32_t>(launch));
  return found == segments.end() ? std::nullopt : std::optional(found->second);
}

namespace {

/// Runs the launches of a plan's steps and nothing else.
class CountingMachine final : public StepMachine {
public:
  /// Of a run of some launches, each given once.
  CountingMachine(const MappedProgram &program,
                  const std::vector<int> &launches, const Trace &trace = {})
      : program(program), simulator(program.makeSimulator()) {
    simulator.setTrace(trace);
    // Sums of a segment take memory for each core of the machine.
    constexpr size_t mostSegments = 64;
    std::vector<size_t> segments;
    for (int launch : launches)
      if (const auto segment = program.findSegment(launch);
          segment && segments.size() < mostSegments)
        segments.push_back(*segment);
    simulator.startCounting(segments, mostEvents);
  }

  void launch(int number) override {
    // A segment without tasks takes time, too.
    constexpr uint64_t emptySegment = 64;
    const std::optional<size_t> segment = program.findSegment(number);
    events += emptySegment + (segment ? simulator.run(*segment) : 0);
    if (events > mostEvents)
      throw Failure(ExitCode::OutOfResources,
                    "a run of the program has more than " +
                        std::to_string(mostEvents) + " events",
                    "its loops run too often; give them fewer iterations");
  }
  bool flag(uint32_t buffer) override { return true; }
  void copy(uint32_t from, uint32_t to) override {}
  void check(uint32_t ok, uint32_t fault) override {}
  void record(uint32_t fault) override {}
  void setIndex(uint32_t buffer, int64_t value) override {}
  void exchange(uint32_t first, uint32_t second) override {}
  void mergeFaults(int64_t iteration) override {}

  const Statistics &statistics() const { return simulator.statistics(); }

private:
  /// Some minutes.
  static constexpr uint64_t mostEvents = uint64_t(1) << 32;

  const MappedProgram &program;
  Simulator simulator;
  uint64_t events = 0;
};

} // namespace

/// Adds those that steps may run when branches take their first side.
static void
addLaunches(const google::protobuf::RepeatedPtrField<plan::Step> &steps,
            std::set<int> &known, std::vector<int> &launches) {
  for (const plan::Step &step : steps) {
    if (step.has_launch() && known.insert(int(step.launch())).second)
      launches.push_back(int(step.launch()));
    else if (step.has_branch())
      addLaunches(step.branch().then_steps(), known, launches);
    else if (step.has_loop() && step.loop().trips() > 0)
      addLaunches(step.loop().body(), known, launches);
  }
}

/// The launches of a run in the order in which they run first.
static std::vector<int> listLaunches(const plan::Plan &plan, bool prepares) {
  std::set<int> known;
  std::vector<int> launches;
  if (!prepares && !plan.steps().empty()) {
    addLaunches(plan.steps(), known, launches);
    return launches;
  }
  for (int i = 0; i < plan.launches_size(); ++i)
    if (plan.launches(i).prepares() == prepares)
      launches.push_back(i);
  return launches;
}

Statistics simulateRun(const MappedProgram &program, const Trace &trace) {
  CountingMachine machine(program, listLaunches(program.getPlan(), false),
                          trace);
  runSteps(program.getPlan(), machine);
  return machine.statistics();
}

Statistics simulatePreparation(const MappedProgram &program) {
  CountingMachine machine(program, listLaunches(program.getPlan(), true));
  runPreparation(program.getPlan(), machine);
  return machine.statistics();
}

/// The mapping whose tasks are the copies of weights.
static mapping::Mapping makeLoading(const mapping::Mapping &mapping) {
  mapping::Mapping loading;
  loading.set_version(mapping.version());
  *loading.mutable_memory_of_buffer() = mapping.memory_of_buffer();
  *loading.mutable_paths() = mapping.paths();
  *loading.mutable_layouts() = mapping.layouts();
  *loading.mutable_layout_of_buffer() = mapping.layout_of_buffer();
  for (const mapping::Segment &segment : mapping.segments()) {
    mapping::Segment &own = *loading.add_segments();
    *own.mutable_launches() = segment.launches();
    *own.mutable_buffers() = segment.buffers();
    *own.mutable_repetitions() = segment.repetitions();
    for (const mapping::Core &core : segment.cores()) {
      if (core.residents().empty())
        continue;
      mapping::Core &copies = *own.add_cores();
      copies.set_core(core.core());
      for (const mapping::Resident &resident : core.residents()) {
        mapping::Task &task = *copies.add_tasks();
        task.set_launch(resident.launch());
        *task.mutable_copy() = resident.copy();
        task.mutable_copy()->mutable_to()->clear_step();
      }
    }
  }
  return loading;
}

Statistics simulateLoading(const MappedProgram &program) {
  const mapping::Mapping loading = makeLoading(program.getMapping());
  Simulator simulator(program.getMachine(), program.getPlan(), loading);
  for (int i = 0; i < loading.segments_size(); ++i)
    if (!loading.segments(i).cores().empty())
      simulator.run(static_cast<size_t>(i));
  return simulator.statistics();
}

} // namespace gensyn::machine
