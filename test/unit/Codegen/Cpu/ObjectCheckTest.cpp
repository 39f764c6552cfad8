// Objects out of the kernel cache: what a kernel's object has, and nothing
// else.

#include "ObjectCheck.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/ObjectYAML/yaml2obj.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <cstddef>

using namespace llvm;

namespace {

/// A kernel of eight bytes with a constant that it refers to.
constexpr StringRef kernel = R"(
--- !ELF
FileHeader: {Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64}
Sections:
  - {Name: .text, Type: SHT_PROGBITS, Flags: [SHF_ALLOC, SHF_EXECINSTR], Content: "0000000000000000"}
  - {Name: .rodata, Type: SHT_PROGBITS, Flags: [SHF_ALLOC], Content: "00000000"}
  - Name: .rela.text
    Type: SHT_RELA
    Info: .text
    Link: .symtab
    Relocations: [{Offset: 0x4, Symbol: constant, Type: R_X86_64_PC32}]
Symbols:
  - {Name: constant, Section: .rodata}
  - {Name: map_1, Section: .text, Binding: STB_GLOBAL, Type: STT_FUNC, Size: 8}
)";

std::string objectOf(StringRef text) {
  std::string bytes;
  raw_string_ostream stream(bytes);
  yaml::Input input(text);
  const bool isMade =
      yaml::convertYAML(input, stream, [](const Twine &problem) {
        ADD_FAILURE() << problem.str();
      });
  EXPECT_TRUE(isMade);
  return bytes;
}

bool isKernel(StringRef bytes, StringRef name, StringRef target = "x86-64-v3") {
  return gensyn::cpu::isKernelObject(bytes, name,
                                     *gensyn::machine::findCpu(target));
}

/// True if the kernel is one with each `from` replaced.
bool isOneWith(StringRef from, StringRef to) {
  EXPECT_TRUE(kernel.contains(from)) << from.str();
  std::string text = kernel.str();
  text.replace(text.find(from), from.size(), to);
  return isKernel(objectOf(text), "map");
}

/// Returns the offset of a section of that type in the object.
size_t offsetOf(const std::string &object, uint32_t type) {
  auto file = cantFail(object::ELFFile<object::ELF64LE>::create(object));
  for (const auto &section : cantFail(file.sections()))
    if (section.sh_type == type)
      return section.sh_offset;
  return std::string::npos;
}

TEST(ObjectCheck, AKernelIsItsName) {
  const std::string object = objectOf(kernel);
  EXPECT_TRUE(isKernel(object, "map"));
  EXPECT_TRUE(isKernel(object, "map_1"));
  EXPECT_FALSE(isKernel(object, "ma"));
  EXPECT_FALSE(isKernel(object, "contract"));
}

TEST(ObjectCheck, OnlyRelocatableObjectsOfTheProcessor) {
  EXPECT_FALSE(isOneWith("ET_REL", "ET_DYN"));
  std::string other = objectOf(kernel);
  other[offsetof(ELF::Elf64_Ehdr, e_machine)] = char(ELF::EM_386);
  EXPECT_FALSE(isKernel(other, "map"));
  EXPECT_FALSE(isOneWith("ELFCLASS64", "ELFCLASS32"));
  EXPECT_FALSE(isKernel("", "map"));
  EXPECT_FALSE(isKernel("\x7f"
                        "ELF\2\1\1",
                        "map"));
}

/// Each architecture has relocations of its own.
TEST(ObjectCheck, ObjectsOfTheTarget) {
  const std::string x86 = objectOf(kernel);
  EXPECT_FALSE(isKernel(x86, "map", "aarch64"));
  std::string text = kernel.str();
  auto replace = [&](StringRef from, StringRef to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("EM_X86_64", "EM_AARCH64");
  replace("R_X86_64_PC32", "R_AARCH64_ADR_PREL_PG_HI21");
  EXPECT_TRUE(isKernel(objectOf(text), "map", "aarch64"));
  EXPECT_TRUE(isKernel(objectOf(text), "map", "aarch64+sve256"));
  EXPECT_FALSE(isKernel(objectOf(text), "map", "x86-64"));
  replace("R_AARCH64_ADR_PREL_PG_HI21", "R_AARCH64_ABS64");
  EXPECT_FALSE(isKernel(objectOf(text), "map", "aarch64"));
}

TEST(ObjectCheck, SectionsOfCodeAndConstants) {
  EXPECT_FALSE(
      isOneWith(".rodata, Type: SHT_PROGBITS", ".rodata, Type: SHT_NOTE"));
  EXPECT_FALSE(isOneWith("[SHF_ALLOC]", "[SHF_ALLOC, SHF_TLS]"));
  EXPECT_FALSE(isOneWith("[SHF_ALLOC],", "[SHF_ALLOC], AddressAlign: 8192,"));
}

TEST(ObjectCheck, WhatIsMergedIsInTheFile) {
  const StringRef plain =
      "Type: SHT_PROGBITS, Flags: [SHF_ALLOC], Content: \"00000000\"";
  auto isMerged = [&](StringRef type, StringRef rest) {
    return isOneWith(
        plain,
        ("Type: " + type + ", Flags: [SHF_ALLOC, SHF_MERGE], " + rest).str());
  };
  EXPECT_TRUE(isMerged("SHT_PROGBITS", "EntSize: 4, Size: 4"));
  EXPECT_FALSE(isMerged("SHT_PROGBITS", "EntSize: 3, Size: 4"));
  EXPECT_FALSE(isMerged("SHT_PROGBITS", "Size: 4"));
  EXPECT_FALSE(isMerged("SHT_NOBITS", "EntSize: 4, Size: 4"));
  EXPECT_TRUE(
      isOneWith(plain, "Type: SHT_NOBITS, Flags: [SHF_ALLOC], Size: 4"));
  EXPECT_FALSE(
      isOneWith("Link: .symtab", "Link: .symtab\n    Flags: [SHF_ALLOC]"));
}

TEST(ObjectCheck, SymbolsLieInTheirSections) {
  EXPECT_FALSE(isOneWith("Size: 8", "Size: 9"));
  EXPECT_FALSE(isOneWith("Size: 8", "Value: 9"));
  EXPECT_FALSE(isOneWith("Section: .rodata", "Index: 77"));
  EXPECT_FALSE(isOneWith("Section: .rodata", "Index: SHN_COMMON"));
  EXPECT_FALSE(isOneWith("STB_GLOBAL", "STB_WEAK"));
  EXPECT_FALSE(isOneWith("  - {Name: map_1, Section: .text",
                         "  - {Name: other, Binding: STB_GLOBAL}\n"
                         "  - {Name: map_1, Section: .text"));
}

/// One after the last section is none.
TEST(ObjectCheck, SymbolsLieInOneOfTheSections) {
  const std::string good = objectOf(kernel);
  auto file = cantFail(object::ELFFile<object::ELF64LE>::create(good));
  const size_t count = cantFail(file.sections()).size();
  EXPECT_TRUE(isOneWith("Section: .rodata", "Index: 2"));
  EXPECT_FALSE(
      isOneWith("Section: .rodata", "Index: " + std::to_string(count)));
}

TEST(ObjectCheck, RelocationsLieInTheirSections) {
  EXPECT_FALSE(isOneWith("Offset: 0x4", "Offset: 0x5"));
  EXPECT_FALSE(isOneWith("R_X86_64_PC32", "R_X86_64_64"));
  EXPECT_FALSE(isOneWith("Symbol: constant", "Symbol: 77"));
  EXPECT_FALSE(isOneWith("Info: .text", "Info: 77"));
}

/// The linker reads the first, unused symbol, and crashes if it names a section
/// in a missing table.
TEST(ObjectCheck, TheFirstSymbolIsEmpty) {
  const std::string good = objectOf(kernel);
  const size_t first = offsetOf(good, ELF::SHT_SYMTAB);
  ASSERT_NE(first, std::string::npos);
  for (size_t i = 0; i < sizeof(ELF::Elf64_Sym); ++i) {
    std::string bytes = good;
    ASSERT_EQ(bytes[first + i], 0);
    bytes[first + i] = '\xff';
    EXPECT_FALSE(isKernel(bytes, "map")) << i;
  }
}

} // namespace
