// CANN stand-in: names of GE's options.
#ifndef STANDIN_GE_GE_API_TYPES_H_
#define STANDIN_GE_GE_API_TYPES_H_

namespace ge {
constexpr char OPTION_EXEC_DEVICE_ID[] = "ge.exec.deviceId";
constexpr char OPTION_GRAPH_RUN_MODE[] = "ge.graphRunMode";
constexpr char SOC_VERSION[] = "ge.socVersion";
}  // namespace ge

#endif  // STANDIN_GE_GE_API_TYPES_H_
