// See SyntheticOps.h.

#include "SyntheticOps.h"

#include "SyntheticRun.h"
#include "gensyn/Executable/Support/Encoding.h"
#include "gensyn/Executable/Support/Failure.h"

#include <algorithm>
#include <cstring>

namespace gensyn::testing {

bool isOp(const std::string &name) {
  return name == "add" || name == "sub" || name == "sum";
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

static float compute(const std::string &name, float a, float b) {
  return name == "sub" ? a - b : a + b;
}

Tensor computeOp(const std::string &name, const std::vector<Tensor> &operands) {
  const auto a = operands.at(0).as<float>();
  if (name == "sum") {
    float sum = 0;
    for (int64_t i = 0; i < kWidth; i += 2)
      sum += a[size_t(i)];
    return Tensor::of<float>({}, {sum});
  }
  const auto b = operands.at(1).as<float>();
  std::vector<float> elements(kWidth);
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = compute(name, a[i], b[i]);
  return Tensor::of<float>({kWidth}, elements);
}

static void addTile(plan::EvaluateResponse &response, uint64_t begin,
                    int64_t size, int64_t stride) {
  plan::EvaluateResponse::Tile &tile = *response.add_tiles();
  tile.set_element_type("f32");
  tile.add_shape(kWidth);
  plan::EvaluateResponse::Range &range = *tile.add_ranges();
  range.set_begin(int64_t(begin));
  range.set_size(size);
  range.set_stride(stride);
}

static float elementOf(const std::string &bytes, size_t at = 0) {
  float element = 0;
  if (bytes.size() >= (at + 1) * sizeof(element))
    std::memcpy(&element, bytes.data() + at * sizeof(element), sizeof(element));
  return element;
}

plan::EvaluateResponse evaluateOp(const plan::EvaluateRequest &request) {
  const std::string &name = request.text().module();
  plan::EvaluateResponse response;
  const int operands = name == "sum" ? 1 : 2;
  if (!isOp(name) || request.text().operands_size() != operands ||
      request.result() != 0) {
    response.mutable_error()->set_exit_code(int(ExitCode::BadInput));
    response.mutable_error()->set_message("op: is none");
    return response;
  }
  response.set_encoding(encodeOp(request.text()));
  response.set_op("synthetic." + name);
  response.set_element_type("f32");
  const bool isSum = name == "sum";
  if (!isSum)
    response.add_shape(kWidth);
  if (request.element() >= uint64_t(isSum ? 1 : kWidth))
    return response;
  for (int i = 0; i < operands; ++i)
    if (isSum)
      addTile(response, 0, kWidth / 2, 2);
    else
      addTile(response, request.element(), 1, 1);
  if (!request.has_tiles())
    return response;
  float value = 0;
  if (isSum)
    for (size_t i = 0; i < size_t(kWidth / 2); ++i)
      value += elementOf(request.tiles(0), i);
  else
    value =
        compute(name, elementOf(request.tiles(0)), elementOf(request.tiles(1)));
  response.set_value(&value, sizeof(value));
  return response;
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
