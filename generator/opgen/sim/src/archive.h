// Bytes of files: little-endian numbers, texts with their length, a checksum at the end.
#ifndef STANDIN_SRC_ARCHIVE_H_
#define STANDIN_SRC_ARCHIVE_H_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace standin {
using Bytes = std::vector<uint8_t>;

uint32_t Crc32(const uint8_t *data, size_t size);

class Writer {
 public:
  void Number(uint64_t value);
  void Text(const std::string &text);
  void Data(const Bytes &data);
  // What was written, with a checksum.
  Bytes Finish() &&;

 private:
  Bytes bytes_;
};

// Throws std::runtime_error for what Writer did not write.
class Reader {
 public:
  explicit Reader(const Bytes &bytes);

  uint64_t Number();
  // A number of things that each take at least a byte.
  size_t Count();
  std::string Text();
  Bytes Data();
  // Throws when something is left.
  void End() const;

 private:
  const uint8_t *Take(size_t size);

  const Bytes &bytes_;
  size_t size_ = 0U;  // without the checksum
  size_t position_ = 0U;
};

Bytes ReadFile(const std::string &path);
void WriteFile(const std::string &path, const Bytes &bytes);
}  // namespace standin

#endif  // STANDIN_SRC_ARCHIVE_H_
