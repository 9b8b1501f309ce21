#include "custom_ops.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "library.h"
#include "operator_factory.h"
#include "pull.h"
#include "runtime.h"
#include "standin/version.h"

namespace standin {
namespace {
#if defined(__aarch64__)
constexpr char kMachine[] = "aarch64";
#else
constexpr char kMachine[] = "x86_64";
#endif

// Adds the operators that a library tells when it is asked. False when it does not have the three functions.
bool Pull(void *library, Registry &registry) {
  const auto version = reinterpret_cast<PullVersion>(dlsym(library, "GetRegisteredCustomOpCreatorAbiVersion"));
  const auto count = reinterpret_cast<PullCount>(dlsym(library, "GetRegisteredCustomOpCreatorNum"));
  const auto get = reinterpret_cast<PullCreators>(dlsym(library, "GetRegisteredCustomOpCreators"));
  if (version == nullptr || count == nullptr || get == nullptr || version() != kPullAbiVersion) {
    return false;
  }
  std::vector<PulledCreator> creators(count());
  if (get(creators.data(), creators.size()) != 0) {
    return false;
  }
  for (const PulledCreator &creator : creators) {
    const auto create = creator.create;
    (void)registry.Add(creator.type, [create] { return std::unique_ptr<ge::BaseCustomOp>(create()); });
  }
  return true;
}

std::vector<std::string> LibrariesIn(const std::string &folder) {
  std::vector<std::string> names;
  DIR *directory = opendir(folder.c_str());
  if (directory == nullptr) {
    return names;
  }
  while (const dirent *entry = readdir(directory)) {
    const std::string name = entry->d_name;
    if (name.size() > 3U && name.compare(name.size() - 3U, 3U, ".so") == 0) {
      names.push_back(folder + "/" + name);
    }
  }
  (void)closedir(directory);
  std::sort(names.begin(), names.end());
  return names;
}

bool LoadPackageLibrary(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::cerr << "[stand-in] a library of an operator package cannot be loaded: " << LoaderError() << "\n";
    return false;
  }
  (void)Pull(library, Registry::Global());
  return true;
}

bool LoadAll() {
  const char *paths = std::getenv("ASCEND_CUSTOM_OPP_PATH");
  std::istringstream roots(paths == nullptr ? "" : paths);
  for (std::string root; std::getline(roots, root, ':');) {
    if (root.empty()) {
      continue;
    }
    struct stat info{};
    const std::string at_root = root + "/libcust_opapi.so";
    if (stat(at_root.c_str(), &info) == 0 && !LoadPackageLibrary(at_root)) {
      return false;
    }
    for (const std::string &path : LibrariesIn(root + "/op_graph/lib/linux/" + kMachine)) {
      if (!LoadPackageLibrary(path)) {
        return false;
      }
    }
  }
  return true;
}
}  // namespace

thread_local Registrations *registrations = nullptr;

Registry::~Registry() {
  objects_.clear();
  for (const auto &creator : creators_) {
    ForgetPrototype(creator.first);  // as GE does, also when the process had REG_OP of the type before the model came
  }
}

bool Registry::Add(const std::string &type, const ge::BaseOpCreator &creator) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool first = creators_.insert({type, creator}).second;
  if (!first) {
    std::cerr << "[stand-in] operator type " << type << " is registered already, another registration is ignored\n";
  }
  return first;
}

void Registry::Remove(const std::string &type) {
  const std::lock_guard<std::mutex> lock(mutex_);
  objects_.erase(type);
  creators_.erase(type);
}

ge::BaseCustomOp *Registry::Get(const std::string &type) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto creator = creators_.find(type);
  if (creator == creators_.end()) {
    return nullptr;
  }
  std::unique_ptr<ge::BaseCustomOp> &object = objects_[type];
  if (object == nullptr) {
    object = creator->second();
  }
  return object.get();
}

void Registry::Keep(std::shared_ptr<Library> library) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (std::find(libraries_.begin(), libraries_.end(), library) == libraries_.end()) {
    libraries_.push_back(std::move(library));
  }
}

struct Registry::Ending {
  Registry &registry;

  ~Ending() {
    const AclIsGone gone;
    registry.objects_.clear();
  }
};

Registry &Registry::Global() {
  static auto *registry = new Registry;  // libraries register and go at any time
  static const Ending ending{*registry};
  return *registry;
}

bool LoadPackages() {
  static const bool loaded = LoadAll();
  return loaded;
}

void LoadEmbeddedLibrary(const Bytes &bytes, Registry &own) {
  std::shared_ptr<Library> library = Library::FromBytes(bytes);
#if CANN_STANDIN_VERSION >= 92
  if (!Pull(library->handle(), own)) {
    throw std::runtime_error(
        "a library of the model does not tell its operators: pull creator ABI symbols are incomplete");
  }
  own.Keep(std::move(library));
#else
  (void)own;  // its operators are those of the process now
  Registry::Global().Keep(std::move(library));
#endif
}

std::string LibraryOf(const ge::PortableOp &op) {
  void *const *table = *reinterpret_cast<void *const *const *>(&op);
  Dl_info info{};
  return dladdr(table[0], &info) == 0 || info.dli_fname == nullptr ? "" : info.dli_fname;
}
}  // namespace standin

namespace ge {
CustomOpCreatorRegister::CustomOpCreatorRegister(const AscendString &operator_type, const BaseOpCreator &creator) {
  const std::string type = operator_type.GetString();
  if (standin::Registry::Global().Add(type, creator) && standin::registrations != nullptr) {
    standin::registrations->operators.push_back(type);
  }
}

#if CANN_STANDIN_VERSION >= 92
CustomOpCreatorRegister::CustomOpCreatorRegister(const AscendString &operator_type, const CustomOpCreateFunc creator)
    : CustomOpCreatorRegister(operator_type,
                              BaseOpCreator([creator] { return std::unique_ptr<BaseCustomOp>(creator()); })) {}
#endif
}  // namespace ge
