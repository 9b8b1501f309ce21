// Files of the stand-in: sections of bytes, each with a checksum, and a checksum over everything.
//
//   offset  size
//        0     8  magic, which tells AIR from OM
//        8     4  format version
//       12     4  number of sections
//       16        the sections: 4 kind, 8 number of bytes, 4 CRC-32 of these 12 bytes and the bytes, the bytes
//      end     4  CRC-32 of all bytes before
//
// Numbers are little-endian, CRC-32 is zlib's. Inside a section: numbers of 8 bytes, texts and lists with their size
// in front.
#ifndef STANDIN_SRC_ARCHIVE_H_
#define STANDIN_SRC_ARCHIVE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace standin {
using Bytes = std::vector<uint8_t>;

enum class SectionKind : uint32_t { kGraph = 1, kOperator = 2, kLibrary = 3 };

struct Section {
  SectionKind kind;
  Bytes bytes;
};

constexpr char kAirMagic[] = "OPGENAIR";
constexpr char kOmMagic[] = "OPGEN-OM";

void WriteSections(const std::string &path, const char *magic, const std::vector<Section> &sections);
// Throws std::runtime_error for a file that WriteSections did not write with this magic.
std::vector<Section> ReadSections(const std::string &path, const char *magic);

// Writes the bytes of a section.
class Writer {
 public:
  void Number(uint64_t value);
  void Text(const std::string &text);
  void Data(const Bytes &data);
  Bytes Finish() && { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

// Reads the bytes of a section. Throws std::runtime_error for what Writer did not write.
class Reader {
 public:
  explicit Reader(const Bytes &bytes) : bytes_(bytes) {}

  uint64_t Number();
  // A number below `limit`.
  uint64_t Number(uint64_t limit);
  // A number of things that each take at least a byte.
  size_t Count();
  std::string Text();
  Bytes Data();
  // Throws when something is left.
  void End() const;

 private:
  const uint8_t *Take(size_t size);

  const Bytes &bytes_;
  size_t position_ = 0U;
};

Bytes ReadFile(const std::string &path);
}  // namespace standin

#endif  // STANDIN_SRC_ARCHIVE_H_
