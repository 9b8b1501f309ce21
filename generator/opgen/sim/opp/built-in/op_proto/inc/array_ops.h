// CANN stand-in: operators that have no computation.
#ifndef STANDIN_ARRAY_OPS_H_
#define STANDIN_ARRAY_OPS_H_

#include "ops_proto_legacy.h"

#endif  // STANDIN_ARRAY_OPS_H_
