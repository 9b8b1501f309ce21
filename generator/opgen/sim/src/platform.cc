#include <cstdlib>

#include "platform/platform_infos_def.h"
#include "tiling/platform/platform_ascendc.h"

namespace fe {
class PlatFormInfosImpl {
 public:
  std::map<std::string, std::map<std::string, std::string>> entries;
};

class OptionalInfosImpl {
 public:
  std::string soc_version;
};

namespace {
constexpr uint32_t kCores = 24U;
constexpr uint64_t kUnifiedBuffer = 196608U;  // bytes
}  // namespace

bool PlatFormInfos::Init() {
  platform_infos_impl_ = std::make_shared<PlatFormInfosImpl>();
  platform_infos_impl_->entries["SoCInfo"]["ai_core_cnt"] = std::to_string(kCores);
  platform_infos_impl_->entries["AICoreSpec"]["ub_size"] = std::to_string(kUnifiedBuffer);
  return true;
}
bool PlatFormInfos::GetPlatformRes(const std::string &label, const std::string &key, std::string &val) {
  if (platform_infos_impl_ == nullptr) {
    return false;
  }
  const auto entries = platform_infos_impl_->entries.find(label);
  if (entries == platform_infos_impl_->entries.end() || entries->second.count(key) == 0U) {
    return false;
  }
  val = entries->second[key];
  return true;
}
bool PlatFormInfos::GetPlatformResWithLock(const std::string &label, const std::string &key, std::string &val) {
  return GetPlatformRes(label, key, val);
}
void PlatFormInfos::SetPlatformRes(const std::string &label, std::map<std::string, std::string> &res) {
  platform_infos_impl_->entries[label] = res;
}
uint32_t PlatFormInfos::GetCoreNum() const {
  return kCores;
}
void PlatFormInfos::GetLocalMemSize(const LocalMemType &mem_type, uint64_t &size) {
  std::string bytes = "0";
  (void)(mem_type == LocalMemType::UB && GetPlatformRes("AICoreSpec", "ub_size", bytes));
  size = std::strtoull(bytes.c_str(), nullptr, 10);
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

namespace platform_ascendc {
namespace {
constexpr uint32_t kSystemWorkspace = 16U * 1024U * 1024U;

// 0 when the chip does not tell.
uint32_t Entry(fe::PlatFormInfos *infos, const char *label, const char *key) {
  std::string text;
  const bool known = infos != nullptr && infos->GetPlatformRes(label, key, text);
  return known ? static_cast<uint32_t>(std::strtoul(text.c_str(), nullptr, 10)) : 0U;
}
}  // namespace

uint32_t PlatformAscendC::GetCoreNumAic() const {
  const uint32_t cores = Entry(platform_info_, "SoCInfo", "cube_core_cnt");
  return cores > 0U ? cores : Entry(platform_info_, "SoCInfo", "ai_core_cnt");
}
uint32_t PlatformAscendC::GetCoreNumAiv() const {
  const uint32_t cores = Entry(platform_info_, "SoCInfo", "vector_core_cnt");
  return cores > 0U ? cores : Entry(platform_info_, "SoCInfo", "ai_core_cnt");
}
void PlatformAscendC::GetCoreMemSize(const CoreMemType &mem_type, uint64_t &size) const {
  size = mem_type == CoreMemType::UB ? Entry(platform_info_, "AICoreSpec", "ub_size") : 0U;
}
SocVersion PlatformAscendC::GetSocVersion() const {
  std::string name;
  const bool known = platform_info_ != nullptr && platform_info_->GetPlatformRes("version", "Short_SoC_version", name);
  return known && name == "Ascend950" ? SocVersion::ASCEND950 : SocVersion::RESERVED_VERSION;
}
uint32_t PlatformAscendC::GetLibApiWorkSpaceSize() const {
  return kSystemWorkspace;
}
}  // namespace platform_ascendc
