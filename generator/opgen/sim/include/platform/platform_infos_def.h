// CANN stand-in: what is known of a chip.
#ifndef STANDIN_PLATFORM_PLATFORM_INFOS_DEF_H_
#define STANDIN_PLATFORM_PLATFORM_INFOS_DEF_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace fe {
enum class LocalMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, RESERVED };

class PlatFormInfosImpl;
class PlatFormInfos {
 public:
  bool Init();
  // False when the chip's description has no such entry: ("SoCInfo", "ai_core_cnt").
  bool GetPlatformRes(const std::string &label, const std::string &key, std::string &val);
  bool GetPlatformResWithLock(const std::string &label, const std::string &key, std::string &val);
  // Replaces the entries of a label.
  void SetPlatformRes(const std::string &label, std::map<std::string, std::string> &res);
  uint32_t GetCoreNum() const;
  void GetLocalMemSize(const LocalMemType &mem_type, uint64_t &size);

 private:
  std::shared_ptr<PlatFormInfosImpl> platform_infos_impl_;
};

class OptionalInfosImpl;
class OptionalInfos {
 public:
  bool Init();
  std::string GetSocVersion();
  std::string GetCoreType();
  uint32_t GetAICoreNum();
  void SetSocVersion(const std::string &soc_version);

 private:
  std::shared_ptr<OptionalInfosImpl> optional_infos_impl_;
};
}  // namespace fe

#endif  // STANDIN_PLATFORM_PLATFORM_INFOS_DEF_H_
