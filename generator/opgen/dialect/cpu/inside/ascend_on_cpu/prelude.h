// What a kernel in the Ascend dialect does, on a CPU. The text that TileLang generates for a kernel calls these
// functions; each names its element types as template arguments and gets addresses as untyped pointers.
#pragma once
#include "base.h"
#include "casts.h"
#include "copies.h"
#include "cube.h"
#include "masks.h"
#include "shapes.h"
#include "sorting.h"
#include "vector.h"
