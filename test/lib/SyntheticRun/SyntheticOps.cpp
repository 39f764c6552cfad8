// See SyntheticOps.h.

#include "SyntheticOps.h"

#include "SyntheticIterations.h"
#include "SyntheticRun.h"
#include "gensyn/Executable/Support/Encoding.h"
#include "gensyn/Executable/Support/Failure.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace gensyn::testing {

const OpTypes *findOp(const std::string &name) {
  static const TensorType row{ElementType::F32, {kWidth}},
      number{ElementType::F32, {}}, count{ElementType::I64, {}},
      flag{ElementType::I1, {}};
  static const std::map<std::string, OpTypes> ops = {
      {"add", {{row, row}, {row}}},
      {"sub", {{row, row}, {row}}},
      {"sum", {{row}, {number}}},
      {"odd", {{row}, {flag}}},
      {"any", {{count}, {flag}}},
      {"more", {{count, row}, {flag}}},
      {"loop", {{flag, row, row, row}, {row, row}}},
      {"branch", {{flag, row, row}, {row}}},
      {"pick", {{flag}, {row}}}};
  const auto found = ops.find(name);
  return found == ops.end() ? nullptr : &found->second;
}

std::string encodeOp(const plan::EntryText &text) {
  Encoding encoding;
  encoding.number(text.first_value()).text(text.module());
  encoding.number(uint64_t(text.operands_size()));
  for (const plan::EntryOperand &operand : text.operands())
    if (operand.constant().empty())
      encoding.text("value").number(operand.value());
    else
      encoding.text("constant").text(operand.constant());
  return encoding.bytes();
}

/// The first element of a row in sixteenths, which are whole numbers.
static int64_t firstOf(const Tensor &row) {
  return int64_t(row.as<float>()[0] * 16);
}

/// On whole operands, or on the tiles of one element.
static Tensor compute(const std::string &name,
                      const std::vector<Tensor> &operands) {
  if (name == "any")
    return Tensor::scalar(operands[0].as<int64_t>()[0] % 4 != 3);
  if (name == "odd")
    return Tensor::scalar((firstOf(operands[0]) & 1) != 0);
  if (name == "more")
    return Tensor::scalar(operands[0].as<int64_t>()[0] + 1 <
                          2 + (firstOf(operands[1]) >> 2 & 3));
  const auto a = operands[0].span<float>();
  if (name == "sum") {
    // A tile has only the elements that are added.
    const size_t stride = a.size() == size_t(kWidth) ? 2 : 1;
    float sum = 0;
    for (size_t i = 0; i < a.size(); i += stride)
      sum += a[i];
    return Tensor::scalar(sum);
  }
  const auto b = operands[1].span<float>();
  std::vector<float> elements(a.size());
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = name == "sub" ? a[i] - b[i] : a[i] + b[i];
  return Tensor::of<float>(operands[0].shape(), elements);
}

std::vector<Tensor> computeOp(const std::string &name,
                              const std::vector<Tensor> &operands) {
  if (findIterations(name))
    return IteratedOp(name, operands).finish();
  return {compute(name, operands)};
}

/// What one element needs of an operand.
static void addTile(const std::string &name, const TensorType &operand,
                    uint64_t element, plan::EvaluateResponse &response) {
  plan::EvaluateResponse::Tile &tile = *response.add_tiles();
  tile.set_element_type(std::string(gensyn::name(operand.element)));
  tile.mutable_shape()->Add(operand.shape.begin(), operand.shape.end());
  if (operand.shape.empty())
    return;
  plan::EvaluateResponse::Range &range = *tile.add_ranges();
  range.set_begin(0);
  range.set_size(1);
  range.set_stride(1);
  if (findIterations(name)) {
    range.set_size(kWidth);
  } else if (name == "sum") {
    range.set_size(kWidth / 2);
    range.set_stride(2);
  } else if (name == "add" || name == "sub") {
    range.set_begin(int64_t(element));
  }
}

static plan::EvaluateResponse refuse(const std::string &message) {
  plan::EvaluateResponse response;
  response.mutable_error()->set_exit_code(int(ExitCode::BadInput));
  response.mutable_error()->set_message("op: " + message);
  return response;
}

/// The element of a response that has tiles.
static plan::EvaluateResponse evaluate(const plan::EvaluateRequest &request,
                                       plan::EvaluateResponse response) {
  const std::string &name = request.text().module();
  if (request.tiles_size() != response.tiles_size())
    return refuse("has another number of tiles");
  std::vector<Tensor> tiles;
  for (int i = 0; i < response.tiles_size(); ++i) {
    const plan::EvaluateResponse::Tile &tile = response.tiles(i);
    std::vector<int64_t> shape;
    for (const plan::EvaluateResponse::Range &range : tile.ranges())
      shape.push_back(range.size());
    Tensor &to = tiles.emplace_back(*elementTypeFromName(tile.element_type()),
                                    std::move(shape));
    const std::string &bytes = request.tiles(i);
    if (bytes.size() != size_t(to.byteSize()))
      return refuse("has a tile of another size");
    std::memcpy(to.data(), bytes.data(), bytes.size());
  }
  const Tensor result = computeOp(name, tiles).at(request.result());
  const auto width = size_t(byteWidth(result.elementType()));
  // A tile has one element of a row, and so has its result.
  const size_t at = result.numElements() == 1 ? 0 : request.element();
  response.set_value(result.data() + at * width, width);
  return response;
}

plan::EvaluateResponse evaluateOp(const plan::EvaluateRequest &request) {
  const std::string &name = request.text().module();
  const OpTypes *types = findOp(name);
  if (!types || request.text().operands_size() != int(types->operands.size()) ||
      request.result() >= types->results.size())
    return refuse("is none");
  plan::EvaluateResponse response;
  response.set_encoding(encodeOp(request.text()));
  response.set_op("synthetic." + name);
  const TensorType &result = types->results[request.result()];
  response.set_element_type(std::string(gensyn::name(result.element)));
  response.mutable_shape()->Add(result.shape.begin(), result.shape.end());
  if (std::optional<plan::OpIterations> iterations = findIterations(name)) {
    if (request.has_variant())
      addIteration(name, request.variant(), *iterations);
    *response.mutable_iterations() = std::move(*iterations);
  }
  if (request.element() >= uint64_t(result.shape.empty() ? 1 : kWidth))
    return response;
  for (const TensorType &operand : types->operands)
    addTile(name, operand, request.element(), response);
  return request.has_tiles() ? evaluate(request, std::move(response))
                             : response;
}

static int call(const char *method, const uint8_t *data, size_t size,
                uint8_t **response, size_t *responseSize) {
  plan::EvaluateRequest request;
  if (std::strcmp(method, "evaluate") != 0 ||
      !request.ParseFromArray(data, int(size)))
    return 1;
  const std::string bytes = evaluateOp(request).SerializeAsString();
  *response = new uint8_t[bytes.size()];
  *responseSize = bytes.size();
  std::copy(bytes.begin(), bytes.end(), *response);
  return 0;
}

runtime::Compiler makeSyntheticCompiler() {
  return {call, [](uint8_t *bytes) { delete[] bytes; }};
}

} // namespace gensyn::testing
