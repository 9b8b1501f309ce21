#include "archive.h"

#include <array>
#include <cstring>
#include <fstream>
#include <ios>
#include <limits>
#include <stdexcept>

namespace standin {
namespace {
constexpr uint32_t kVersion = 2U;
constexpr size_t kMagicSize = 8U;
constexpr size_t kNumberSize = 8U;
constexpr size_t kChecksumSize = 4U;
constexpr size_t kSectionHeadSize = 16U;

constexpr std::array<uint32_t, 256U> MakeCrcTable() {
  std::array<uint32_t, 256U> table{};
  for (uint32_t i = 0U; i < table.size(); ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value >> 1U) ^ ((value & 1U) != 0U ? 0xEDB88320U : 0U);
    }
    table[i] = value;
  }
  return table;
}
constexpr std::array<uint32_t, 256U> kCrcTable = MakeCrcTable();

// Continues the checksum `crc` of what went before, 0 at the start.
uint32_t Crc32(uint32_t crc, const uint8_t *data, size_t size) {
  crc = ~crc;
  for (size_t i = 0U; i < size; ++i) {
    crc = kCrcTable[(crc ^ data[i]) & 0xFFU] ^ (crc >> 8U);
  }
  return ~crc;
}

void Put(Bytes &bytes, uint64_t value, size_t size) {
  for (size_t i = 0U; i < size; ++i) {
    bytes.push_back(static_cast<uint8_t>((value >> (8U * i)) & 0xFFU));
  }
}

uint64_t Get(const uint8_t *bytes, size_t size) {
  uint64_t value = 0U;
  for (size_t i = 0U; i < size; ++i) {
    value |= static_cast<uint64_t>(bytes[i]) << (8U * i);
  }
  return value;
}

[[noreturn]] void CutShort() {
  throw std::runtime_error("the file is cut short");
}

// The section at `position`, which is moved behind it. `end` is where the sections end.
Section ReadSection(const Bytes &bytes, size_t end, size_t &position) {
  if (end - position < kSectionHeadSize) {
    CutShort();
  }
  const uint8_t *head = bytes.data() + position;
  const uint64_t size = Get(head + 4U, 8U);
  position += kSectionHeadSize;
  if (size > end - position) {
    CutShort();
  }
  const uint8_t *data = bytes.data() + position;
  if (Get(head + 12U, kChecksumSize) != Crc32(Crc32(0U, head, 12U), data, size)) {
    throw std::runtime_error("the checksum of a section is wrong");
  }
  position += size;
  return {static_cast<SectionKind>(Get(head, 4U)), Bytes(data, data + size)};
}
}  // namespace

void WriteSections(const std::string &path, const char *magic, const std::vector<Section> &sections) {
  Bytes bytes(magic, magic + kMagicSize);
  Put(bytes, kVersion, 4U);
  Put(bytes, sections.size(), 4U);
  for (const Section &section : sections) {
    const size_t head = bytes.size();
    Put(bytes, static_cast<uint32_t>(section.kind), 4U);
    Put(bytes, section.bytes.size(), 8U);
    const uint32_t crc = Crc32(0U, bytes.data() + head, bytes.size() - head);
    Put(bytes, Crc32(crc, section.bytes.data(), section.bytes.size()), kChecksumSize);
    bytes.insert(bytes.end(), section.bytes.begin(), section.bytes.end());
  }
  Put(bytes, Crc32(0U, bytes.data(), bytes.size()), kChecksumSize);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) {
    throw std::runtime_error("cannot write " + path);
  }
}

std::vector<Section> ReadSections(const std::string &path, const char *magic) {
  const Bytes bytes = ReadFile(path);
  size_t position = kMagicSize + 8U;
  if (bytes.size() < position + kChecksumSize || std::memcmp(bytes.data(), magic, kMagicSize) != 0) {
    throw std::runtime_error("it is no such file of the stand-in");
  }
  if (Get(bytes.data() + kMagicSize, 4U) != kVersion) {
    throw std::runtime_error("it has another format version than " + std::to_string(kVersion));
  }
  const size_t end = bytes.size() - kChecksumSize;
  if (Get(bytes.data() + end, kChecksumSize) != Crc32(0U, bytes.data(), end)) {
    throw std::runtime_error("the checksum of the file is wrong");
  }
  std::vector<Section> sections;
  for (uint64_t left = Get(bytes.data() + kMagicSize + 4U, 4U); left > 0U; --left) {
    sections.push_back(ReadSection(bytes, end, position));
  }
  if (position != end) {
    throw std::runtime_error("the file goes on after its last section");
  }
  return sections;
}

void Writer::Number(uint64_t value) {
  Put(bytes_, value, kNumberSize);
}

void Writer::Text(const std::string &text) {
  Data(Bytes(text.begin(), text.end()));
}

void Writer::Data(const Bytes &data) {
  Number(data.size());
  bytes_.insert(bytes_.end(), data.begin(), data.end());
}

const uint8_t *Reader::Take(size_t size) {
  if (size > bytes_.size() - position_) {
    CutShort();
  }
  const uint8_t *taken = bytes_.data() + position_;
  position_ += size;
  return taken;
}

uint64_t Reader::Number() {
  return Get(Take(kNumberSize), kNumberSize);
}

uint64_t Reader::Number(uint64_t limit) {
  const uint64_t value = Number();
  if (value >= limit) {
    throw std::runtime_error("a number in the file is out of its range");
  }
  return value;
}

size_t Reader::Count() {
  const uint64_t count = Number();
  if (count > bytes_.size() - position_) {
    CutShort();
  }
  return static_cast<size_t>(count);
}

std::string Reader::Text() {
  const Bytes data = Data();
  return std::string(data.begin(), data.end());
}

Bytes Reader::Data() {
  const size_t size = Count();
  const uint8_t *data = Take(size);
  return Bytes(data, data + size);
}

void Reader::End() const {
  if (position_ != bytes_.size()) {
    throw std::runtime_error("a section goes on after its end");
  }
}

Bytes ReadFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  // A folder can be opened, and then has the largest size that there is.
  if (size < 0 || size == std::numeric_limits<std::streamoff>::max()) {
    throw std::runtime_error("cannot read " + path);
  }
  Bytes bytes(static_cast<size_t>(size));
  (void)file.seekg(0);
  if (!bytes.empty() && !file.read(reinterpret_cast<char *>(bytes.data()), size)) {
    throw std::runtime_error("cannot read " + path);
  }
  return bytes;
}
}  // namespace standin
