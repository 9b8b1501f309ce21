// CANN stand-in: the definition of an operator, from which CANN's op_build derives its interfaces.
#ifndef STANDIN_REGISTER_OP_DEF_REGISTRY_H_
#define STANDIN_REGISTER_OP_DEF_REGISTRY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph/compiler_def.h"
#include "graph/operator_reg.h"
#include "graph/types.h"
#include "register/op_impl_registry.h"
#include "standin/op_record.h"

namespace ops {
enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class DependScope : uint32_t { ALL = 0, TILING = 1, INVALID_SCOPE };
enum class FollowType : uint32_t { ALL = 0, DTYPE = 1, FORMAT = 2, SHAPE = 3, INVALID_TYPE };

// A view of a record that belongs to the definition.
class OpParamDef {
 public:
  explicit OpParamDef(standin::ParamRecord *record) : record_(record) {}

  OpParamDef &ParamType(Option param_type);
  OpParamDef &DataType(std::vector<ge::DataType> types);
  OpParamDef &DataTypeList(std::vector<ge::DataType> types);
  OpParamDef &Format(std::vector<ge::Format> formats);
  OpParamDef &FormatList(std::vector<ge::Format> formats);
  OpParamDef &UnknownShapeFormat(std::vector<ge::Format> formats);
  OpParamDef &ValueDepend(Option value_depend);
  OpParamDef &ValueDepend(Option value_depend, DependScope scope);
  OpParamDef &IgnoreContiguous();
  OpParamDef &AutoContiguous();
  OpParamDef &Follow(const char *param_name);
  OpParamDef &Follow(const char *param_name, FollowType type);
  OpParamDef &Comment(const char *comment);

 private:
  standin::ParamRecord *record_;
};

class OpAttrDef {
 public:
  explicit OpAttrDef(standin::AttrRecord *record) : record_(record) {}

  OpAttrDef &AttrType(Option attr_type);
  OpAttrDef &Bool();
  OpAttrDef &Bool(bool value);
  OpAttrDef &Float();
  OpAttrDef &Float(float value);
  OpAttrDef &Int();
  OpAttrDef &Int(int64_t value);
  OpAttrDef &String();
  OpAttrDef &String(const char *value);
  OpAttrDef &ListBool();
  OpAttrDef &ListBool(std::vector<bool> value);
  OpAttrDef &ListFloat();
  OpAttrDef &ListFloat(std::vector<float> value);
  OpAttrDef &ListInt();
  OpAttrDef &ListInt(std::vector<int64_t> value);
  OpAttrDef &ListListInt();
  OpAttrDef &ListListInt(std::vector<std::vector<int64_t>> value);
  OpAttrDef &Comment(const char *comment);

 private:
  OpAttrDef &Set(const char *type, const std::string *value);

  standin::AttrRecord *record_;
};

class OpAICoreConfig {
 public:
  OpAICoreConfig &DynamicCompileStaticFlag(bool flag);
  OpAICoreConfig &DynamicFormatFlag(bool flag);
  OpAICoreConfig &DynamicRankSupportFlag(bool flag);
  OpAICoreConfig &DynamicShapeSupportFlag(bool flag);
  OpAICoreConfig &NeedCheckSupportFlag(bool flag);
  OpAICoreConfig &PrecisionReduceFlag(bool flag);
  OpAICoreConfig &ExtendCfgInfo(const char *key, const char *value);

 private:
  friend class OpAICoreDef;

  OpAICoreConfig &Set(const char *key, const std::string &value);

  standin::ConfigRecord record_;
};

class OpAICoreDef {
 public:
  explicit OpAICoreDef(standin::OpRecord *record) : record_(record) {}

  OpAICoreDef &SetTiling(gert::OpImplRegisterV2::TilingKernelFunc function);
  OpAICoreDef &AddConfig(const char *soc);
  OpAICoreDef &AddConfig(const char *soc, OpAICoreConfig &config);

 private:
  standin::OpRecord *record_;
};

class OpDef {
 public:
  explicit OpDef(const char *type);

  OpParamDef &Input(const char *name);
  OpParamDef &Output(const char *name);
  OpAttrDef &Attr(const char *name);
  OpAICoreDef &AICore();
  OpDef &SetInferShape(gert::OpImplRegisterV2::InferShapeKernelFunc function);
  OpDef &SetInferDataType(gert::OpImplRegisterV2::InferDataTypeKernelFunc function);

  const standin::OpRecord &StandinRecord() const { return *record_; }

 private:
  OpParamDef &Param(std::deque<standin::ParamRecord> &records, const char *name);

  std::shared_ptr<standin::OpRecord> record_;
  std::shared_ptr<OpAICoreDef> aicore_;
  std::shared_ptr<std::deque<OpParamDef>> params_;
  std::shared_ptr<std::deque<OpAttrDef>> attrs_;
};

class OpDefFactory {
 public:
  static int OpDefRegister(const char *type, const standin::OpCreator &creator);
};
}  // namespace ops

#define OP_ADD(op_type)                       \
  static int VAR_UNUSED g_##op_type##_added = \
      ops::OpDefFactory::OpDefRegister(#op_type, [](const char *name) -> ops::OpDef { return op_type(name); })

#endif  // STANDIN_REGISTER_OP_DEF_REGISTRY_H_
