// What REG_OP makes known, in this process.
#ifndef STANDIN_SRC_OPERATOR_FACTORY_H_
#define STANDIN_SRC_OPERATOR_FACTORY_H_

#include <string>

namespace standin {
// Forgets REG_OP of a type, whoever it came from.
void ForgetPrototype(const std::string &type);
}  // namespace standin

#endif  // STANDIN_SRC_OPERATOR_FACTORY_H_
