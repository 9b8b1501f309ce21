#include <functional>
#include <sstream>

#include "register/op_def_registry.h"

namespace standin {
namespace {
std::map<std::string, OpCreator> &Creators() {
  static std::map<std::string, OpCreator> creators;
  return creators;
}

template <typename T>
std::vector<int> Numbers(const std::vector<T> &values) {
  return std::vector<int>(values.begin(), values.end());
}

template <typename T>
std::string TextOf(const T &value) {
  std::ostringstream text;
  text.precision(9);
  text << std::boolalpha << value;
  return text.str();
}

template <typename T>
std::string TextOf(const std::vector<T> &values) {
  std::string text;
  for (const T value : values) {
    text += (text.empty() ? "" : ",") + TextOf(value);
  }
  return text;
}
}  // namespace

std::map<std::string, OpRecord> OpRecords() {
  std::map<std::string, OpRecord> records;
  for (const auto &creator : Creators()) {
    records[creator.first] = creator.second(creator.first.c_str()).StandinRecord();
  }
  return records;
}
}  // namespace standin

namespace ops {
using standin::Numbers;
using standin::TextOf;

OpParamDef &OpParamDef::ParamType(Option param_type) {
  record_->kind = param_type;
  return *this;
}
OpParamDef &OpParamDef::DataType(std::vector<ge::DataType> types) {
  record_->types = Numbers(types);
  return *this;
}
OpParamDef &OpParamDef::DataTypeList(std::vector<ge::DataType> types) {
  record_->type_list = true;
  return DataType(std::move(types));
}
OpParamDef &OpParamDef::Format(std::vector<ge::Format> formats) {
  record_->formats = Numbers(formats);
  return *this;
}
OpParamDef &OpParamDef::FormatList(std::vector<ge::Format> formats) {
  record_->format_list = true;
  return Format(std::move(formats));
}
OpParamDef &OpParamDef::UnknownShapeFormat(std::vector<ge::Format> formats) {
  record_->unknown_shape_formats = Numbers(formats);
  return *this;
}
OpParamDef &OpParamDef::ValueDepend(Option value_depend) {
  record_->value_depend = value_depend == REQUIRED ? "required" : "optional";
  return *this;
}
OpParamDef &OpParamDef::ValueDepend(Option value_depend, DependScope) {
  return ValueDepend(value_depend);
}
OpParamDef &OpParamDef::IgnoreContiguous() {
  return *this;
}
OpParamDef &OpParamDef::AutoContiguous() {
  record_->auto_contiguous = true;
  return *this;
}
OpParamDef &OpParamDef::Follow(const char *param_name) {
  record_->follows = param_name;
  return *this;
}
OpParamDef &OpParamDef::Follow(const char *param_name, FollowType) {
  return Follow(param_name);
}
OpParamDef &OpParamDef::Comment(const char *) {
  return *this;
}

OpAttrDef &OpAttrDef::Set(const char *type, const std::string *value) {
  record_->type = type;
  record_->has_value = value != nullptr;
  record_->value = value == nullptr ? "" : *value;
  return *this;
}
OpAttrDef &OpAttrDef::AttrType(Option attr_type) {
  record_->kind = attr_type;
  return *this;
}
OpAttrDef &OpAttrDef::Comment(const char *) {
  return *this;
}

#define STANDIN_ATTR(Kind, type, name)      \
  OpAttrDef &OpAttrDef::Kind() {            \
    return Set(name, nullptr);              \
  }                                         \
  OpAttrDef &OpAttrDef::Kind(type value) {  \
    const std::string text = TextOf(value); \
    return Set(name, &text);                \
  }
STANDIN_ATTR(Bool, bool, "bool")
STANDIN_ATTR(Float, float, "float")
STANDIN_ATTR(Int, int64_t, "int")
STANDIN_ATTR(String, const char *, "str")
STANDIN_ATTR(ListBool, std::vector<bool>, "listBool")
STANDIN_ATTR(ListFloat, std::vector<float>, "listFloat")
STANDIN_ATTR(ListInt, std::vector<int64_t>, "listInt")
#undef STANDIN_ATTR

OpAttrDef &OpAttrDef::ListListInt() {
  return Set("listListInt", nullptr);
}
OpAttrDef &OpAttrDef::ListListInt(std::vector<std::vector<int64_t>> value) {
  std::string text;
  for (const std::vector<int64_t> &row : value) {
    text += (text.empty() ? "" : ";") + TextOf(row);
  }
  return Set("listListInt", &text);
}

OpAICoreConfig &OpAICoreConfig::Set(const char *key, const std::string &value) {
  for (auto &item : record_.items) {
    if (item.first == key) {
      item.second = value;
      return *this;
    }
  }
  record_.items.emplace_back(key, value);
  return *this;
}
OpAICoreConfig &OpAICoreConfig::DynamicCompileStaticFlag(bool flag) {
  return Set("dynamicCompileStatic.flag", TextOf(flag));
}
OpAICoreConfig &OpAICoreConfig::DynamicFormatFlag(bool flag) {
  return Set("dynamicFormat.flag", TextOf(flag));
}
OpAICoreConfig &OpAICoreConfig::DynamicRankSupportFlag(bool flag) {
  return Set("dynamicRankSupport.flag", TextOf(flag));
}
OpAICoreConfig &OpAICoreConfig::DynamicShapeSupportFlag(bool flag) {
  return Set("dynamicShapeSupport.flag", TextOf(flag));
}
OpAICoreConfig &OpAICoreConfig::NeedCheckSupportFlag(bool flag) {
  return Set("needCheckSupport.flag", TextOf(flag));
}
OpAICoreConfig &OpAICoreConfig::PrecisionReduceFlag(bool flag) {
  return Set("precision_reduce.flag", TextOf(flag));
}
OpAICoreConfig &OpAICoreConfig::ExtendCfgInfo(const char *key, const char *value) {
  return Set(key, value);
}

OpAICoreDef &OpAICoreDef::SetTiling(gert::OpImplRegisterV2::TilingKernelFunc function) {
  (void)gert::OpImplRegisterV2(record_->type.c_str()).Tiling(function);
  return *this;
}
OpAICoreDef &OpAICoreDef::AddConfig(const char *soc) {
  OpAICoreConfig config;
  return AddConfig(soc, config);
}
OpAICoreDef &OpAICoreDef::AddConfig(const char *soc, OpAICoreConfig &config) {
  record_->configs.push_back(config.record_);
  record_->configs.back().soc = soc;
  return *this;
}

OpDef::OpDef(const char *type)
    : record_(std::make_shared<standin::OpRecord>()),
      aicore_(std::make_shared<OpAICoreDef>(record_.get())),
      params_(std::make_shared<std::deque<OpParamDef>>()),
      attrs_(std::make_shared<std::deque<OpAttrDef>>()) {
  record_->type = type;
}

// A name that is there already is the same parameter: what is said of it last counts.
OpParamDef &OpDef::Param(std::deque<standin::ParamRecord> &records, const char *name) {
  for (standin::ParamRecord &record : records) {
    if (record.name == name) {
      record.again = true;
      return params_->emplace_back(&record);
    }
  }
  records.emplace_back().name = name;
  return params_->emplace_back(&records.back());
}
OpParamDef &OpDef::Input(const char *name) {
  return Param(record_->inputs, name);
}
OpParamDef &OpDef::Output(const char *name) {
  return Param(record_->outputs, name);
}
OpAttrDef &OpDef::Attr(const char *name) {
  for (standin::AttrRecord &record : record_->attrs) {
    if (record.name == name) {
      record.again = true;
      return attrs_->emplace_back(&record);
    }
  }
  record_->attrs.emplace_back().name = name;
  return attrs_->emplace_back(&record_->attrs.back());
}
OpAICoreDef &OpDef::AICore() {
  return *aicore_;
}
OpDef &OpDef::SetInferShape(gert::OpImplRegisterV2::InferShapeKernelFunc function) {
  (void)gert::OpImplRegisterV2(record_->type.c_str()).InferShape(function);
  return *this;
}
OpDef &OpDef::SetInferDataType(gert::OpImplRegisterV2::InferDataTypeKernelFunc function) {
  (void)gert::OpImplRegisterV2(record_->type.c_str()).InferDataType(function);
  return *this;
}

int OpDefFactory::OpDefRegister(const char *type, const standin::OpCreator &creator) {
  standin::Creators()[type] = creator;
  return 0;
}
}  // namespace ops
