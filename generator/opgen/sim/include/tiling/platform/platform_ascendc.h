// CANN stand-in: what tiling asks of the chip.
#ifndef STANDIN_TILING_PLATFORM_PLATFORM_ASCENDC_H_
#define STANDIN_TILING_PLATFORM_PLATFORM_ASCENDC_H_

#include <cstdint>

#include "platform/platform_infos_def.h"

namespace platform_ascendc {
enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, FB = 7, BT = 8, RESERVED };
enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,
  ASCEND310P,
  ASCEND310B,
  ASCEND910_93 = 5,
  ASCEND950,
  RESERVED_VERSION = 99999
};

class PlatformAscendC {
 public:
  explicit PlatformAscendC(fe::PlatFormInfos *platform_info) : platform_info_(platform_info) {}

  uint32_t GetCoreNum() const { return GetCoreNumAic(); }
  // Cube cores, vector cores.
  uint32_t GetCoreNumAic() const;
  uint32_t GetCoreNumAiv() const;
  void GetCoreMemSize(const CoreMemType &mem_type, uint64_t &size) const;
  SocVersion GetSocVersion() const;
  // Bytes of the workspace that the system keeps to itself.
  uint32_t GetLibApiWorkSpaceSize() const;

 private:
  fe::PlatFormInfos *platform_info_;
};
}  // namespace platform_ascendc

#endif  // STANDIN_TILING_PLATFORM_PLATFORM_ASCENDC_H_
