// See ElfCheck.h; the names are those of the ELF specification.

#include "ElfCheck.h"

#include "gensyn/Executable/Support/Error.h"

#include <bit>
#include <cstring>
#include <map>
#include <vector>

#include <elf.h>
#include <unistd.h>

namespace gensyn::runtime {

namespace {

#if defined(__x86_64__)
constexpr Elf64_Half ownMachine = EM_X86_64;
constexpr uint32_t relativeType = R_X86_64_RELATIVE;
constexpr uint32_t symbolTypes[] = {R_X86_64_64, R_X86_64_GLOB_DAT,
                                    R_X86_64_JUMP_SLOT};
#elif defined(__aarch64__)
constexpr Elf64_Half ownMachine = EM_AARCH64;
constexpr uint32_t relativeType = R_AARCH64_RELATIVE;
constexpr uint32_t symbolTypes[] = {R_AARCH64_ABS64, R_AARCH64_GLOB_DAT,
                                    R_AARCH64_JUMP_SLOT};
#else
#error "no relocations are known for this processor"
#endif

/// Maximum size of the image in memory.
constexpr uint64_t mostBytes = uint64_t(1) << 30;

[[noreturn]] void fail(const std::string &what) {
  failBadInput("the kernels cannot be loaded: " + what);
}

class ElfCheck {
public:
  explicit ElfCheck(std::string_view bytes) : bytes(bytes) {}

  void run() {
    checkHeader();
    checkSegments();
    readDynamic();
    checkSymbols();
    checkRelocations(DT_RELA, DT_RELASZ);
    checkRelocations(DT_JMPREL, DT_PLTRELSZ);
  }

private:
  /// The loader maps whole pages, which AArch64 has of 4, 16 and 64 KiB.
  const uint64_t pageBytes = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));

  /// Reads an object of the file, which need not be aligned.
  template <class T> T read(uint64_t offset) const {
    if (offset > bytes.size() || sizeof(T) > bytes.size() - offset)
      fail("they are truncated");
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
  }

  void checkHeader() {
    if (bytes.substr(0, SELFMAG) != std::string_view(ELFMAG, SELFMAG))
      fail("not an ELF file");
    header = read<Elf64_Ehdr>(0);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_ident[EI_VERSION] != EV_CURRENT ||
        header.e_ident[EI_OSABI] != ELFOSABI_SYSV ||
        header.e_version != EV_CURRENT || header.e_type != ET_DYN)
      fail("not a shared object");
    if (header.e_machine != ownMachine)
      fail("they are for another processor, ELF machine " +
           std::to_string(header.e_machine));
    if (header.e_ehsize != sizeof(Elf64_Ehdr) ||
        header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum > 32 ||
        header.e_phoff > bytes.size())
      fail("their ELF header is damaged");
  }

  void checkSegments() {
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      const auto segment =
          read<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
      if (segment.p_offset > bytes.size() ||
          segment.p_filesz > bytes.size() - segment.p_offset)
        fail("a segment lies outside of the file");
      switch (segment.p_type) {
      case PT_LOAD:
        addLoad(segment);
        break;
      case PT_DYNAMIC:
        dynamic = segment;
        break;
      case PT_GNU_STACK:
        stack = segment;
        break;
      case PT_GNU_RELRO:
        relro = segment;
        break;
      case PT_PHDR: // the loader reads the program headers there
        if (segment.p_vaddr != header.e_phoff ||
            segment.p_offset != header.e_phoff)
          fail("their ELF header is damaged");
        break;
      case PT_NULL:
        break;
      default:
        fail("a segment has type " + std::to_string(segment.p_type));
      }
    }
    if (loads.empty() || dynamic.p_type != PT_DYNAMIC)
      fail("their ELF header is damaged");
    // Without this header the loader assumes the processor's default.
    if (stack.p_type != PT_GNU_STACK || (stack.p_flags & PF_X))
      fail("they ask for a stack that can be executed");
    // The loader writes to the dynamic section, and makes the RELRO segment
    // read-only.
    checkWritable(dynamic.p_vaddr, dynamic.p_memsz);
    if (relro.p_type == PT_GNU_RELRO)
      checkWritable(relro.p_vaddr, relro.p_memsz);
  }

  void addLoad(const Elf64_Phdr &load) {
    const uint64_t align = load.p_align;
    if (!std::has_single_bit(align) || align < pageBytes || align > 1 << 21 ||
        load.p_vaddr % align != load.p_offset % align ||
        load.p_filesz > load.p_memsz || load.p_memsz > mostBytes ||
        load.p_vaddr > mostBytes)
      fail("a segment has an impossible size or place");
    if (!(load.p_flags & PF_R))
      fail("a segment cannot be read");
    if ((load.p_flags & PF_W) && (load.p_flags & PF_X))
      fail("a segment can be written and executed");
    if (!loads.empty()) {
      const Elf64_Phdr &last = loads.back();
      const uint64_t end = last.p_vaddr + last.p_memsz;
      if (load.p_vaddr / pageBytes < (end + pageBytes - 1) / pageBytes)
        fail("two segments overlap");
    } else if (load.p_vaddr != 0 || load.p_offset != 0) {
      fail("the first segment does not begin with the file");
    }
    loads.push_back(load);
  }

  /// Returns the segment that contains a range of memory.
  const Elf64_Phdr &findLoad(uint64_t address, uint64_t size) const {
    for (const Elf64_Phdr &load : loads)
      if (address >= load.p_vaddr && address - load.p_vaddr <= load.p_memsz &&
          size <= load.p_memsz - (address - load.p_vaddr))
        return load;
    fail("a table or a symbol lies outside of all segments");
  }

  void checkWritable(uint64_t address, uint64_t size) const {
    if (!(findLoad(address, size).p_flags & PF_W))
      fail("what the loader writes lies where nothing can be written");
  }

  /// Returns the file offset of a range of memory that the file initializes.
  uint64_t offsetOf(uint64_t address, uint64_t size) const {
    const Elf64_Phdr &load = findLoad(address, size);
    if (address - load.p_vaddr > load.p_filesz ||
        size > load.p_filesz - (address - load.p_vaddr))
      fail("a table lies outside of the file");
    return address - load.p_vaddr + load.p_offset;
  }

  void readDynamic() {
    static constexpr Elf64_Sxword known[] = {
        DT_HASH,    DT_STRTAB,  DT_SYMTAB,   DT_RELA,     DT_RELASZ,
        DT_RELAENT, DT_STRSZ,   DT_SYMENT,   DT_GNU_HASH, DT_RELACOUNT,
        DT_FLAGS,   DT_FLAGS_1, DT_BIND_NOW, DT_PLTGOT,   DT_PLTREL,
        DT_JMPREL,  DT_PLTRELSZ};
    const uint64_t begin = offsetOf(dynamic.p_vaddr, dynamic.p_memsz);
    for (uint64_t at = 0;; at += sizeof(Elf64_Dyn)) {
      if (at + sizeof(Elf64_Dyn) > dynamic.p_memsz)
        fail("the dynamic section has no end");
      const auto entry = read<Elf64_Dyn>(begin + at);
      if (entry.d_tag == DT_NULL)
        return checkFlags();
      bool isKnown = false;
      for (Elf64_Sxword tag : known)
        isKnown |= entry.d_tag == tag;
      if (!isKnown)
        fail("the dynamic section asks for more than kernels need, tag " +
             std::to_string(entry.d_tag));
      if (!entries.emplace(entry.d_tag, entry.d_un.d_val).second)
        fail("the dynamic section has tag " + std::to_string(entry.d_tag) +
             " twice");
    }
  }

  void checkFlags() const {
    auto has = [&](Elf64_Sxword tag) { return entries.count(tag) != 0; };
    if ((has(DT_FLAGS) && (entry(DT_FLAGS) & ~uint64_t(DF_BIND_NOW))) ||
        (has(DT_FLAGS_1) && (entry(DT_FLAGS_1) & ~uint64_t(DF_1_NOW))))
      fail("the dynamic section asks for more than kernels need, by its flags");
    // The loader checks only one of the two entries.
    if (has(DT_PLTREL) != has(DT_JMPREL) || has(DT_PLTRELSZ) != has(DT_JMPREL))
      fail("the dynamic section names relocations by halves");
  }

  uint64_t entry(Elf64_Sxword tag) const {
    auto found = entries.find(tag);
    if (found == entries.end())
      fail("the dynamic section lacks tag " + std::to_string(tag));
    return found->second;
  }

  /// Returns the number of symbols that the loader may access: those of the
  /// hash table, and those before them.
  uint64_t countSymbols() const {
    const uint64_t address = entry(DT_GNU_HASH);
    const uint64_t table = offsetOf(address, 4 * sizeof(uint32_t));
    const auto buckets = read<uint32_t>(table);
    const auto first = read<uint32_t>(table + 4);
    const auto words = read<uint32_t>(table + 8);
    const auto shift = read<uint32_t>(table + 12);
    if (buckets == 0 || !std::has_single_bit(words) || shift > 31)
      fail("the hash table of their symbols is damaged");
    const uint64_t bucketsAt = 16 + uint64_t(words) * 8;
    const uint64_t chainsAt = bucketsAt + uint64_t(buckets) * 4;
    offsetOf(address, chainsAt);
    uint64_t last = 0;
    for (uint64_t i = 0; i < buckets; ++i) {
      const auto symbol = read<uint32_t>(table + bucketsAt + 4 * i);
      if (symbol != 0 && symbol < first)
        fail("the hash table of their symbols is damaged");
      last = std::max<uint64_t>(last, symbol);
    }
    if (last == 0)
      fail("they have no symbols");
    for (;; ++last) {
      const uint64_t chain = chainsAt + 4 * (last - first);
      if (read<uint32_t>(offsetOf(address + chain, 4)) & 1)
        return last + 1;
    }
  }

  void checkSymbols() {
    const uint64_t stringBytes = entry(DT_STRSZ);
    const uint64_t strings = offsetOf(entry(DT_STRTAB), stringBytes);
    if (stringBytes == 0 || bytes[strings + stringBytes - 1] != 0)
      fail("the names of their symbols have no end");
    if (entry(DT_SYMENT) != sizeof(Elf64_Sym))
      fail("their symbols have another size");
    symbolCount = countSymbols();
    const uint64_t table =
        offsetOf(entry(DT_SYMTAB), symbolCount * sizeof(Elf64_Sym));
    for (uint64_t i = 1; i < symbolCount; ++i) {
      const auto symbol = read<Elf64_Sym>(table + i * sizeof(Elf64_Sym));
      if (symbol.st_name >= stringBytes)
        fail("a symbol has no name");
      if (symbol.st_shndx == SHN_UNDEF)
        fail("they need a symbol of another library");
      if (ELF64_ST_TYPE(symbol.st_info) > STT_FUNC)
        fail("a symbol is neither a function nor data");
      const Elf64_Phdr &load = findLoad(symbol.st_value, symbol.st_size);
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && !(load.p_flags & PF_X))
        fail("a function lies where nothing can be executed");
    }
  }

  void checkRelocations(Elf64_Sxword place, Elf64_Sxword size) const {
    if (!entries.count(place))
      return;
    if (place == DT_JMPREL && entry(DT_PLTREL) != DT_RELA)
      fail("their relocations have another size");
    if (place == DT_RELA && entry(DT_RELAENT) != sizeof(Elf64_Rela))
      fail("their relocations have another size");
    if (entry(size) % sizeof(Elf64_Rela) != 0)
      fail("their relocations end within one");
    const uint64_t count = entry(size) / sizeof(Elf64_Rela);
    const uint64_t table = offsetOf(entry(place), entry(size));
    if (place == DT_RELA && entries.count(DT_RELACOUNT) &&
        entry(DT_RELACOUNT) > count)
      fail("they have fewer relocations than they say");
    for (uint64_t i = 0; i < count; ++i) {
      const auto relocation = read<Elf64_Rela>(table + i * sizeof(Elf64_Rela));
      const uint32_t type = ELF64_R_TYPE(relocation.r_info);
      bool isKnown = type == relativeType;
      for (uint32_t each : symbolTypes)
        isKnown |= type == each;
      if (!isKnown || ELF64_R_SYM(relocation.r_info) >= symbolCount)
        fail("a relocation has type " + std::to_string(type));
      checkWritable(relocation.r_offset, 8);
    }
  }

  std::string_view bytes;
  Elf64_Ehdr header = {};
  Elf64_Phdr dynamic = {}, stack = {}, relro = {};
  std::vector<Elf64_Phdr> loads;
  std::map<Elf64_Sxword, uint64_t> entries;
  uint64_t symbolCount = 0;
};

} // namespace

void checkSharedObject(std::string_view bytes) { ElfCheck(bytes).run(); }

} // namespace gensyn::runtime
