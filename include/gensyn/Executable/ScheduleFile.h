// Schedules of kernels in a file (--schedules).
#ifndef GENSYN_EXECUTABLE_SCHEDULEFILE_H
#define GENSYN_EXECUTABLE_SCHEDULEFILE_H

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace gensyn {

/// Sizes and flags of a schedule, by name; empty: those of the compiler.
using ScheduleFields = std::map<std::string, std::variant<int64_t, bool>>;

/// Schedules by the kernels that they are for, which are named after what they
/// compute: "contract_0123456789ab".
using KernelSchedules = std::map<std::string, ScheduleFields>;

/// Those of each target of the compiler: "cpu:x86-64-v4", "ptx:sm_90".
using ScheduleFile = std::map<std::string, KernelSchedules>;

/// Reads a JSON object: {"cpu:x86-64-v4": {"contract_0123456789ab": {"kc": 256,
/// "pack_b": false}}}. Throws a Failure (bad input) that begins with `file`.
ScheduleFile parseSchedules(std::string_view text, const std::string &file);

/// Returns the text of such a file. Throws a Failure if it is not one.
std::string readSchedulesText(const std::filesystem::path &path);

/// Reads the fields of one schedule.
ScheduleFields parseScheduleFields(std::string_view text,
                                   const std::string &file);

/// Prints what parseSchedules reads, a kernel a line.
std::string printSchedules(const ScheduleFile &schedules);

/// "{"kc":256,"pack_b":false}".
std::string printScheduleFields(const ScheduleFields &fields);

} // namespace gensyn

#endif
