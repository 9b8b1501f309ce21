#include "archive.h"

#include <fstream>
#include <ios>
#include <iterator>
#include <utility>

namespace standin {
namespace {
constexpr size_t kNumberSize = 8U;
}  // namespace

uint32_t Crc32(const uint8_t *data, size_t size) {
  uint32_t crc = 0xFFFFFFFFU;
  for (size_t i = 0U; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1U) ^ ((crc & 1U) != 0U ? 0xEDB88320U : 0U);
    }
  }
  return ~crc;
}

void Writer::Number(uint64_t value) {
  for (size_t i = 0U; i < kNumberSize; ++i) {
    bytes_.push_back(static_cast<uint8_t>(value >> (8U * i)));
  }
}

void Writer::Text(const std::string &text) {
  Data(Bytes(text.begin(), text.end()));
}

void Writer::Data(const Bytes &data) {
  Number(data.size());
  bytes_.insert(bytes_.end(), data.begin(), data.end());
}

Bytes Writer::Finish() && {
  Number(Crc32(bytes_.data(), bytes_.size()));
  return std::move(bytes_);
}

Reader::Reader(const Bytes &bytes) : bytes_(bytes), size_(bytes.size()) {
  if (bytes.size() < kNumberSize) {
    throw std::runtime_error("the file is too short");
  }
  position_ = bytes.size() - kNumberSize;
  const uint64_t crc = Number();
  position_ = 0U;
  size_ = bytes.size() - kNumberSize;
  if (crc != Crc32(bytes.data(), size_)) {
    throw std::runtime_error("the checksum of the file is wrong");
  }
}

const uint8_t *Reader::Take(size_t size) {
  if (size > size_ - position_) {
    throw std::runtime_error("the file is cut short");
  }
  const uint8_t *taken = bytes_.data() + position_;
  position_ += size;
  return taken;
}

uint64_t Reader::Number() {
  const uint8_t *bytes = Take(kNumberSize);
  uint64_t value = 0U;
  for (size_t i = 0U; i < kNumberSize; ++i) {
    value |= static_cast<uint64_t>(bytes[i]) << (8U * i);
  }
  return value;
}

size_t Reader::Count() {
  const uint64_t count = Number();
  if (count > size_ - position_) {
    throw std::runtime_error("the file is cut short");
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
  if (position_ != size_) {
    throw std::runtime_error("the file goes on after its end");
  }
}

Bytes ReadFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw std::runtime_error("cannot read " + path);
  }
  return Bytes(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

void WriteFile(const std::string &path, const Bytes &bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) {
    throw std::runtime_error("cannot write " + path);
  }
}
}  // namespace standin
