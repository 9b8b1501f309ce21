// atc of the stand-in: an AIR file becomes an OM file.
#include <exception>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "archive.h"
#include "custom_ops.h"
#include "graph/graph.h"
#include "node.h"
#include "om.h"

namespace {
using Arguments = std::map<std::string, std::string>;

// False for what is no --name=value.
bool ReadArguments(int argc, char *argv[], Arguments &arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const size_t equals = argument.find('=');
    if (argument.rfind("--", 0U) != 0U || equals == std::string::npos) {
      std::cerr << "ATC: " << argument << " is no --name=value\n";
      return false;
    }
    arguments[argument.substr(2U, equals - 2U)] = argument.substr(equals + 1U);
  }
  for (const char *name : {"framework", "model", "output", "soc_version"}) {
    if (arguments.count(name) == 0U) {
      std::cerr << "ATC: --" << name << " is missing\n";
      return false;
    }
  }
  return true;
}

void Convert(const Arguments &arguments) {
  ge::Graph graph("");
  if (!standin::LoadPackages() || graph.LoadFromFile(arguments.at("model").c_str()) != ge::GRAPH_SUCCESS) {
    throw std::runtime_error("the model cannot be read");
  }
  const standin::Options options = {{"ge.socVersion", arguments.at("soc_version")}};
  const std::vector<standin::Section> sections = standin::BuildOm(standin::DataOf(graph), options);
  standin::WriteSections(arguments.at("output") + ".om", standin::kOmMagic, sections);
}
}  // namespace

int main(int argc, char *argv[]) {
  Arguments arguments;
  if (!ReadArguments(argc, argv, arguments)) {
    return 1;
  }
  if (arguments.at("framework") != "1") {
    std::cerr << "ATC: the stand-in reads AIR files only, --framework=1\n";
    return 1;
  }
  try {
    Convert(arguments);
    std::cout << "ATC run success\n";
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "ATC run failed: " << error.what() << "\n";
    return 1;
  }
}
