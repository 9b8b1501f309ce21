// The custom operators of a process or of a model, and the libraries that they come from.
#ifndef STANDIN_SRC_CUSTOM_OPS_H_
#define STANDIN_SRC_CUSTOM_OPS_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "archive.h"
#include "graph/custom_op.h"

namespace standin {
class Library;

// One object for each operator type, made when it is first asked for and shared by everybody.
class Registry {
 public:
  Registry() = default;
  ~Registry();
  Registry(const Registry &) = delete;
  Registry &operator=(const Registry &) = delete;

  // The first creator of a type counts; another one is ignored, with a warning. Whether it was the first.
  bool Add(const std::string &type, const ge::BaseOpCreator &creator);
  void Remove(const std::string &type);
  // Null when nobody registered the type.
  ge::BaseCustomOp *Get(const std::string &type);
  // The library that objects come from stays until they are gone.
  void Keep(std::shared_ptr<Library> library);

  // That of the process. Its objects die when the process ends, after main; what they call of ACL then is told.
  static Registry &Global();

 private:
  struct Ending;

  std::mutex mutex_;
  std::vector<std::shared_ptr<Library>> libraries_;
  std::map<std::string, ge::BaseOpCreator> creators_;
  std::map<std::string, std::unique_ptr<ge::BaseCustomOp>> objects_;
};

// What a library registers in the process while it is loaded.
struct Registrations {
  std::vector<std::string> prototypes;  // REG_OP
  std::vector<std::string> operators;   // REG_AUTO_MAPPING_OP
};

// Those of the library that this thread loads, if it does.
extern thread_local Registrations *registrations;

// Loads every library of the packages in ASCEND_CUSTOM_OPP_PATH, once in a process. False, with a message, when one of
// them cannot be loaded; the process stays without packages then.
bool LoadPackages();

// Loads a library that comes out of a model. `own` gets its operators in CANN 9.2, the registry of the process in 9.1.
// Throws std::runtime_error when it cannot be loaded, or does not tell its operators; nothing stays of it then.
void LoadEmbeddedLibrary(const Bytes &bytes, Registry &own);

// The file that the object's code is in.
std::string LibraryOf(const ge::PortableOp &op);
}  // namespace standin

#endif  // STANDIN_SRC_CUSTOM_OPS_H_
