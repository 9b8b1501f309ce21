#include "platform/platform_infos_def.h"

namespace fe {
class PlatFormInfosImpl {};

class OptionalInfosImpl {
 public:
  std::string soc_version;
};

namespace {
constexpr uint32_t kCores = 24U;
}  // namespace

bool PlatFormInfos::Init() {
  platform_infos_impl_ = std::make_shared<PlatFormInfosImpl>();
  return true;
}
bool PlatFormInfos::GetPlatformRes(const std::string &label, const std::string &key, std::string &val) {
  if (label != "SoCInfo" || key != "ai_core_cnt") {
    return false;
  }
  val = std::to_string(kCores);
  return true;
}
bool PlatFormInfos::GetPlatformResWithLock(const std::string &label, const std::string &key, std::string &val) {
  return GetPlatformRes(label, key, val);
}
uint32_t PlatFormInfos::GetCoreNum() const {
  return kCores;
}
void PlatFormInfos::GetLocalMemSize(const LocalMemType &mem_type, uint64_t &size) {
  size = mem_type == LocalMemType::UB ? 196608U : 0U;
}

bool OptionalInfos::Init() {
  optional_infos_impl_ = std::make_shared<OptionalInfosImpl>();
  return true;
}
std::string OptionalInfos::GetSocVersion() {
  return optional_infos_impl_ == nullptr ? "" : optional_infos_impl_->soc_version;
}
std::string OptionalInfos::GetCoreType() {
  return "AiCore";
}
uint32_t OptionalInfos::GetAICoreNum() {
  return kCores;
}
void OptionalInfos::SetSocVersion(const std::string &soc_version) {
  optional_infos_impl_->soc_version = soc_version;
}
}  // namespace fe
