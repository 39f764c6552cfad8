// The interfaces of ReproInterfaces.td.

#ifndef GENSYN_DIALECT_REPRO_INTERFACES_REPROINTERFACES_H
#define GENSYN_DIALECT_REPRO_INTERFACES_REPROINTERFACES_H

#include "gensyn/Dialect/Repro/Interfaces/ElementEmitter.h"
#include "gensyn/Numerics/ErrorBound.h"
#include "gensyn/Numerics/Order.h"
#include "gensyn/Numerics/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "gensyn/Dialect/Repro/Interfaces/ReproInterfaces.h.inc"

#endif
