// What the sections of a page are made of.

#ifndef GENSYN_LIB_MACHINE_REPORT_PAGE_PAGEDATA_H
#define GENSYN_LIB_MACHINE_REPORT_PAGE_PAGEDATA_H

#include "FloorPlan.h"
#include "RunRecord.h"

#include "gensyn/Machine/MachineNumbers.h"
#include "gensyn/Machine/ReportPage.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::mapping {
class Segment;
} // namespace gensyn::mapping

namespace gensyn::machine::page {

/// A core of which the page shows every task, and why.
struct ChosenCore {
  uint32_t core = 0;
  std::string why;
};

struct PageData {
  PageData(const MappedProgram &program, const PageContent &content);

  const Description &machine() const { return program.getMachine(); }

  const MappedProgram &program;
  const PageContent &content;
  /// Of one run and of what prepares it, in counts.
  Statistics run, preparation;
  RunReport report;
  EnergyEnds ends;
  MappingFacts facts;
  std::vector<MachineNumber> numbers;
  FloorPlan plan;
  std::vector<std::string> groups; ///< of cores
  std::vector<ChosenCore> chosen;
  std::optional<RunRecord> record;
};

/// How often the tasks of a segment that name a launch run: for it, and for the
/// launches that repeat it.
std::map<uint32_t, uint64_t> countRuns(const mapping::Segment &segment,
                                       const Statistics &statistics);

/// "k4_contract and 2 more"
std::string nameOf(const KernelReport &kernel);
/// A CSS class for a kernel's colour.
std::string colourOf(size_t kernel);

// The sections.
std::string makeSummary(const PageData &data);
std::string makeFloorPlan(const PageData &data);
std::string makeTimelines(const PageData &data);
std::string makeMemoryMaps(const PageData &data);
std::string makeRoofline(const PageData &data);
std::string makeEnergy(const PageData &data);
std::string makeKernels(const PageData &data);
std::string makeReasons(const PageData &data);
std::string makeDecisions(const PageData &data);
std::string makeSensitivity(const PageData &data);
/// For a mapping, or without a digest for several.
std::string makeSources(const Description &machine,
                        const std::vector<MachineNumber> &numbers,
                        const std::string &digest);

/// Styles and scripts, which are part of the page.
extern const char *const styleSheet, *const script;

/// A whole document. `body` has the sections, `data` is for the script.
std::string makeDocument(const std::string &title, const std::string &body,
                         const OrderedJson &data);

} // namespace gensyn::machine::page

#endif
