// The custom operators of a process or of a model, and the packages that they come from.
#ifndef STANDIN_SRC_CUSTOM_OPS_H_
#define STANDIN_SRC_CUSTOM_OPS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "archive.h"
#include "graph/custom_op.h"

namespace standin {
// One object for each operator type, made when it is first asked for and shared by everybody.
class Registry {
 public:
  ~Registry();

  // The first creator of a type counts; false for another one.
  bool Add(const std::string &type, const ge::BaseOpCreator &creator);
  // Null when nobody registered the type.
  ge::BaseCustomOp *Get(const std::string &type);
  // Libraries that the objects come from are closed after them.
  void Keep(void *library);

  // That of the process. It is never destroyed.
  static Registry &Global();

 private:
  std::mutex mutex_;
  std::map<std::string, ge::BaseOpCreator> creators_;
  std::map<std::string, std::unique_ptr<ge::BaseCustomOp>> objects_;
  std::vector<void *> libraries_;
};

// Loads every library of the packages in ASCEND_CUSTOM_OPP_PATH, once in a process. False, with a message, when one of
// them cannot be loaded; the process stays without packages then.
bool LoadPackages();

// Loads a library that comes out of a model. `own` gets its operators in CANN 9.2, the registry of the process in 9.1.
// Throws std::runtime_error when it cannot be loaded, or does not tell its operators.
void LoadEmbeddedLibrary(const Bytes &bytes, Registry &own);

// The library that the object's code is in.
std::string LibraryOf(const ge::PortableOp &op);
}  // namespace standin

#endif  // STANDIN_SRC_CUSTOM_OPS_H_
