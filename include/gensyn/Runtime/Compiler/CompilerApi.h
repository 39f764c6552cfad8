/* The ABI boundary between the runtime and the compiler library, in plain C.
 *
 * gensyn-run opens libgensyn-compiler.so when it is given an ONNX model, so
 * that the runtime itself links neither MLIR nor LLVM nor ONNX. Requests and
 * responses are serialised messages of gensyn.plan (lib/Executable/plan.proto):
 *
 *   method           request          response
 *   "compile"        CompileRequest   CompileResponse
 *   "info"           InfoRequest      InfoResponse
 *   "reference.load" LoadRequest      LoadResponse
 *   "reference.run"  RunRequest       RunResponse
 *   "export"         ExportRequest    ExportResponse (export.proto)
 *   "probe"          ProbeRequest     ProbeResponse (probe.proto)
 *   "entries"        EntriesRequest   EntriesResponse (proof.proto)
 *   "evaluate"       EvaluateRequest  EvaluateResponse (proof.proto)
 *   "map"            MapRequest       MapResponse (variants.proto)
 *   "passes"         PassesRequest    PassesResponse (passes.proto)
 *
 * A response carries its own Error and Attached. The JSON of "info" is one
 * object with these keys:
 *   model, producer, ir_version, opsets {domain: version},
 *   inputs and outputs [{name, type, shape: [extent or dimension name]}],
 *   parameters [{name, type, shape}], parameter_count,
 *   trained {parameters, tensors}, with a recipe: what its program trains,
 *   constants [names of float initializers that are not parameters],
 *   operators {name: number of nodes},
 *   training_info, if the model has one, {entries, initialization: true if it
 *   gives initializers other values},
 *   inference_normalizations, if there are any: the number of batch
 *   normalizations that use stored statistics,
 *   suspicions [sentences about initializers that an exporter may have merged],
 *   unsupported [{node, operator, reason}],
 *   assumed_dims {name: the size that is assumed for an open dimension},
 *   layers [{node, operator, type, shape, parameters, parameter_names, scope,
 *   reads, flops, program_flops}]: the nodes, the number of elements and the
 *   names of the parameters that each reads first, the path of the PyTorch
 * module in the exporter's metadata (or ""), the layers whose results it reads
 * (by index), the operations of inference and of the recipe's program, flops
 * and program_flops of the whole model. On request it also has, for the
 * compiled program (the recipe's, else that for inference): program_digest,
 * also with a recipe alone, orders [{function, operation, node, operator, type,
 * elements, points, order, roundings, relative_to: "terms" or "result"}]: the
 * error of a sum of `points` terms is at most about roundings u times the sum
 * of their absolute values, or times the result's, u being 2^-24 (f32) or 2^-53
 * (f64), kernels [{function, name, form, node, nodes, orders, type, shape,
 * elements, ops, buffers, flops, bytes_read, bytes_written, borders [{reader,
 * reason}], recomputes, of a kernel that computes the values of another one
 * again}]: the kernels, all nodes whose ops they compute, the orders of their
 * sums, type and shape of their first result, and the reason why a reader of
 * their results is another kernel, kernel_totals {formed, fused: {kernels,
 * flops, bytes_read, bytes_written}} before and after kernels are fused for the
 * device, division {pipeline, interleave, tensor, operations, divided, ranks
 * [{stage, tensor, phases, ops, operations, parameter_bytes, received_bytes,
 * received_values}], whole [{operation, reason: "no-pieces", "few-indices",
 * "price" or "view", ops, operations, points, sum {order, parts}, better
 * {order, parts, accuracy}}]}: the operations of a microbatch, those of ops
 * that the ranks of a stage divide, and the others, with the parts into which
 * the order of the longest sum and a better one let it be cut. gensyn-run
 * prints unknown keys only under --json.
 */
#ifndef GENSYN_RUNTIME_COMPILER_COMPILERAPI_H
#define GENSYN_RUNTIME_COMPILER_COMPILERAPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls `method` with `requestSize` bytes of a serialised request. Returns 0
 * and a serialised response in `*response`, which the caller must pass to
 * gensyn_compiler_free. Returns 1 and no response if the method is unknown or
 * the request does not parse; returns 2 if memory ran out or the response would
 * be larger than a message can be. Throws nothing and may be called from
 * several threads at once. */
int gensyn_compiler_call(const char *method, const uint8_t *request,
                         size_t requestSize, uint8_t **response,
                         size_t *responseSize);

/* Frees a response of gensyn_compiler_call, which may be null. */
void gensyn_compiler_free(uint8_t *response);

#ifdef __cplusplus
}
#endif

#endif
