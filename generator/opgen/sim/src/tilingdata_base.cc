#include "register/tilingdata_base.h"

#include <algorithm>

namespace optiling {
namespace {
constexpr size_t kWord = 8U;

size_t AlignUp(size_t value, size_t alignment) {
  return (value + alignment - 1U) / alignment * alignment;
}
}  // namespace

size_t TilingDef::Place(const char *dtype, const char *name, size_t size, size_t count) {
  const size_t offset = AlignUp(end_, std::min(size, kWord));
  fields_.push_back({dtype, name, size, count, offset});
  end_ = offset + size * std::max<size_t>(count, 1U);
  return offset;
}

void TilingDef::Finish(const char *class_name) {
  class_name_ = class_name;
  bytes_.assign(AlignUp(end_, kWord), 0U);
}

void TilingDef::SaveToBuffer(void *data, size_t capacity) const {
  if (data != nullptr && capacity >= bytes_.size()) {
    std::copy(bytes_.begin(), bytes_.end(), static_cast<uint8_t *>(data));
  }
}

CTilingDataClassFactory &CTilingDataClassFactory::GetInstance() {
  static CTilingDataClassFactory factory;
  return factory;
}

void CTilingDataClassFactory::RegisterTilingData(const char *op_type, TilingDataConstructor constructor) {
  constructors_[op_type] = constructor;
}

std::shared_ptr<TilingDef> CTilingDataClassFactory::CreateTilingDataInstance(const char *op_type) {
  const auto found = constructors_.find(op_type);
  return found == constructors_.end() ? nullptr : found->second();
}
}  // namespace optiling
