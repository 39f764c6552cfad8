// ptxas, played by shell scripts: `ptxas -arch=sm_90 -o FILE FILE`.

#include "gensyn/Runtime/Compiler/Assembler.h"
#include "../../Executable/TestFiles.h"
#include "gensyn/Executable/plan.pb.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

/// Writes a file that the simulated driver accepts as machine code.
const char *const kAssembles =
    "printf '\\177ELF simulated %s\\n' \"${1#-arch=}\" > \"$3\"\n"
    "cat \"$4\" >> \"$3\"";

class AssemblerTest : public testing::Test {
protected:
  AssemblerTest() { std::filesystem::create_directory(folder / "tmp"); }

  std::filesystem::path script(const std::string &text) {
    const auto path = folder / "ptxas";
    writeFile(path, "#!/bin/sh\n" + text + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  /// The failure of a ptxas that does this.
  std::string failureOfScript(const std::string &text) {
    const Assembler assembler(script(text));
    return failureOf([&] { assembler.assemble("text", "sm_90"); });
  }

  ScratchFolder folder;
  Setting temporary{"TMPDIR", (folder / "tmp").string()};
  const std::string refused = "4: " + (folder / "ptxas").string() +
                              " makes no machine code for sm_90: ";
};

} // namespace

TEST_F(AssemblerTest, assemblesEachText) {
  plan::Executable executable;
  for (const char *target : {"x86-64", "sm_80"}) {
    plan::Code *code = executable.add_code();
    code->set_target(target);
    code->set_data(std::string("text for ") + target);
  }
  EXPECT_TRUE(listMachineCode(executable).empty());
  Assembler(script(kAssembles)).addMachineCode(executable);
  ASSERT_EQ(executable.code_size(), 3);
  EXPECT_EQ(executable.code(1).data(), "text for sm_80");
  EXPECT_EQ(executable.code(2).target(), "sm_80");
  EXPECT_EQ(executable.code(2).data(), "\x7f"
                                       "ELF simulated sm_80\ntext for sm_80");
  EXPECT_EQ(listMachineCode(executable), std::vector<std::string>{"sm_80"});
  // No file is left.
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
}

TEST_F(AssemblerTest, saysWhatPtxasSays) {
  EXPECT_EQ(failureOfScript("echo 'ptxas warning : old'\n"
                            "echo 'ptxas fatal   : Value is not defined' >&2\n"
                            "exit 255"),
            refused + "'ptxas fatal   : Value is not defined'");
  EXPECT_EQ(failureOfScript("echo \"ptxas $4, line 7; error   : no\"; exit 1"),
            refused + "'ptxas program.ptx, line 7; error   : no'");
  EXPECT_EQ(failureOfScript("echo no licence; exit 1"),
            refused + "'no licence'");
  EXPECT_EQ(failureOfScript("exit 3"), refused + "it exits with 3");
  EXPECT_EQ(failureOfScript("kill -9 $$"),
            refused + "it was ended by signal 9");
  EXPECT_EQ(failureOfScript("exit 0"),
            refused + "its output is not an ELF file");
  EXPECT_EQ(failureOfScript("echo text > \"$3\""),
            refused + "its output is not an ELF file");
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
}

TEST_F(AssemblerTest, isLookedForInPath) {
  const std::string ptxas = script(kAssembles).string();
  {
    Setting path("PATH", "/nowhere::" + folder.folder.string());
    // A script needs a PATH of its own.
    const Assembler assembler("");
    Setting inner("PATH", "/usr/bin:/bin");
    EXPECT_EQ(assembler.assemble("text", "sm_75").substr(0, 4), "\x7f"
                                                                "ELF");
  }
  Setting path("PATH", (folder / "tmp").string());
  EXPECT_EQ(failureOf([] { Assembler(""); }),
            "4: --assemble needs ptxas of the CUDA toolkit, and none is in "
            "PATH");
}

TEST_F(AssemblerTest, whatCannotBeRun) {
  const std::string text = (folder / "text").string();
  for (const std::string &path : {text, folder.folder.string()})
    EXPECT_EQ(failureOf([&] { Assembler assembler(path); }),
              "5: --ptxas " + path + ": not an executable file");
  writeFile(text, "no program");
  EXPECT_NE(failureOf([&] { Assembler assembler(text); }), "");
  std::filesystem::permissions(text, std::filesystem::perms::owner_all);
  EXPECT_EQ(failureOf([&] { Assembler(text).assemble("", "sm_90"); }),
            "5: " + text + ": cannot be run: Exec format error");
  Setting other("TMPDIR", text);
  EXPECT_EQ(failureOf([&] { Assembler(text).assemble("", "sm_90"); })[0], '5');
}
