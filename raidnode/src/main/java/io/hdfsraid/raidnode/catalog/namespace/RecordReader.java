package io.hdfsraid.raidnode.catalog.namespace;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads what {@link RecordWriter} wrote. Anything unexpected is an {@link
 * IllegalArgumentException}.
 */
final class RecordReader {
  private final byte[] bytes;
  private final int end;
  private int at;

  RecordReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  RecordReader(byte[] bytes, int from, int length) {
    this.bytes = bytes;
    this.at = from;
    this.end = from + length;
  }

  boolean hasMore() {
    return at < end;
  }

  int octet() {
    if (at == end) {
      throw new IllegalArgumentException("the record ends too early");
    }
    return bytes[at++] & 0xFF;
  }

  long unsigned() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = octet();
      value |= (next & 0x7FL) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number of more than 64 bits");
  }

  long signed() {
    long value = unsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  int small() {
    return Math.toIntExact(unsigned());
  }

  String text() {
    long length = unsigned();
    if (length < 0 || length > end - at) {
      throw new IllegalArgumentException(
          "a text of %d bytes where %d are left".formatted(length, end - at));
    }
    String text = new String(bytes, at, (int) length, UTF_8);
    at += (int) length;
    return text;
  }

  String rest() {
    String text = new String(bytes, at, end - at, UTF_8);
    at = end;
    return text;
  }
}
