// Libraries out of models.
#ifndef STANDIN_SRC_LIBRARY_H_
#define STANDIN_SRC_LIBRARY_H_

#include <memory>
#include <string>

#include "archive.h"
#include "custom_ops.h"

namespace standin {
// A library in memory. Equal bytes are one library. The last owner closes it, and what it registered in the process
// goes with it.
class Library {
 public:
  // Throws std::runtime_error when it cannot be loaded.
  static std::shared_ptr<Library> FromBytes(const Bytes &bytes);

  explicit Library(const Bytes &bytes);
  ~Library();
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  void *handle() const { return handle_; }

 private:
  int file_ = -1;
  void *handle_ = nullptr;
  Registrations registered_;
};

std::string LoaderError();
}  // namespace standin

#endif  // STANDIN_SRC_LIBRARY_H_
