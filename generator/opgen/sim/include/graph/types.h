// CANN stand-in: element types and formats, with the numbers that GE gives them.
#ifndef STANDIN_GRAPH_TYPES_H_
#define STANDIN_GRAPH_TYPES_H_

#include <cstdint>
#include <initializer_list>
#include <vector>

// Marks an interface that has a successor; using it is a warning, as with CANN.
#ifndef ATTRIBUTED_DEPRECATED
#define ATTRIBUTED_DEPRECATED(replacement) [[deprecated("use " #replacement " instead")]]
#endif

namespace ge {
using char_t = char;
using float32_t = float;
using float64_t = double;

constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_DIM_NUM = -2;

// A type of less than a byte has the size kDataTypeSizeBitOffset + bits.
constexpr int32_t kDataTypeSizeBitOffset = 1000;

enum DataType {
  DT_FLOAT = 0,
  DT_FLOAT16 = 1,
  DT_INT8 = 2,
  DT_INT32 = 3,
  DT_UINT8 = 4,
  DT_INT16 = 6,
  DT_UINT16 = 7,
  DT_UINT32 = 8,
  DT_INT64 = 9,
  DT_UINT64 = 10,
  DT_DOUBLE = 11,
  DT_BOOL = 12,
  DT_STRING = 13,
  DT_DUAL_SUB_INT8 = 14,
  DT_DUAL_SUB_UINT8 = 15,
  DT_COMPLEX64 = 16,
  DT_COMPLEX128 = 17,
  DT_QINT8 = 18,
  DT_QINT16 = 19,
  DT_QINT32 = 20,
  DT_QUINT8 = 21,
  DT_QUINT16 = 22,
  DT_RESOURCE = 23,
  DT_STRING_REF = 24,
  DT_DUAL = 25,
  DT_VARIANT = 26,
  DT_BF16 = 27,
  DT_UNDEFINED = 28,
  DT_INT4 = 29,
  DT_UINT1 = 30,
  DT_INT2 = 31,
  DT_UINT2 = 32,
  DT_COMPLEX32 = 33,
  DT_HIFLOAT8 = 34,
  DT_FLOAT8_E5M2 = 35,
  DT_FLOAT8_E4M3FN = 36,
  DT_FLOAT8_E8M0 = 37,
  DT_FLOAT6_E3M2 = 38,
  DT_FLOAT6_E2M3 = 39,
  DT_FLOAT4_E2M1 = 40,
  DT_FLOAT4_E1M2 = 41,
  DT_HIFLOAT4 = 42,
  DT_MAX = 43
};

// Bytes of an element; -1 for a type without a fixed size.
inline int GetSizeByDataType(DataType data_type) {
  switch (data_type) {
    case DT_INT8:
    case DT_UINT8:
    case DT_BOOL:
    case DT_DUAL_SUB_INT8:
    case DT_DUAL_SUB_UINT8:
    case DT_QINT8:
    case DT_QUINT8:
    case DT_HIFLOAT8:
    case DT_FLOAT8_E5M2:
    case DT_FLOAT8_E4M3FN:
    case DT_FLOAT8_E8M0:
      return 1;
    case DT_FLOAT16:
    case DT_BF16:
    case DT_INT16:
    case DT_UINT16:
    case DT_QINT16:
    case DT_QUINT16:
      return 2;
    case DT_FLOAT:
    case DT_INT32:
    case DT_UINT32:
    case DT_QINT32:
    case DT_COMPLEX32:
      return 4;
    case DT_DUAL:
      return 5;
    case DT_INT64:
    case DT_UINT64:
    case DT_DOUBLE:
    case DT_COMPLEX64:
    case DT_RESOURCE:
    case DT_VARIANT:
      return 8;
    case DT_COMPLEX128:
      return 16;
    case DT_UINT1:
      return kDataTypeSizeBitOffset + 1;
    case DT_INT2:
    case DT_UINT2:
      return kDataTypeSizeBitOffset + 2;
    case DT_INT4:
    case DT_FLOAT4_E2M1:
    case DT_FLOAT4_E1M2:
    case DT_HIFLOAT4:
      return kDataTypeSizeBitOffset + 4;
    case DT_FLOAT6_E3M2:
    case DT_FLOAT6_E2M3:
      return kDataTypeSizeBitOffset + 6;
    default:
      return -1;
  }
}

// Bytes of `element_count` elements, types of less than a byte included; negative for what has no size.
int64_t GetSizeInBytes(int64_t element_count, DataType data_type);

enum Format {
  FORMAT_NCHW = 0,
  FORMAT_NHWC = 1,
  FORMAT_ND = 2,
  FORMAT_NC1HWC0 = 3,
  FORMAT_FRACTAL_Z = 4,
  FORMAT_NC1HWC0_C04 = 12,
  FORMAT_CHWN = 14,
  FORMAT_HWCN = 16,
  FORMAT_NDHWC = 27,
  FORMAT_FRACTAL_NZ = 29,
  FORMAT_NCDHW = 30,
  FORMAT_NDC1HWC0 = 32,
  FORMAT_FRACTAL_Z_3D = 33,
  FORMAT_NC = 35,
  FORMAT_RESERVED = 40,
  FORMAT_NULL = 42,
  FORMAT_NCL = 47,
  FORMAT_MAX = 0xFF
};

enum Placement { kPlacementHost = 0, kPlacementDevice = 1, kPlacementEnd };

// A set of element types, as REG_OP takes it. REG_OP keeps its text; nobody asks for its members.
struct TensorType {
  explicit TensorType(DataType type) : types{type} {}
  TensorType(const std::initializer_list<DataType> &initial_types) : types(initial_types) {}

  static TensorType ALL() { return OrdinaryType(); }
  static TensorType OrdinaryType() {
    return {DT_BOOL,  DT_DOUBLE, DT_FLOAT,  DT_FLOAT16, DT_BF16,   DT_INT8,   DT_INT16,    DT_INT32,
            DT_INT64, DT_UINT8,  DT_UINT16, DT_UINT32,  DT_UINT64, DT_STRING, DT_COMPLEX64};
  }
  static TensorType BasicType() { return NumberType(); }
  static TensorType NumberType() {
    return {DT_DOUBLE, DT_FLOAT, DT_FLOAT16, DT_BF16,   DT_INT8,   DT_INT16,
            DT_INT32,  DT_INT64, DT_UINT8,   DT_UINT16, DT_UINT32, DT_UINT64};
  }
  static TensorType RealNumberType() { return NumberType(); }
  static TensorType FloatingDataType() { return {DT_DOUBLE, DT_FLOAT, DT_FLOAT16}; }
  static TensorType IntegerDataType() {
    return {DT_INT8, DT_INT16, DT_INT32, DT_INT64, DT_UINT8, DT_UINT16, DT_UINT32, DT_UINT64};
  }
  static TensorType IndexNumberType() { return {DT_INT32, DT_INT64}; }
  static TensorType FLOAT() { return {DT_FLOAT, DT_FLOAT16, DT_BF16}; }

  std::vector<DataType> types;
};
}  // namespace ge

#endif  // STANDIN_GRAPH_TYPES_H_
