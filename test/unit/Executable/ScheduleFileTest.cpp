// Files of schedules: what is read and printed, and what is refused.

#include "gensyn/Executable/ScheduleFile.h"

#include "gensyn/Executable/Support/Failure.h"

#include <gtest/gtest.h>

namespace gensyn {
namespace {

std::string errorOf(const std::string &text) {
  try {
    parseSchedules(text, "s.json");
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code, ExitCode::BadInput);
    return failure.what();
  }
  return "";
}

TEST(ScheduleFile, SizesAndFlagsAreReadAndPrinted) {
  const std::string text = "{\n\"cpu:x86-64-v4\": {\n"
                           "  \"contract_0\": {\"kc\":256,\"pack_b\":false},\n"
                           "  \"contract_1\": {}},\n"
                           "\"ptx:sm_90\": {}}\n";
  const ScheduleFile schedules = parseSchedules(text, "s.json");
  const KernelSchedules &cpu = schedules.at("cpu:x86-64-v4");
  EXPECT_EQ(std::get<int64_t>(cpu.at("contract_0").at("kc")), 256);
  EXPECT_EQ(std::get<bool>(cpu.at("contract_0").at("pack_b")), false);
  EXPECT_TRUE(cpu.at("contract_1").empty());
  EXPECT_TRUE(schedules.at("ptx:sm_90").empty());
  EXPECT_EQ(printSchedules(schedules), text);
}

TEST(ScheduleFile, FieldsOfOneScheduleAreRead) {
  const ScheduleFields fields =
      parseScheduleFields(R"({"bm": 64, "split": true})", "fields");
  EXPECT_EQ(printScheduleFields(fields), R"({"bm":64,"split":true})");
}

TEST(ScheduleFile, OtherTextsAreRefused) {
  EXPECT_EQ(errorOf("[]"), "s.json: expected an object of targets, got array");
  EXPECT_EQ(errorOf(R"({"cpu": 1})"),
            "s.json: 'cpu': expected an object of kernels, got number");
  EXPECT_EQ(errorOf(R"({"cpu": {"k": []}})"),
            "s.json: 'k': expected an object of sizes and flags, got array");
  EXPECT_EQ(errorOf(R"({"cpu": {"k": {"kc": "256"}}})"),
            "s.json: 'k': 'kc' is neither a size nor a flag: \"256\"");
  EXPECT_EQ(errorOf(R"({"cpu": {"k": {"kc": 1.5}}})"),
            "s.json: 'k': 'kc' is neither a size nor a flag: 1.5");
  EXPECT_EQ(
      errorOf(R"({"cpu": {"k": {"kc": 9223372036854775808}}})"),
      "s.json: 'k': 'kc' is neither a size nor a flag: 9223372036854775808");
  EXPECT_NE(errorOf("{").find("s.json: the list of schedules is not JSON"),
            std::string::npos);
}

} // namespace
} // namespace gensyn
