// Shared objects that the dynamic loader must not see.

#include "Devices/ElfCheck.h"
#include "../../Executable/TestFiles.h"

#include <gtest/gtest.h>

#include <cstring>
#include <elf.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

template <class T> T read(const std::string &bytes, uint64_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

template <class T> void write(std::string &bytes, uint64_t at, const T &value) {
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}

std::string failureOfElf(const std::string &bytes) {
  std::string failure = failureOf([&] { checkSharedObject(bytes); });
  const std::string begin = "3: the kernels cannot be loaded: ";
  return failure.substr(std::min(begin.size(), failure.size()));
}

class ElfCheck : public testing::Test {
protected:
  const std::string good = readFile(GENSYN_TINY_KERNELS);

  /// Returns the error after `change` of the header.
  template <class Change> std::string failureOfHeader(Change &&change) {
    std::string bytes = good;
    auto header = read<Elf64_Ehdr>(bytes, 0);
    change(header);
    write(bytes, 0, header);
    return failureOfElf(bytes);
  }

  /// After `change` of the first segment of the type, or of the one after it.
  template <class Change>
  std::string failureOfSegment(uint32_t type, unsigned skip, Change &&change) {
    std::string bytes = good;
    auto header = read<Elf64_Ehdr>(bytes, 0);
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      const uint64_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
      auto segment = read<Elf64_Phdr>(bytes, at);
      if (segment.p_type != type || skip-- != 0)
        continue;
      change(segment);
      write(bytes, at, segment);
      return failureOfElf(bytes);
    }
    return "no such segment";
  }

  /// After another value for a tag of the dynamic section; with `isTag` another
  /// tag.
  std::string failureOfDynamic(Elf64_Sxword tag, uint64_t value,
                               bool isTag = false) {
    std::string result = "no such tag";
    failureOfSegment(PT_DYNAMIC, 0, [&](Elf64_Phdr &segment) {
      for (uint64_t at = 0; at < segment.p_filesz; at += sizeof(Elf64_Dyn)) {
        auto entry = read<Elf64_Dyn>(good, segment.p_offset + at);
        if (entry.d_tag != tag)
          continue;
        (isTag ? reinterpret_cast<uint64_t &>(entry.d_tag) : entry.d_un.d_val) =
            value;
        std::string bytes = good;
        write(bytes, segment.p_offset + at, entry);
        result = failureOfElf(bytes);
        return;
      }
    });
    return result;
  }
};

TEST_F(ElfCheck, whatTheLinkerMakes) { EXPECT_EQ(failureOfElf(good), ""); }

TEST_F(ElfCheck, headers) {
  using H = Elf64_Ehdr;
  EXPECT_EQ(failureOfElf(""), "not an ELF file");
  EXPECT_EQ(failureOfElf(good.substr(0, 40)), "they are truncated");
  EXPECT_EQ(failureOfHeader([](H &h) { h.e_type = ET_REL; }),
            "not a shared object");
  EXPECT_EQ(failureOfHeader([](H &h) { h.e_machine = EM_386; }),
            "they are for another processor, ELF machine 3");
  EXPECT_EQ(failureOfHeader([](H &h) { h.e_phnum = 60000; }),
            "their ELF header is damaged");
  EXPECT_EQ(failureOfHeader([](H &h) { h.e_phoff = ~uint64_t(0); }),
            "their ELF header is damaged");
  EXPECT_EQ(failureOfHeader([](H &h) { h.e_phnum = 0; }),
            "their ELF header is damaged");
}

TEST_F(ElfCheck, segments) {
  using S = Elf64_Phdr;
  const std::string outside = "a segment lies outside of the file";
  const std::string impossible = "a segment has an impossible size or place";
  for (const uint64_t place : {uint64_t(0), uint64_t(72), ~uint64_t(41)})
    EXPECT_NE(failureOfSegment(PT_PHDR, 0, [&](S &s) { s.p_vaddr = place; })
                  .find("their ELF header is damaged"),
              std::string::npos);
  EXPECT_EQ(failureOfSegment(PT_LOAD, 0, [](S &s) { s.p_filesz = 1 << 30; }),
            outside);
  EXPECT_EQ(
      failureOfSegment(PT_LOAD, 1, [](S &s) { s.p_offset = ~uint64_t(0); }),
      outside);
  EXPECT_EQ(
      failureOfSegment(PT_LOAD, 1, [](S &s) { s.p_memsz = s.p_filesz - 1; }),
      impossible);
  EXPECT_EQ(
      failureOfSegment(PT_LOAD, 1, [](S &s) { s.p_memsz = uint64_t(1) << 40; }),
      impossible);
  EXPECT_EQ(failureOfSegment(PT_LOAD, 1, [](S &s) { s.p_align = 24; }),
            impossible);
  EXPECT_EQ(
      failureOfSegment(PT_LOAD, 1, [](S &s) { s.p_flags |= PF_X | PF_W; }),
      "a segment can be written and executed");
  EXPECT_EQ(failureOfSegment(PT_LOAD, 1, [](S &s) { s.p_vaddr %= 4096; }),
            "two segments overlap");
  EXPECT_EQ(failureOfSegment(PT_LOAD, 1, [](S &s) { s.p_type = PT_INTERP; }),
            "a segment has type 3");
  EXPECT_EQ(failureOfSegment(PT_GNU_STACK, 0, [](S &s) { s.p_flags |= PF_X; }),
            "they ask for a stack that can be executed");
  EXPECT_EQ(failureOfSegment(PT_GNU_STACK, 0, [](S &s) { s.p_type = PT_NULL; }),
            "they ask for a stack that can be executed");
  EXPECT_EQ(failureOfSegment(PT_GNU_STACK, 0, [](S &s) { s.p_type = PT_NOTE; }),
            "a segment has type 4");
  EXPECT_EQ(failureOfSegment(PT_LOAD, 0, [](S &s) { s.p_flags &= ~PF_R; }),
            "a segment cannot be read");
  EXPECT_EQ(failureOfSegment(PT_DYNAMIC, 0, [](S &s) { s.p_memsz = 16; }),
            "the dynamic section has no end");
}

TEST_F(ElfCheck, whatTheLoaderWrites) {
  using S = Elf64_Phdr;
  const std::string outside =
      "a table or a symbol lies outside of all segments";
  const std::string readOnly =
      "what the loader writes lies where nothing can be written";
  EXPECT_EQ(failureOfSegment(PT_GNU_RELRO, 0,
                             [](S &s) { s.p_vaddr = uint64_t(1) << 40; }),
            outside);
  EXPECT_EQ(failureOfSegment(PT_GNU_RELRO, 0,
                             [](S &s) { s.p_memsz = uint64_t(1) << 40; }),
            outside);
  EXPECT_EQ(failureOfSegment(PT_GNU_RELRO, 0,
                             [](S &s) { s.p_vaddr = s.p_memsz = 0; }),
            readOnly);
  EXPECT_EQ(failureOfSegment(PT_DYNAMIC, 0, [](S &s) { s.p_vaddr = 0; }),
            readOnly);
}

// A table that begins in the part of a segment that the file has, and ends
// behind it.
TEST_F(ElfCheck, tablesLieInTheFile) {
  Elf64_Phdr dynamic{};
  failureOfSegment(PT_DYNAMIC, 0, [&](Elf64_Phdr &s) { dynamic = s; });
  unsigned changed = 0;
  for (unsigned number = 0; number < 4; ++number) {
    bool isChanged = false;
    const std::string failure =
        failureOfSegment(PT_LOAD, number, [&](Elf64_Phdr &s) {
          isChanged = dynamic.p_vaddr - s.p_vaddr < s.p_filesz;
          if (isChanged)
            s.p_filesz = dynamic.p_vaddr - s.p_vaddr + sizeof(Elf64_Dyn);
        });
    changed += isChanged;
    if (isChanged)
      EXPECT_EQ(failure, "a table lies outside of the file");
  }
  EXPECT_EQ(changed, 1u);
}

TEST_F(ElfCheck, functionsAreCode) {
  EXPECT_EQ(
      failureOfSegment(PT_LOAD, 1, [](Elf64_Phdr &s) { s.p_flags = PF_R; }),
      "a function lies where nothing can be executed");
}

TEST_F(ElfCheck, tablesOfTheLoader) {
  EXPECT_EQ(failureOfDynamic(DT_STRTAB, uint64_t(1) << 40),
            "a table or a symbol lies outside of all segments");
  EXPECT_NE(failureOfDynamic(DT_STRSZ, 0), "");
  EXPECT_NE(failureOfDynamic(DT_GNU_HASH, 0), "");
  EXPECT_EQ(failureOfDynamic(DT_SYMENT, 16), "their symbols have another size");
  EXPECT_EQ(failureOfDynamic(DT_SYMTAB, DT_NEEDED, /*isTag=*/true),
            "the dynamic section asks for more than kernels need, tag 1");
  EXPECT_EQ(failureOfDynamic(DT_SYMTAB, DT_INIT, /*isTag=*/true),
            "the dynamic section asks for more than kernels need, tag 12");
  EXPECT_EQ(failureOfDynamic(DT_HASH, DT_SONAME, /*isTag=*/true),
            "the dynamic section asks for more than kernels need, tag 14");
  for (const Elf64_Sxword tag :
       {DT_FLAGS, DT_FLAGS_1}) // the value is not a flag
    EXPECT_EQ(failureOfDynamic(DT_HASH, tag, /*isTag=*/true),
              "the dynamic section asks for more than kernels need, by its "
              "flags");
  for (const Elf64_Sxword tag : {DT_PLTREL, DT_PLTRELSZ, DT_JMPREL})
    EXPECT_EQ(failureOfDynamic(DT_HASH, tag, /*isTag=*/true),
              "the dynamic section names relocations by halves");
  EXPECT_EQ(failureOfDynamic(DT_SYMTAB, DT_STRTAB, /*isTag=*/true),
            "the dynamic section has tag 5 twice");
}

} // namespace
