// host_run LIBRARY: tells what the host code of operators in a library does. It reads lines, and answers each request
// with lines and an empty one.
//
//   definitions        what OP_ADD made known, and the layouts of REGISTER_TILING_DATA_CLASS
//   case TYPE          begins a case, whose lines follow:
//     input TENSORS    an input of the definition: each tensor is TYPE:DIMS, as 1:8,128; none where not connected;
//     output TENSORS     a scalar has no dims
//     attr NAME KIND VALUE   kinds: int float bool string ints floats
//     cores CUBE VECTOR
//   shape, type, tiling   call a function for the case
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "register/tilingdata_base.h"
#include "standin/host_case.h"
#include "standin/op_record.h"

namespace {
std::string Rest(std::istringstream &words) {
  std::string rest;
  std::getline(words >> std::ws, rest);
  return rest;
}

std::vector<std::string> Split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    parts.push_back(part);
  }
  return parts;
}

standin::HostTensor TensorOf(const std::string &word) {
  const size_t colon = word.find(':');
  if (colon == std::string::npos) {
    throw std::runtime_error("a tensor is TYPE:DIMS, not " + word);
  }
  standin::HostTensor tensor;
  tensor.type = static_cast<ge::DataType>(std::stoi(word.substr(0U, colon)));
  for (const std::string &dim : Split(word.substr(colon + 1U), ',')) {
    tensor.shape.MutableOriginShape().AppendDim(std::stoll(dim));
    tensor.shape.MutableStorageShape().AppendDim(std::stoll(dim));
  }
  return tensor;
}

standin::HostPort PortOf(std::istringstream &words) {
  standin::HostPort port;
  for (std::string word; words >> word;) {
    port.push_back(TensorOf(word));
  }
  return port;
}

standin::HostValue ValueOf(const std::string &kind, const std::string &text) {
  if (kind == "int") {
    return static_cast<int64_t>(std::stoll(text));
  }
  if (kind == "float") {
    return std::strtof(text.c_str(), nullptr);
  }
  if (kind == "bool") {
    return text == "true";
  }
  if (kind == "ints") {
    std::vector<int64_t> values;
    for (const std::string &item : Split(text, ',')) {
      values.push_back(std::stoll(item));
    }
    return values;
  }
  if (kind == "floats") {
    std::vector<float> values;
    for (const std::string &item : Split(text, ',')) {
      values.push_back(std::strtof(item.c_str(), nullptr));
    }
    return values;
  }
  return text;
}

template <typename T>
std::string Joined(const T &values) {
  std::ostringstream text;
  const char *separator = "";
  for (const auto &value : values) {
    text << separator << value;
    separator = ",";
  }
  return text.str();
}

std::string DimsOf(const gert::Shape &shape) {
  std::vector<int64_t> dims;
  for (size_t i = 0U; i < shape.GetDimNum(); ++i) {
    dims.push_back(shape.GetDim(i));
  }
  return Joined(dims);
}

void TellParam(const char *role, const standin::ParamRecord &param) {
  std::cout << role << " " << param.name << " kind=" << param.kind << " types=" << Joined(param.types)
            << " formats=" << Joined(param.formats) << " unknown=" << Joined(param.unknown_shape_formats)
            << " lists=" << param.type_list << param.format_list << " contiguous=" << param.auto_contiguous
            << " follows=" << param.follows << " again=" << param.again << "\n";
}

void TellDefinitions() {
  for (const auto &[type, op] : standin::OpRecords()) {
    std::cout << "op " << type << "\n";
    for (const standin::ParamRecord &param : op.inputs) {
      TellParam("input", param);
    }
    for (const standin::ParamRecord &param : op.outputs) {
      TellParam("output", param);
    }
    for (const standin::AttrRecord &attr : op.attrs) {
      std::cout << "attr " << attr.name << " kind=" << attr.kind << " type=" << attr.type
                << " has_value=" << attr.has_value << " again=" << attr.again << " value=" << attr.value << "\n";
    }
    for (const standin::ConfigRecord &config : op.configs) {
      std::cout << "soc " << config.soc << "\n";
      for (const auto &[key, value] : config.items) {
        std::cout << "config " << key << " " << value << "\n";
      }
    }
    const auto layout = optiling::CTilingDataClassFactory::GetInstance().CreateTilingDataInstance(type.c_str());
    if (layout != nullptr) {
      std::cout << "layout " << layout->GetTilingClassName() << " " << layout->GetDataSize() << "\n";
      for (const optiling::FieldInfo &field : layout->GetFieldInfo()) {
        std::cout << "field " << field.name << " " << field.dtype << " " << field.count << " " << field.offset << "\n";
      }
    }
  }
}

void TellShape(const standin::HostCase &host) {
  const standin::ShapeResult result = standin::RunInferShape(host);
  std::cout << "status " << result.status << "\n";
  for (const gert::Shape &shape : result.shapes) {
    std::cout << "dims " << DimsOf(shape) << "\n";
  }
}

void TellType(const standin::HostCase &host) {
  const standin::TypeResult result = standin::RunInferDataType(host);
  std::cout << "status " << result.status << "\n";
  for (const ge::DataType type : result.types) {
    std::cout << "type " << static_cast<int>(type) << "\n";
  }
}

// TilingData twice, as it is over zeros and over ones: where they differ, nothing was written.
void TellTiling(const standin::HostCase &host) {
  const standin::TilingResult result = standin::RunTiling(host, 0U);
  std::cout << "status " << result.status << "\n";
  if (result.status != ge::GRAPH_SUCCESS) {
    return;
  }
  if (result.has_key) {
    std::cout << "key " << result.key << "\n";
  }
  std::cout << "blocks " << result.blocks << "\nworkspaces " << Joined(result.workspaces) << "\n";
  for (const uint8_t fill : {uint8_t{0U}, uint8_t{0xFFU}}) {
    std::cout << "data ";
    for (const uint8_t byte : standin::RunTiling(host, fill).data) {
      char text[3];
      (void)std::snprintf(text, sizeof(text), "%02x", byte);
      std::cout << text;
    }
    std::cout << "\n";
  }
}

void Answer(const std::string &line, standin::HostCase &host) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  if (word == "definitions") {
    TellDefinitions();
  } else if (word == "case") {
    host = standin::HostCase();
    words >> host.op;
  } else if (word == "input") {
    host.inputs.push_back(PortOf(words));
  } else if (word == "output") {
    host.outputs.push_back(PortOf(words));
  } else if (word == "attr") {
    std::string name;
    std::string kind;
    words >> name >> kind;
    host.attrs.emplace_back(name, ValueOf(kind, Rest(words)));
  } else if (word == "cores") {
    words >> host.chip.cube_cores >> host.chip.vector_cores;
  } else if (word == "shape") {
    TellShape(host);
  } else if (word == "type") {
    TellType(host);
  } else if (word == "tiling") {
    TellTiling(host);
  } else {
    throw std::runtime_error("unknown request: " + line);
  }
  if (word == "definitions" || word == "shape" || word == "type" || word == "tiling") {
    std::cout << std::endl;
  }
}
}  // namespace

int main(int argc, char **argv) {
  if (argc != 2 || dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    std::cerr << (argc == 2 ? dlerror() : "usage: host_run LIBRARY") << "\n";
    return 2;
  }
  standin::HostCase host;
  try {
    for (std::string line; std::getline(std::cin, line);) {
      Answer(line, host);
    }
  } catch (const std::exception &error) {
    std::cout.flush();
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}
