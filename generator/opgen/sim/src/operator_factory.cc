#include "graph/operator_factory.h"

#include <map>
#include <mutex>
#include <string>

#include "custom_ops.h"
#include "operator_factory.h"

namespace {
struct Factory {
  std::mutex mutex;
  std::map<std::string, ge::OpCreatorV2> creators;
};

Factory &TheFactory() {
  static auto *factory = new Factory;  // libraries register and go at any time
  return *factory;
}
}  // namespace

void standin::ForgetPrototype(const std::string &type) {
  Factory &factory = TheFactory();
  const std::lock_guard<std::mutex> lock(factory.mutex);
  factory.creators.erase(type);
}

namespace ge {
OperatorCreatorRegister::OperatorCreatorRegister(const char_t *type, const OpCreatorV2 &creator) {
  Factory &factory = TheFactory();
  const std::lock_guard<std::mutex> lock(factory.mutex);
  if (factory.creators.insert({type, creator}).second && standin::registrations != nullptr) {
    standin::registrations->prototypes.emplace_back(type);
  }
}

Operator OperatorFactory::CreateOperator(const char_t *name, const char_t *type) {
  Factory &factory = TheFactory();
  const std::lock_guard<std::mutex> lock(factory.mutex);
  const auto found = factory.creators.find(type);
  return found == factory.creators.end() ? Operator() : found->second(name);
}

bool OperatorFactory::IsExistOp(const char_t *type) {
  Factory &factory = TheFactory();
  const std::lock_guard<std::mutex> lock(factory.mutex);
  return factory.creators.count(type) > 0U;
}

graphStatus OperatorFactory::GetOpsTypeList(std::vector<AscendString> &types) {
  Factory &factory = TheFactory();
  const std::lock_guard<std::mutex> lock(factory.mutex);
  for (const auto &creator : factory.creators) {
    types.emplace_back(creator.first.c_str());
  }
  return GRAPH_SUCCESS;
}
}  // namespace ge
