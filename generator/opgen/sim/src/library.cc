#include "library.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "operator_factory.h"

namespace standin {
namespace {
struct Libraries {
  std::mutex mutex;
  std::map<Bytes, std::weak_ptr<Library>> loaded;
};

Libraries &TheLibraries() {
  static auto *libraries = new Libraries;
  return *libraries;
}

// The whole of `bytes` as a file in memory; -1 when there is no room.
int MemoryFile(const Bytes &bytes) {
  const int file = memfd_create("standin_model", MFD_CLOEXEC);
  size_t done = 0U;
  while (file >= 0 && done < bytes.size()) {
    const ssize_t written = write(file, bytes.data() + done, bytes.size() - done);
    if (written > 0) {
      done += static_cast<size_t>(written);
    } else if (written == 0 || errno != EINTR) {
      (void)close(file);
      return -1;
    }
  }
  return file;
}

std::string PathOf(int file) {
  return "/proc/self/fd/" + std::to_string(file);
}
}  // namespace

std::string LoaderError() {
  const char *message = dlerror();
  return message == nullptr ? "unknown error" : message;
}

std::shared_ptr<Library> Library::FromBytes(const Bytes &bytes) {
  Libraries &libraries = TheLibraries();
  const std::lock_guard<std::mutex> lock(libraries.mutex);
  for (auto known = libraries.loaded.begin(); known != libraries.loaded.end();) {
    known = known->second.expired() ? libraries.loaded.erase(known) : std::next(known);
  }
  const auto known = libraries.loaded.find(bytes);
  std::shared_ptr<Library> library = known == libraries.loaded.end() ? nullptr : known->second.lock();
  if (library == nullptr) {
    library = std::make_shared<Library>(bytes);
    libraries.loaded[bytes] = library;
  }
  return library;
}

Library::Library(const Bytes &bytes) : file_(MemoryFile(bytes)) {
  if (file_ < 0) {
    throw std::runtime_error("no room for a library of the model");
  }
  // The file stays open as long as the library: the loader knows libraries by name, and would take the next file of
  // this number for this one.
  registrations = &registered_;
  handle_ = dlopen(PathOf(file_).c_str(), RTLD_NOW | RTLD_LOCAL);
  registrations = nullptr;
  if (handle_ == nullptr) {
    const std::string reason = LoaderError();
    (void)close(file_);
    throw std::runtime_error("a library of the model cannot be loaded: " + reason);
  }
}

Library::~Library() {
  for (const std::string &type : registered_.operators) {
    Registry::Global().Remove(type);
  }
  for (const std::string &type : registered_.prototypes) {
    ForgetPrototype(type);
  }
  const std::string path = PathOf(file_);
  (void)dlclose(handle_);
  void *still = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (still == nullptr) {
    (void)close(file_);
  } else {
    (void)dlclose(still);
    std::cerr << "[stand-in] a library of a model stays loaded: is it built without -fno-gnu-unique?\n";
  }
}
}  // namespace standin
