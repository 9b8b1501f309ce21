// Runs graphs of operators with inputs x and y of float32: a chain x -> node -> node -> ..., each with the same y.
//
//   driver run WORD...           compile, load, run
//   driver air FILE WORD...      write the graph
//   driver model FILE... WORD... load all, run each, unload all
//
// Words:
//   nodes=Probe,Other  shape=8 (-1: dynamic, -2: rank unknown)  count=8 (elements of x)  ys=8 (of y)
//   runs=1  loads=1  sessions=1 (at once)  each=8,16 (shape and count of the sessions, in turn)
//   described (the front end sets the outputs)  packages (air: the types are those of ASCEND_CUSTOM_OPP_PATH)
//   fresh (forget ASCEND_CUSTOM_OPP_PATH after the first initialization, and initialize again)
//   go-on (after models that are refused or fail)
// x[i] is i, y[i] is 1. The output of the last run is told as its number of elements that are x + number of nodes.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "ge/ge_api.h"
#include "graph/graph.h"
#include "graph/operator_factory.h"
#include "ops_proto_legacy.h"
#include "probe.h"

namespace {
class Words {
 public:
  Words(int argc, char *argv[]) : all_(argv + 1, argv + argc) {}

  std::string Text(const std::string &name, const std::string &otherwise) const {
    for (const std::string &word : all_) {
      if (word.rfind(name + "=", 0U) == 0U) {
        return word.substr(name.size() + 1U);
      }
    }
    return otherwise;
  }
  int64_t Number(const std::string &name, int64_t otherwise) const {
    return std::stoll(Text(name, std::to_string(otherwise)));
  }
  // Those of session `number`: each=8,16 gives the sessions these sizes in turn.
  Words Of(int64_t number) const {
    Words words = *this;
    std::vector<std::string> sizes;
    std::istringstream each(Text("each", ""));
    for (std::string size; std::getline(each, size, ',');) {
      sizes.push_back(size);
    }
    if (!sizes.empty()) {
      const std::string &size = sizes[static_cast<size_t>(number) % sizes.size()];
      words.all_.insert(words.all_.begin() + 1, {"shape=" + size, "count=" + size});
    }
    return words;
  }
  bool Has(const std::string &word) const { return std::find(all_.begin(), all_.end(), word) != all_.end(); }
  const std::string &At(size_t index) const { return all_.at(index); }
  std::vector<std::string> Files() const {
    std::vector<std::string> files;
    std::copy_if(all_.begin() + 1, all_.end(), std::back_inserter(files),
                 [](const std::string &word) { return word.find('=') == std::string::npos && word[0] == '/'; });
    return files;
  }

 private:
  std::vector<std::string> all_;
};

void Demand(bool good, const std::string &what) {
  if (!good) {
    throw std::runtime_error(what + " failed");
  }
}

std::vector<std::string> NodesOf(const Words &words) {
  std::vector<std::string> nodes;
  std::istringstream names(words.Text("nodes", "Probe"));
  for (std::string name; std::getline(names, name, ',');) {
    nodes.push_back(name);
  }
  return nodes;
}

ge::Operator MakeNode(const std::string &name, const std::string &type) {
  ge::Operator node = ge::OperatorFactory::CreateOperator(name.c_str(), type.c_str());
  Demand(!node.IsEmpty(), "CreateOperator of " + type);
  return node;
}

ge::Graph Build(const Words &words, const std::string &name) {
  const std::vector<int64_t> dims = {words.Number("shape", 8)};
  const ge::TensorDesc desc(ge::Shape(dims), ge::FORMAT_ND, ge::DT_FLOAT);
  const ge::TensorDesc desc_y(ge::Shape({words.Number("ys", dims[0])}), ge::FORMAT_ND, ge::DT_FLOAT);
  auto x = ge::op::Data("x").set_attr_index(0);
  auto y = ge::op::Data("y").set_attr_index(1);
  (void)x.update_input_desc_x(desc);
  (void)x.update_output_desc_y(desc);
  (void)y.update_input_desc_x(desc_y);
  (void)y.update_output_desc_y(desc_y);
  ge::Operator last = x;
  std::vector<ge::Operator> nodes;
  for (const std::string &type : NodesOf(words)) {
    ge::Operator node = MakeNode("node" + std::to_string(nodes.size()), type);
    (void)node.SetInput("x", last, 0U);
    (void)node.SetInput("y", y, 0U);
    if (words.Has("described")) {
      (void)node.UpdateOutputDesc("z", desc);
    }
    nodes.push_back(node);
    last = node;
  }
  ge::Graph graph(name.c_str());
  (void)graph.SetInputs({x, y}).SetOutputs({last});
  return graph;
}

class Array {
 public:
  explicit Array(int64_t count) : count_(count) {
    if (count > 0) {
      Demand(aclrtMalloc(&data_, size(), ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS, "aclrtMalloc");
    }
  }
  ~Array() { (void)aclrtFree(data_); }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;

  float *data() const { return static_cast<float *>(data_); }
  void *address() const { return data_; }
  size_t size() const { return static_cast<size_t>(count_) * sizeof(float); }
  int64_t count() const { return count_; }
  gert::Tensor Tensor() const {
    gert::StorageShape shape;
    (void)shape.MutableOriginShape().AppendDim(count_);
    shape.MutableStorageShape() = shape.GetOriginShape();
    return gert::Tensor(shape, gert::StorageFormat(ge::FORMAT_ND, ge::FORMAT_ND, {}), gert::kOnDeviceHbm, ge::DT_FLOAT,
                        data_);
  }

 private:
  int64_t count_;
  void *data_ = nullptr;
};

struct Arrays {
  Arrays(const Words &words, size_t nodes)
      : x(words.Number("count", 8)), y(words.Number("ys", x.count())), z(x.count()), added(static_cast<float>(nodes)) {
    for (int64_t i = 0; i < x.count(); ++i) {
      x.data()[i] = static_cast<float>(i);
    }
    std::fill(y.data(), y.data() + y.count(), 1.0F);
    std::fill(z.data(), z.data() + z.count(), -1.0F);
  }

  void Tell() const {
    int64_t right = 0;
    for (int64_t i = 0; i < z.count(); ++i) {
      right += z.data()[i] == x.data()[i] + added ? 1 : 0;
    }
    std::printf("right %lld of %lld\n", static_cast<long long>(right), static_cast<long long>(z.count()));
  }

  Array x;
  Array y;
  Array z;
  float added;
};

void RunSession(const Words &all, int64_t number) {
  const Words words = all.Of(number);
  ge::Session session(std::map<ge::AscendString, ge::AscendString>{{"ge.socVersion", "Ascend910_9362"}});
  const Arrays arrays(words, NodesOf(words).size());
  Demand(session.AddGraph(0U, Build(words, "graph" + std::to_string(number))) == ge::SUCCESS, "AddGraph");
  Demand(session.CompileGraph(0U) == ge::SUCCESS, "CompileGraph");
  std::printf("compiled\n");
  aclrtStream stream = nullptr;
  Demand(aclrtCreateStream(&stream) == ACL_SUCCESS, "aclrtCreateStream");
  Demand(session.LoadGraph(0U, {}, stream) == ge::SUCCESS, "LoadGraph");
  std::printf("loaded\n");
  for (int64_t run = 0; run < words.Number("runs", 1); ++run) {
    std::vector<gert::Tensor> inputs;
    inputs.push_back(arrays.x.Tensor());
    inputs.push_back(arrays.y.Tensor());
    std::vector<gert::Tensor> outputs;
    outputs.push_back(arrays.z.Tensor());
    Demand(session.ExecuteGraphWithStreamAsync(0U, stream, inputs, outputs) == ge::SUCCESS, "ExecuteGraph");
    Demand(aclrtSynchronizeStream(stream) == ACL_SUCCESS, "aclrtSynchronizeStream");
  }
  arrays.Tell();
  (void)aclrtDestroyStream(stream);
}

void Run(const Words &words) {
  Demand(ge::GEInitialize(std::map<ge::AscendString, ge::AscendString>()) == ge::SUCCESS, "GEInitialize");
  if (words.Has("fresh")) {
    (void)ge::GEFinalize();
    (void)unsetenv("ASCEND_CUSTOM_OPP_PATH");
    Demand(ge::GEInitialize(std::map<ge::AscendString, ge::AscendString>()) == ge::SUCCESS, "GEInitialize again");
  }
  std::vector<std::thread> threads;
  for (int64_t number = 1; number < words.Number("sessions", 1); ++number) {
    threads.emplace_back([&words, number] {
      try {
        RunSession(words, number);
      } catch (const std::exception &error) {
        std::fprintf(stderr, "session %lld: %s\n", static_cast<long long>(number), error.what());
        std::_Exit(1);
      }
    });
  }
  RunSession(words, 0);
  for (std::thread &thread : threads) {
    thread.join();
  }
  (void)ge::GEFinalize();
}

void WriteAir(const Words &words) {
  if (words.Has("packages")) {
    Demand(ge::GEInitialize(std::map<ge::AscendString, ge::AscendString>()) == ge::SUCCESS, "GEInitialize");
  }
  Demand(Build(words, "graph").SaveToFile(words.At(1U).c_str()) == ge::GRAPH_SUCCESS, "SaveToFile");
}

class Model {
 public:
  explicit Model(const std::string &path) {
    Demand(aclmdlLoadFromFile(path.c_str(), &id_) == ACL_SUCCESS, "aclmdlLoadFromFile");
  }
  ~Model() { (void)aclmdlUnload(id_); }
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;

  bool Execute(const Arrays &arrays) const {
    aclmdlDataset *inputs = aclmdlCreateDataset();
    aclmdlDataset *outputs = aclmdlCreateDataset();
    std::vector<aclDataBuffer *> buffers;
    for (const auto &[array, dataset] : {std::pair{&arrays.x, inputs}, {&arrays.y, inputs}, {&arrays.z, outputs}}) {
      buffers.push_back(aclCreateDataBuffer(array->address(), array->size()));
      (void)aclmdlAddDatasetBuffer(dataset, buffers.back());
    }
    const aclError result = aclmdlExecute(id_, inputs, outputs);
    for (aclDataBuffer *buffer : buffers) {
      (void)aclDestroyDataBuffer(buffer);
    }
    (void)aclmdlDestroyDataset(inputs);
    (void)aclmdlDestroyDataset(outputs);
    return result == ACL_SUCCESS;
  }

 private:
  uint32_t id_ = 0U;
};

// Memory that is free, but not given back yet, does not count.
void TellResources(int64_t loads) {
  (void)malloc_trim(0U);
  int64_t pages = 0;
  int64_t resident = 0;
  int64_t of_files = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident >> of_files;
  int64_t files = 0;
  for (const auto &entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    files += entry.path().empty() ? 0 : 1;
  }
  std::printf("after %lld loads: %lld files, %lld KiB\n", static_cast<long long>(loads), static_cast<long long>(files),
              static_cast<long long>((resident - of_files) * sysconf(_SC_PAGESIZE) / 1024));
}

// Null when the model is refused, and that is allowed.
std::unique_ptr<Model> Load(const std::string &file, bool go_on) {
  try {
    return std::make_unique<Model>(file);
  } catch (const std::exception &) {
    if (!go_on) {
      throw;
    }
    std::printf("refused %s\n", file.c_str());
    return nullptr;
  }
}

void ExecuteAll(const Words &words, const std::vector<std::unique_ptr<Model>> &models, const Arrays &arrays,
                bool tell) {
  for (const std::unique_ptr<Model> &model : models) {
    const bool executed = model->Execute(arrays);
    Demand(executed || words.Has("go-on"), "aclmdlExecute");
    if (tell && executed) {
      arrays.Tell();
    }
  }
}

void RunModels(const Words &words) {
  Demand(aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS, "aclInit");
  const int64_t loads = words.Number("loads", 1);
  {
    const Arrays arrays(words, NodesOf(words).size());
    for (int64_t load = 1; load <= loads; ++load) {
      std::vector<std::unique_ptr<Model>> models;
      for (const std::string &file : words.Files()) {
        std::unique_ptr<Model> model = Load(file, words.Has("go-on"));
        if (model != nullptr) {
          models.push_back(std::move(model));
        }
      }
      ExecuteAll(words, models, arrays, load == loads);
      while (!models.empty()) {
        models.erase(models.begin());  // the oldest first, while those after it go on
        ExecuteAll(words, models, arrays, false);
      }
      if (load == loads / 10 || load == loads) {
        TellResources(load);
      }
    }
  }
  std::printf("prototype known %d\n", ge::OperatorFactory::IsExistOp("Probe"));
  (void)aclFinalize();
}
}  // namespace

int main(int argc, char *argv[]) {
  (void)setvbuf(stdout, nullptr, _IOLBF, 0U);
  const Words words(argc, argv);
  try {
    if (words.At(0U) == "run") {
      Run(words);
    } else if (words.At(0U) == "air") {
      WriteAir(words);
    } else {
      RunModels(words);
    }
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
