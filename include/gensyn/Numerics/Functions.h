// The correctly rounded f32 functions, each described once over an arithmetic
// policy: exp, expm1, sigmoid, tanh, log, log1p, erf. See docs/Numerics.md,
// function_r1.

#ifndef GENSYN_NUMERICS_FUNCTIONS_H
#define GENSYN_NUMERICS_FUNCTIONS_H

#include "gensyn/Numerics/Functions/Erf.h"
#include "gensyn/Numerics/Functions/Exp.h"
#include "gensyn/Numerics/Functions/Log.h"

#endif // GENSYN_NUMERICS_FUNCTIONS_H
