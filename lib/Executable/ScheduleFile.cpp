// See ScheduleFile.h.

#include "gensyn/Executable/ScheduleFile.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"

namespace gensyn {

using nlohmann::json;

static void requireObject(const json &value, const std::string &where,
                          const std::string &wanted) {
  if (!value.is_object())
    failBadInput(where + "expected an object of " + wanted + ", got " +
                 value.type_name());
}

static ScheduleFields readFields(const json &object, const std::string &where) {
  requireObject(object, where, "sizes and flags");
  ScheduleFields fields;
  for (const auto &[name, value] : object.items()) {
    if (value.is_boolean())
      fields[name] = value.get<bool>();
    // The library reads what is above the range of int64_t as unsigned.
    else if (value.is_number_integer() &&
             (!value.is_number_unsigned() ||
              value.get<uint64_t>() <= uint64_t(INT64_MAX)))
      fields[name] = value.get<int64_t>();
    else
      failBadInput(where + quote(name) +
                   " is neither a size nor a flag: " + printJson(value));
  }
  return fields;
}

static constexpr const char *kListOfSchedules = "the list of schedules";

ScheduleFile parseSchedules(std::string_view text, const std::string &file) {
  const json all = parseJson(text, file, kListOfSchedules);
  requireObject(all, file + ": ", "targets");
  ScheduleFile schedules;
  for (const auto &[target, kernels] : all.items()) {
    requireObject(kernels, file + ": " + quote(target) + ": ", "kernels");
    KernelSchedules &read = schedules[target];
    for (const auto &[kernel, fields] : kernels.items())
      read[kernel] = readFields(fields, file + ": " + quote(kernel) + ": ");
  }
  return schedules;
}

std::string readSchedulesText(const std::filesystem::path &path) {
  constexpr size_t limit = size_t(1) << 24;
  std::string text = readText(path, limit);
  (void)parseSchedules(text, path.string());
  return text;
}

ScheduleFields parseScheduleFields(std::string_view text,
                                   const std::string &file) {
  return readFields(parseJson(text, file, "the schedule"), file + ": ");
}

static OrderedJson toJson(const ScheduleFields &fields) {
  OrderedJson object = OrderedJson::object();
  for (const auto &[name, value] : fields)
    std::visit([&, &key = name](auto known) { object[key] = known; }, value);
  return object;
}

std::string printScheduleFields(const ScheduleFields &fields) {
  return printJson(toJson(fields));
}

std::string printSchedules(const ScheduleFile &schedules) {
  std::string text = "{";
  const char *beforeTarget = "\n";
  for (const auto &[target, kernels] : schedules) {
    text += beforeTarget + printJson(target) + ": {";
    const char *beforeKernel = "\n  ";
    for (const auto &[kernel, fields] : kernels) {
      text +=
          beforeKernel + printJson(kernel) + ": " + printScheduleFields(fields);
      beforeKernel = ",\n  ";
    }
    text += "}";
    beforeTarget = ",\n";
  }
  return text + "}\n";
}

} // namespace gensyn
