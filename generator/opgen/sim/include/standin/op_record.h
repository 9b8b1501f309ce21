// CANN stand-in: what a definition says of an operator. CANN has no such header.
#ifndef STANDIN_OP_RECORD_H_
#define STANDIN_OP_RECORD_H_

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ops {
class OpDef;
}  // namespace ops

namespace standin {
// Lists of types and formats hold CANN's numbers.
struct ParamRecord {
  std::string name;
  int kind = 0;  // ops::Option
  std::vector<int> types;
  std::vector<int> formats;
  std::vector<int> unknown_shape_formats;
  bool type_list = false;  // types come from DataTypeList, formats from FormatList
  bool format_list = false;
  bool auto_contiguous = false;
  std::string follows;
  std::string value_depend;
  bool again = false;  // defined twice: the last one counts
};

struct AttrRecord {
  std::string name;
  int kind = 0;      // ops::Option
  std::string type;  // "float", "listInt"
  bool has_value = false;
  std::string value;  // as text, items of lists behind commas
  bool again = false;
};

// The chips in the order of AddConfig, each with flags and strings by their keys in ops-info.
struct ConfigRecord {
  std::string soc;
  std::vector<std::pair<std::string, std::string>> items;
};

// Of deques, as references to items stay good.
struct OpRecord {
  std::string type;
  std::deque<ParamRecord> inputs;
  std::deque<ParamRecord> outputs;
  std::deque<AttrRecord> attrs;
  std::deque<ConfigRecord> configs;
};

using OpCreator = std::function<ops::OpDef(const char *)>;

// What OP_ADD made known in this process, by type.
std::map<std::string, OpRecord> OpRecords();
}  // namespace standin

#endif  // STANDIN_OP_RECORD_H_
