// CANN stand-in: a class that describes the bytes of TilingData to the build of a package.
#ifndef STANDIN_REGISTER_TILINGDATA_BASE_H_
#define STANDIN_REGISTER_TILINGDATA_BASE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/ascend_string.h"
#include "securec.h"

namespace optiling {
// count: 0 for a single value. offset: in bytes.
struct FieldInfo {
  std::string dtype;
  std::string name;
  size_t size;
  size_t count;
  size_t offset;
};

class TilingDef {
 public:
  void SaveToBuffer(void *data, size_t capacity) const;
  const std::vector<FieldInfo> &GetFieldInfo() const { return fields_; }
  const char *GetTilingClassName() const { return class_name_; }
  // Bytes, whole words.
  size_t GetDataSize() const { return bytes_.size(); }

 protected:
  // Makes room for a field, aligned to its elements, and tells where it is.
  size_t Place(const char *dtype, const char *name, size_t size, size_t count);
  void Finish(const char *class_name);
  void *At(size_t offset) { return bytes_.data() + offset; }

 private:
  const char *class_name_ = "";
  std::vector<FieldInfo> fields_;
  size_t end_ = 0U;
  std::vector<uint8_t> bytes_;
};

using TilingDataConstructor = std::shared_ptr<TilingDef> (*)();

class CTilingDataClassFactory {
 public:
  static CTilingDataClassFactory &GetInstance();
  void RegisterTilingData(const char *op_type, TilingDataConstructor constructor);
  // Null when no class is registered for the type.
  std::shared_ptr<TilingDef> CreateTilingDataInstance(const char *op_type);

 private:
  std::map<std::string, TilingDataConstructor> constructors_;
};
}  // namespace optiling

#define BEGIN_TILING_DATA_DEF(class_name) \
  class class_name : public TilingDef {   \
   public:                                \
    class_name() {                        \
      TilingDef::Finish(#class_name);     \
    }

#define TILING_DATA_FIELD_DEF(data_type, field_name)              \
 public:                                                          \
  void set_##field_name(data_type value) {                        \
    std::memcpy(At(field_name##_offset_), &value, sizeof(value)); \
  }                                                               \
  data_type get_##field_name() {                                  \
    data_type value;                                              \
    std::memcpy(&value, At(field_name##_offset_), sizeof(value)); \
    return value;                                                 \
  }                                                               \
                                                                  \
 private:                                                         \
  size_t field_name##_offset_ = Place(#data_type, #field_name, sizeof(data_type), 0U);

#define TILING_DATA_FIELD_DEF_ARR(arr_type, arr_size, field_name)                 \
 public:                                                                          \
  void set_##field_name(const arr_type *values) {                                 \
    std::memcpy(At(field_name##_offset_), values, (arr_size) * sizeof(arr_type)); \
  }                                                                               \
  arr_type *get_##field_name() {                                                  \
    return static_cast<arr_type *>(At(field_name##_offset_));                     \
  }                                                                               \
                                                                                  \
 private:                                                                         \
  size_t field_name##_offset_ = Place(#arr_type, #field_name, sizeof(arr_type), arr_size);

#define END_TILING_DATA_DEF \
  }                         \
  ;

// Needs the names of optiling.
#define REGISTER_TILING_DATA_CLASS(op_type, class_name)                                             \
  namespace {                                                                                       \
  struct op_type##class_name##Helper {                                                              \
    op_type##class_name##Helper() {                                                                 \
      CTilingDataClassFactory::GetInstance().RegisterTilingData(                                    \
          #op_type, []() -> std::shared_ptr<TilingDef> { return std::make_shared<class_name>(); }); \
    }                                                                                               \
  };                                                                                                \
  op_type##class_name##Helper g_tilingdata_##op_type##class_name##helper;                           \
  }

#endif  // STANDIN_REGISTER_TILINGDATA_BASE_H_
