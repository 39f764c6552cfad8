// See Stream.h. docs/Block.md has the layout of descriptors.

#include "Stream.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace gensyn::machine::block;

namespace gensyn::blockprogram {

void append(std::string &to, uint64_t number, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    to.push_back(char(number >> 8 * i));
}

static uint64_t pair(int64_t low, int64_t high) {
  return uint64_t(uint32_t(low)) | uint64_t(uint32_t(high)) << 32;
}

template <class Numbers> static uint64_t quad(const Numbers &numbers) {
  uint64_t word = 0;
  for (auto [i, number] : enumerate(numbers))
    word |= uint64_t(uint16_t(number)) << 16 * i;
  return word;
}

static uint64_t head(Opcode opcode, uint64_t more, uint32_t high) {
  return uint64_t(opcode) | more << 8 | uint64_t(high) << 32;
}

void Run::wait(unsigned queue, uint32_t counter, uint32_t value) {
  queues[queue].push_back(head(Opcode::Wait, counter, value));
}

void Run::signal(unsigned queue, uint32_t counter) {
  queues[queue].push_back(head(Opcode::Signal, counter, 0));
}

void Run::other(unsigned queue, uint32_t after) {
  queues[queue].push_back(head(Opcode::Other, 0, after));
}

void Run::compute(const Contraction &contraction, uint64_t left, uint64_t right,
                  uint64_t result, uint32_t after) {
  Queue &words = queues[0];
  uint64_t counts = contraction.reduced.size() | contraction.rows.size() << 4 |
                    contraction.columns.size() << 8 |
                    contraction.batch.size() << 12 |
                    uint64_t(contraction.left.isSigned) << 16 |
                    uint64_t(contraction.right.isSigned) << 17;
  std::array<int64_t, checks> extents{}, starts{};
  for (auto [i, check] : enumerate(contraction.checks)) {
    counts |= uint64_t(check.isRight) << (18 + i);
    extents[i] = check.extent;
    starts[i] = check.start;
  }
  words.push_back(head(Opcode::Compute, counts, after));
  words.push_back(pair(int64_t(left) + contraction.left.offset,
                       int64_t(right) + contraction.right.offset));
  words.push_back(pair(int64_t(result), pair(0, 0)) |
                  uint64_t(uint16_t(contraction.left.zero)) << 32 |
                  uint64_t(uint16_t(contraction.right.zero)) << 48);
  words.push_back(quad(extents));
  words.push_back(quad(starts));
  words.push_back(0);
  for (const auto *place : {&contraction.reduced, &contraction.rows,
                            &contraction.columns, &contraction.batch})
    for (const Loop &loop : *place) {
      words.push_back(pair(loop.count, loop.left));
      words.push_back(pair(loop.right, loop.result));
      words.push_back(quad(loop.coordinates));
    }
}

bool Run::copy(const mapping::Copy &copy, uint64_t address, uint32_t after) {
  Queue &words = queues[1];
  const bool isFetch = copy.from().memory_case() == mapping::Location::kBuffer;
  const mapping::Location &own = isFetch ? copy.to() : copy.from();
  const mapping::Location &shared = isFetch ? copy.from() : copy.to();
  if (copy.dimensions_size() > int(copyLoops) ||
      !isUInt<32>(copy.row_bytes()) || copy.row_bytes() == 0)
    return false;
  words.push_back(head(isFetch ? Opcode::Fetch : Opcode::Store,
                       uint64_t(copy.dimensions_size()), after));
  words.push_back(
      pair(int64_t(own.local() + own.offset()), int64_t(copy.row_bytes())));
  words.push_back(address + shared.offset());
  for (int i = copy.dimensions_size(); i-- > 0;) {
    const mapping::Copy::Dimension &dimension = copy.dimensions(i);
    const int64_t from = dimension.from_stride(), to = dimension.to_stride();
    if (!isUInt<32>(dimension.count()) || !isInt<32>(from) || !isInt<32>(to))
      return false;
    words.push_back(dimension.count());
    words.push_back(isFetch ? pair(to, from) : pair(from, to));
  }
  return true;
}

} // namespace gensyn::blockprogram
