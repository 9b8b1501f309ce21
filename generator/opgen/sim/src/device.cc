#include "device.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sstream>
#include <stdexcept>

namespace standin {
namespace {
class Device {
 public:
  Device() {
    const char *program = std::getenv("STANDIN_DEVICE");
    if (program == nullptr) {
      throw std::runtime_error("there is no device: STANDIN_DEVICE names no program");
    }
    int to[2];
    int from[2];
    if (pipe(to) != 0 || pipe(from) != 0) {
      throw std::runtime_error("no pipe to the device");
    }
    child_ = fork();
    if (child_ == 0) {
      (void)dup2(to[0], STDIN_FILENO);
      (void)dup2(from[1], STDOUT_FILENO);
      for (const int end : {to[0], to[1], from[0], from[1]}) {
        (void)close(end);
      }
      (void)execl(program, program, static_cast<char *>(nullptr));
      _exit(127);
    }
    (void)std::signal(SIGPIPE, SIG_IGN);
    (void)close(to[0]);
    (void)close(from[1]);
    to_ = fdopen(to[1], "wb");
    from_ = fdopen(from[0], "rb");
  }
  ~Device() {
    (void)std::fclose(to_);
    (void)std::fclose(from_);
    (void)waitpid(child_, nullptr, 0);
  }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  void Write(const void *data, size_t size) {
    if (size > 0U && std::fwrite(data, 1U, size, to_) != size) {
      throw std::runtime_error("the device has ended");
    }
  }
  void Write(const std::string &text) { Write(text.data(), text.size()); }
  void Flush() {
    if (std::fflush(to_) != 0) {
      throw std::runtime_error("the device has ended");
    }
  }
  void Read(void *data, size_t size) {
    if (size > 0U && std::fread(data, 1U, size, from_) != size) {
      throw std::runtime_error("the device has ended");
    }
  }
  std::string ReadLine() {
    std::string line;
    for (int c = std::fgetc(from_); c != '\n'; c = std::fgetc(from_)) {
      if (c == EOF) {
        throw std::runtime_error("the device has ended");
      }
      line += static_cast<char>(c);
    }
    return line;
  }

 private:
  pid_t child_ = -1;
  std::FILE *to_ = nullptr;
  std::FILE *from_ = nullptr;
};

std::string LineOf(const KernelTensor &tensor) {
  std::ostringstream line;
  const char *role = tensor.data == nullptr ? "absent" : tensor.output ? "output" : "input";
  line << tensor.name << " " << role << " " << tensor.type << " " << tensor.size << " "
       << (tensor.same_as.empty() ? "-" : tensor.same_as) << " ";
  for (const int64_t dim : tensor.dims) {
    line << dim << ",";
  }
  line << "\n";
  return line.str();
}
}  // namespace

uint64_t UserWorkspace(const std::vector<size_t> &workspaces) {
  constexpr uint64_t kSystem = 16U * 1024U * 1024U;
  return workspaces.empty() || workspaces[0] < kSystem ? 0U : workspaces[0] - kSystem;
}

void RunOnDevice(const KernelLaunch &launch) {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  static Device device;
  std::ostringstream head;
  head << "launch " << launch.op << " " << launch.key << " " << launch.blocks << " " << launch.workspace << " "
       << launch.tiling.size() << " " << launch.tensors.size() << "\n";
  device.Write(head.str());
  for (const KernelTensor &tensor : launch.tensors) {
    device.Write(LineOf(tensor));
  }
  device.Write(launch.tiling.data(), launch.tiling.size());
  for (const KernelTensor &tensor : launch.tensors) {
    if (tensor.data != nullptr && !tensor.output) {
      device.Write(tensor.data, tensor.size);
    }
  }
  device.Flush();
  const std::string answer = device.ReadLine();
  if (answer != "ok") {
    throw std::runtime_error("the kernel of " + launch.op + " failed: " + answer);
  }
  for (const KernelTensor &tensor : launch.tensors) {
    if (tensor.data != nullptr && tensor.output) {
      device.Read(tensor.data, tensor.size);
    }
  }
}
}  // namespace standin
