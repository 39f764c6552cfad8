// .npy and .npz files, good ones and bad ones. The bytes are put together here
// so that every field can be wrong.

#include "Formats/NumpyFiles.h"

#include "../../Executable/TestFiles.h"
#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

static std::string little(uint64_t value, int width) {
  std::string bytes;
  for (int i = 0; i < width; ++i)
    bytes += char(value >> (8 * i));
  return bytes;
}

static std::string npy(const std::string &header, const std::string &body,
                       int version = 1) {
  return std::string("\x93NUMPY") + char(version) + '\0' +
         little(header.size(), version == 1 ? 2 : 4) + header + body;
}

static std::string header(const std::string &type, const std::string &shape,
                          const std::string &order = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }   \n";
}

static std::string deflated(const std::string &bytes) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&stream, uLong(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(result.data());
  stream.avail_out = uInt(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

namespace {

/// A member, and what its records say where that is not the truth.
struct Part {
  std::string name;
  std::string bytes;
  bool isDeflated = false;
  std::optional<int> method = {};
  std::optional<uint32_t> checksum = {};
  std::optional<uint64_t> size = {};
  std::optional<uint64_t> unpackedSize = {};
  std::optional<uint64_t> offset = {};
  int flags = 0;
  /// The numbers of the directory are in a field of 64-bit ones.
  bool isWide = false;
};

} // namespace

static std::string zip(const std::vector<Part> &parts) {
  std::string file, directory;
  for (const Part &part : parts) {
    const std::string body =
        part.isDeflated ? deflated(part.bytes) : part.bytes;
    const auto checksum = part.checksum.value_or(
        uint32_t(crc32(0, reinterpret_cast<const Bytef *>(part.bytes.data()),
                       uInt(part.bytes.size()))));
    const uint64_t offset = part.offset.value_or(file.size());
    const uint64_t size = part.size.value_or(body.size());
    const uint64_t unpacked = part.unpackedSize.value_or(part.bytes.size());
    const int method = part.method.value_or(part.isDeflated ? 8 : 0);
    const std::string middle = little(uint64_t(part.flags), 2) +
                               little(uint64_t(method), 2) +
                               std::string(4, '\0') + little(checksum, 4);
    const std::string wide =
        part.isWide ? little(1, 2) + little(24, 2) + little(unpacked, 8) +
                          little(size, 8) + little(offset, 8)
                    : "";
    auto narrow = [&](uint64_t value) {
      return little(part.isWide ? 0xffffffff : value, 4);
    };
    directory += "PK\1\2" + little(45, 2) + little(45, 2) + middle +
                 narrow(size) + narrow(unpacked) + little(part.name.size(), 2) +
                 little(wide.size(), 2) + std::string(10, '\0') +
                 narrow(offset) + part.name + wide;
    // Its own header has a field more, as numpy.savez writes it.
    file += std::string("PK\3\4") + little(45, 2) + middle + little(size, 4) +
            little(unpacked, 4) + little(part.name.size(), 2) + little(20, 2) +
            part.name + little(1, 2) + little(16, 2) + std::string(16, '\0') +
            body;
  }
  const uint64_t begin = file.size();
  return file + directory + "PK\5\6" + std::string(4, '\0') +
         little(parts.size(), 2) + little(parts.size(), 2) +
         little(directory.size(), 4) + little(begin, 4) + little(0, 2);
}

/// The failure of opening such a file, without the path.
static std::string failureOfFile(const std::string &bytes) {
  ScratchFolder scratch;
  const std::string path = (scratch / "x.npy").string();
  writeFile(path, bytes);
  std::string failure = failureOf([&] { openTensors(path); });
  const size_t place = failure.find(path);
  return place == std::string::npos
             ? failure
             : failure.substr(0, place) + failure.substr(place + path.size());
}

static const std::string fourFloats(16, '\0');

TEST(NumpyFiles, anArrayIsATensor) {
  ScratchFolder scratch;
  for (int version : {1, 2, 3}) {
    writeFile(scratch / "tokens.npy",
              npy(header("<i2", "(2, 3)"), little(0x0003fffe0001, 6) + "abcdef",
                  version));
    TensorFile file = openTensors(scratch / "tokens.npy");
    Tensor tensor = file.tensor("tokens");
    EXPECT_EQ(tensor.elementType(), ElementType::I16);
    EXPECT_EQ(tensor.shape(), (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(tensor.as<int16_t>()[0], 1);
    EXPECT_EQ(tensor.as<int16_t>()[1], -2);
  }
}

TEST(NumpyFiles, everyTypeAndShape) {
  const std::pair<const char *, ElementType> types[] = {
      {"|b1", ElementType::I1},   {"|i1", ElementType::I8},
      {"<i2", ElementType::I16},  {"<i4", ElementType::I32},
      {"<i8", ElementType::I64},  {"|u1", ElementType::UI8},
      {"<u2", ElementType::UI16}, {"<u4", ElementType::UI32},
      {"<u8", ElementType::UI64}, {"<f2", ElementType::F16},
      {"<f4", ElementType::F32},  {"<f8", ElementType::F64}};
  ScratchFolder scratch;
  for (const auto &[code, type] : types) {
    const std::string body(size_t(byteWidth(type)), '\0');
    for (const char *shape : {"()", "(1,)", "(1L,)", "(1, 1)"}) {
      writeFile(scratch / "a.npy", npy(header(code, shape), body));
      EXPECT_EQ(openTensors(scratch / "a.npy").find("a")->type, type);
    }
  }
  // One dimension has the same layout in either order.
  writeFile(scratch / "a.npy", npy(header("<f4", "(4,)", "True"), fourFloats));
  EXPECT_EQ(openTensors(scratch / "a.npy").find("a")->size, 16u);
}

TEST(NumpyFiles, headersAreChecked) {
  EXPECT_EQ(failureOfFile(npy(header(">f4", "(4,)"), fourFloats)),
            "4: : its numbers have the big end first");
  EXPECT_EQ(failureOfFile(npy(header("<f4", "(2, 2)", "True"), fourFloats)),
            "4: : its columns lie one after the other");
  EXPECT_EQ(failureOfFile(npy(header("|O", "(2,)"), fourFloats)),
            "4: : arrays of Python objects are not supported");
  EXPECT_EQ(failureOfFile(npy(header("<c8", "(2,)"), fourFloats)),
            "4: : dtype '<c8' is not supported");
  EXPECT_EQ(failureOfFile(npy(header("<V2", "(8,)"), fourFloats)),
            "4: : a type without a name ('<V2')");
  EXPECT_EQ(failureOfFile(npy("{'descr': [('a', '<f4')], 'fortran_order': "
                              "False, 'shape': (4,)}\n",
                              fourFloats)),
            "4: : structured arrays are not supported");
  EXPECT_EQ(failureOfFile(npy(header("<f4", "(3,)"), fourFloats)),
            "3: : 12 bytes are wanted, 16 are there");
  EXPECT_EQ(failureOfFile(npy(header("<f4", "(5,)"), fourFloats)),
            "3: : 20 bytes are wanted, 16 are there");
  EXPECT_EQ(failureOfFile(npy(header("<f4", "(-4,)"), fourFloats)),
            "3: : an extent of its shape is not a size");
  EXPECT_EQ(
      failureOfFile(npy(header("<f4", "(4611686018427387904, 8)"), fourFloats)),
      "3: : the size of shape [4611686018427387904,8] overflows");
  EXPECT_EQ(failureOfFile(npy(header("<f4", "(99999999999999999999,)"), "")),
            "3: : an extent of its shape is not a size");
  const char *none = "3: : the header is none that numpy.save writes";
  for (const char *text :
       {"", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'descr': '<f4'}",
        "__import__('os')", "{'descr': '<f4', 'fortran_order': 0}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)} or 1",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4 4)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), 'a': 1}"})
    EXPECT_EQ(failureOfFile(npy(text, fourFloats)), none) << text;
  EXPECT_EQ(failureOfFile(npy(header("<f4", "(4,)"), fourFloats, 4)),
            "4: : version 4.0 of the format is not known");
  EXPECT_EQ(failureOfFile(npy(std::string(30, ' '), "").substr(0, 20)),
            "3: : the header is longer than the file");
  EXPECT_EQ(failureOfFile(std::string("\x93NUMPY\1\0", 8)),
            "3: : not an .npy file");
}

TEST(NumpyFiles, membersAreTensors) {
  ScratchFolder scratch;
  const std::string x =
      npy(header("<f4", "(4,)"), little(0x3f800000, 4) + std::string(12, '\0'));
  const std::string y = npy(header("|u1", "(3,)"), "abc");
  for (bool isDeflated : {false, true})
    for (bool isWide : {false, true}) {
      Part first{"x.npy", x, isDeflated}, second{"labels.npy", y};
      first.isWide = second.isWide = isWide;
      writeFile(scratch / "f", zip({first, second}));
      TensorFile file = openTensors(scratch / "f");
      EXPECT_EQ(file.names(), (std::vector<std::string>{"labels", "x"}));
      EXPECT_EQ(file.tensor("x").as<float>()[0], 1.0f);
      EXPECT_EQ(file.tensor("labels").as<uint8_t>()[2], 'c');
    }
  writeFile(scratch / "f", zip({}));
  EXPECT_EQ(NpzFile(scratch / "f").entries().size(), 0u);
}

TEST(NumpyFiles, nothingIsLeftOfWhatIsUnpacked) {
  ScratchFolder scratch;
  Setting folder("TMPDIR", scratch.folder.string());
  // Several pieces, which are more than zlib's window.
  std::string body(3'000'000, '\0');
  for (size_t i = 0; i < body.size(); ++i)
    body[i] = char(i * i >> 7);
  writeFile(scratch / "f",
            zip({{"x.npy", npy(header("|u1", "(3000000,)"), body), true}}));
  TensorFile file = openTensors(scratch / "f");
  EXPECT_EQ(file.tensor("x").as<uint8_t>()[2'999'999], uint8_t(body.back()));
  EXPECT_EQ(scratch.files(), 1u);
  Setting missing("TMPDIR", (scratch / "no").string());
  EXPECT_EQ(failureOf([&] { openTensors(scratch / "f"); }).substr(0, 2), "5:");
}

TEST(NumpyFiles, archivesAreChecked) {
  const std::string x = npy(header("<f4", "(4,)"), fourFloats);
  auto failureOfPart = [&](auto change) {
    Part part{"x.npy", x};
    change(part);
    return failureOfFile(zip({part}));
  };
  EXPECT_EQ(failureOfPart([](Part &part) { part.name = "x.txt"; }),
            "3: : 'x.txt': not an .npy file");
  EXPECT_EQ(failureOfPart([](Part &part) { part.flags = 1; }),
            "4: : 'x.npy': encrypted");
  EXPECT_EQ(failureOfPart([](Part &part) { part.method = 12; }),
            "4: : 'x.npy': compressed by method 12");
  EXPECT_EQ(failureOfPart([](Part &part) { part.unpackedSize = 7; }),
            "3: : 'x.npy': stored, and of two sizes");
  EXPECT_EQ(failureOfPart([](Part &part) { part.size = 1 << 20; }),
            "3: : 'x.npy': its data end outside of the file");
  EXPECT_EQ(failureOfPart([](Part &part) { part.offset = 1 << 20; }),
            "3: : a part of the zip file is outside of it");
  EXPECT_EQ(failureOfPart([](Part &part) { part.offset = 1; }),
            "3: : 'x.npy': its header is damaged");
  EXPECT_EQ(failureOfPart([](Part &part) {
              part.isWide = true;
              part.offset = ~uint64_t(0) - 3;
            }),
            "3: : a part of the zip file is outside of it");
  EXPECT_EQ(failureOfPart([](Part &part) {
              part.isDeflated = true;
              part.checksum = 1;
            }),
            "3: : 'x.npy': its compressed data are damaged");
  for (uint64_t size : {0, 10, 100})
    EXPECT_EQ(failureOfPart([&](Part &part) {
                part.isDeflated = true;
                part.unpackedSize = size;
              }),
              "3: : 'x.npy': its compressed data are damaged");
  EXPECT_EQ(failureOfPart([](Part &part) {
              part.isDeflated = true;
              part.unpackedSize = uint64_t(1) << 31;
            }),
            "3: : 'x.npy': cannot unpack to 2147483648 bytes");
  EXPECT_EQ(failureOfFile(zip({{"x.npy", x}, {"x.npy", x}})),
            "3: : 'x.npy': is there twice");
  Part same{"x.npy", x};
  same.offset = 0;
  EXPECT_EQ(failureOfFile(zip({{"x.npy", x}, same})),
            "3: : 'x.npy' and 'x.npy' overlap");
  const std::string good = zip({{"x.npy", x}});
  EXPECT_EQ(failureOfFile(good.substr(0, good.size() - 5)),
            "3: : the zip file has no end record: is it complete?");
}

// Any change to a good file is either harmless or a Failure; the sanitizers of
// the debug preset watch the rest.
TEST(NumpyFiles, changedFilesDoNoHarm) {
  ScratchFolder scratch;
  const std::string x = npy(header("<f4", "(4,)"), fourFloats);
  Part wide{"y.npy", x, true};
  wide.isWide = true;
  const std::string good[] = {x, zip({{"x.npy", x}, wide})};
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 400; ++round) {
    writeFile(scratch / "f", damaged(good[round % 2], random, round));
    std::string failure = failureOf([&] {
      TensorFile file = openTensors(scratch / "f");
      for (const std::string &name : file.names())
        file.tensor(name);
    });
    refused += !failure.empty();
  }
  EXPECT_GT(refused, 200);
}
