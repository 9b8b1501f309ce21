// CANN stand-in: what differs between compilers.
#ifndef STANDIN_GRAPH_COMPILER_DEF_H_
#define STANDIN_GRAPH_COMPILER_DEF_H_

#define VAR_UNUSED __attribute__((unused))

#endif  // STANDIN_GRAPH_COMPILER_DEF_H_
