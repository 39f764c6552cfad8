/* Trains a model with nothing but the CUDA driver: the PTX and the tables that
 * gensyn-translate wrote, parameters and data out of safetensors files.
 *
 *   train lenet.ptx parameters.safetensors data.safetensors [steps]
 *
 * The batches are those of the file, in its order. Each step's loss is printed
 * with its bits: they are the same on every GPU, and on a CPU. */

#include "lenet.h" /* lenet_launches and the other tables */

#include "safetensors.h"

#include <cuda.h>

/* Stops with the driver's own words. */
static void check(CUresult result, const char *what) {
  const char *text = NULL;
  if (result == CUDA_SUCCESS)
    return;
  cuGetErrorString(result, &text);
  fail(text ? text : "unknown error", what);
}

static CUdeviceptr allocate(uint64_t bytes, const char *what) {
  CUdeviceptr memory = 0;
  check(cuMemAlloc(&memory, bytes ? bytes : 1), what);
  return memory;
}

/* What a program holds on the GPU. */
static CUdeviceptr inputs[LENET_INPUTS + 1], outputs[LENET_OUTPUTS + 1];
static CUdeviceptr arena, constants, faults;
static CUfunction functions[LENET_LAUNCHES + 1];

/* An output that may be written over the input that it replaces is; any other
 * one has memory of its own, which changes places with the input's. */
static void allocate_all(void) {
  int i;
  for (i = 0; i < LENET_INPUTS; ++i)
    inputs[i] = allocate(lenet_inputs[i].bytes, lenet_inputs[i].name);
  for (i = 0; i < LENET_OUTPUTS; ++i)
    outputs[i] = lenet_outputs[i].in_place
                     ? inputs[lenet_outputs[i].replaces]
                     : allocate(lenet_outputs[i].bytes, lenet_outputs[i].name);
  arena = allocate(LENET_ARENA_BYTES, "the arena");
  faults = allocate(8 * LENET_FAULTS, "faults");
  constants = allocate(LENET_CONSTANT_BYTES, "constants");
#if LENET_CONSTANTS_ARE_IN_FILE
#error "this example expects its constants in the header"
#endif
  if (LENET_CONSTANT_BYTES)
    check(cuMemcpyHtoD(constants, lenet_constants, LENET_CONSTANT_BYTES),
          "constants");
}

/* One value in every element. */
static void fill(CUdeviceptr to, const struct gensyn_tensor *tensor) {
  char *bytes = malloc(tensor->bytes);
  const float single = (float)tensor->fill;
  const int is_single = strcmp(tensor->type, "f32") == 0;
  const size_t width = is_single ? sizeof(float) : sizeof(double);
  uint64_t at;
  if (!bytes || (!is_single && strcmp(tensor->type, "f64") != 0))
    fail("cannot be filled", tensor->name);
  for (at = 0; at < tensor->bytes; at += width)
    memcpy(bytes + at, is_single ? (const void *)&single : &tensor->fill,
           width);
  check(cuMemcpyHtoD(to, bytes, tensor->bytes), tensor->name);
  free(bytes);
}

/* Parameters come from the file; states start with one value everywhere. */
static void load_parameters(const char *path) {
  struct safetensors file = open_safetensors(path);
  int i;
  for (i = 0; i < LENET_INPUTS; ++i) {
    const struct gensyn_tensor *input = &lenet_inputs[i];
    uint64_t bytes = 0;
    const char *values = find_tensor(&file, input->name, &bytes);
    if (input->has_fill) {
      fill(inputs[i], input);
    } else if (strcmp(input->role, "parameter") == 0) {
      if (!values || bytes != input->bytes)
        fail("no such tensor, or of another size", input->name);
      check(cuMemcpyHtoD(inputs[i], values, bytes), input->name);
    }
  }
}

/* What changes from step to step: a batch of the data, the number of the step,
 * and the seed, which is 0 here. */
static void load_batch(const struct safetensors *data, uint64_t step) {
  int i;
  for (i = 0; i < LENET_INPUTS; ++i) {
    const struct gensyn_tensor *input = &lenet_inputs[i];
    if (strcmp(input->role, "input") == 0 ||
        strcmp(input->role, "target") == 0) {
      uint64_t bytes = 0;
      const char *values = find_tensor(data, input->name, &bytes);
      uint64_t batches = values ? bytes / input->bytes : 0;
      if (!batches)
        fail("no such tensor, or too small", input->name);
      check(cuMemcpyHtoD(inputs[i], values + step % batches * input->bytes,
                         input->bytes),
            input->name);
    } else if (strcmp(input->role, "key") == 0) {
      check(cuMemsetD32(inputs[i], 0, input->bytes / 4), input->name);
    } else if (strcmp(input->role, "step") == 0) {
      const float number = (float)step;
      const void *value = strcmp(input->type, "f32") == 0
                              ? (const void *)&number
                              : (const void *)&step;
      check(cuMemcpyHtoD(inputs[i], value, input->bytes), input->name);
    }
  }
}

static CUdeviceptr place_of(const struct gensyn_buffer *buffer) {
  switch (buffer->place) {
  case GENSYN_INPUT:
    return inputs[buffer->at];
  case GENSYN_OUTPUT:
    return outputs[buffer->at];
  case GENSYN_CONSTANT:
    return constants + buffer->at;
  case GENSYN_FAULT:
    return faults + 8 * buffer->at;
  default:
    return arena + buffer->at;
  }
}

static void launch_all(void) {
  int i;
  unsigned j;
  for (i = 0; i < LENET_LAUNCHES; ++i) {
    const struct gensyn_launch *launch = &lenet_launches[i];
    CUdeviceptr pointers[512];
    void *arguments[512];
    if (launch->buffers > 512)
      fail("has more arguments than this example expects", launch->kernel);
    for (j = 0; j < launch->buffers; ++j) {
      pointers[j] =
          place_of(&lenet_buffers[lenet_arguments[launch->first + j]]);
      arguments[j] = &pointers[j];
    }
    check(cuLaunchKernel(functions[i], launch->grid[0], launch->grid[1],
                         launch->grid[2], launch->block[0], launch->block[1],
                         launch->block[2], launch->shared_bytes, NULL,
                         arguments, NULL),
          launch->kernel);
  }
  check(cuCtxSynchronize(), "a step");
}

static void check_faults(void) {
  uint64_t words[LENET_FAULTS + 1];
  int i;
  if (!LENET_FAULTS)
    return;
  check(cuMemcpyDtoH(words, faults, 8 * LENET_FAULTS), "faults");
  for (i = 0; i < LENET_FAULTS; ++i)
    if (words[i] != UINT64_MAX)
      fail(lenet_faults[i].message, lenet_faults[i].node);
}

/* Prints the loss, and gives what was updated to the next step. */
static void finish_step(uint64_t step) {
  int i;
  for (i = 0; i < LENET_OUTPUTS; ++i) {
    const struct gensyn_tensor *output = &lenet_outputs[i];
    if (strcmp(output->role, "loss") == 0) {
      float loss;
      unsigned bits;
      check(cuMemcpyDtoH(&loss, outputs[i], sizeof(loss)), "loss");
      memcpy(&bits, &loss, sizeof(bits));
      printf("step %llu loss %.9g 0x%08x\n", (unsigned long long)step + 1, loss,
             bits);
    }
    if (output->replaces >= 0 && !output->in_place) {
      CUdeviceptr old = inputs[output->replaces];
      inputs[output->replaces] = outputs[i];
      outputs[i] = old;
    }
  }
}

int main(int argc, char **argv) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  struct safetensors data;
  size_t size;
  uint64_t step, steps;
  int i;
  if (argc < 4)
    fail("a PTX file, parameters and data are wanted", argv[0]);
  steps = argc > 4 ? strtoull(argv[4], NULL, 10) : 10;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "the first GPU");
  check(cuDevicePrimaryCtxRetain(&context, device), "a context");
  check(cuCtxSetCurrent(context), "a context");
  check(cuModuleLoadData(&module, read_file(argv[1], &size)), argv[1]);
  for (i = 0; i < LENET_LAUNCHES; ++i) {
    const struct gensyn_launch *launch = &lenet_launches[i];
    check(cuModuleGetFunction(&functions[i], module, launch->kernel),
          launch->kernel);
    if (launch->shared_bytes)
      check(cuFuncSetAttribute(functions[i],
                               CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                               (int)launch->shared_bytes),
            launch->kernel);
  }
  allocate_all();
  load_parameters(argv[2]);
  data = open_safetensors(argv[3]);
  for (step = 0; step < steps; ++step) {
    load_batch(&data, step);
    if (LENET_FAULTS)
      check(cuMemsetD32(faults, 0xffffffff, 2 * LENET_FAULTS), "faults");
    launch_all();
    check_faults();
    finish_step(step);
  }
  check(cuDevicePrimaryCtxRelease(device), "a context");
  return 0;
}
