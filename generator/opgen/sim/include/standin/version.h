// CANN stand-in: which CANN it behaves like. 91 is CANN 9.1, 92 is CANN 9.2.
#ifndef STANDIN_VERSION_H_
#define STANDIN_VERSION_H_

#ifndef CANN_STANDIN_VERSION
#define CANN_STANDIN_VERSION 92
#endif

#endif  // STANDIN_VERSION_H_
