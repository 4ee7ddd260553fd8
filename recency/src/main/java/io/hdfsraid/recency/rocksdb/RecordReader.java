// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads the fields of a record that {@link RecordWriter} wrote, in the same order. Throws {@link
 * IllegalArgumentException} if the bytes do not match.
 */
public final class RecordReader {
  private final byte[] bytes;
  private final int end;
  private int at;

  public RecordReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  /** Reads a part of an array. */
  public RecordReader(byte[] bytes, int from, int length) {
    this.bytes = bytes;
    this.at = from;
    this.end = from + length;
  }

  /** Reads a record whose first byte must be the given version. */
  public static RecordReader ofVersion(int version, byte[] bytes) {
    RecordReader reader = new RecordReader(bytes);
    requireVersion(version, reader.octet());
    return reader;
  }

  /** Throws {@link IllegalArgumentException} if the versions differ. */
  public static void requireVersion(int expected, int found) {
    if (found != expected) {
      throw new IllegalArgumentException(
          "expected version %d of a record, but found %d".formatted(expected, found));
    }
  }

  /** Returns whether there are bytes left. */
  public boolean hasMore() {
    return at < end;
  }

  /** Returns one byte as a number from 0 to 255. */
  public int octet() {
    if (at == end) {
      throw new IllegalArgumentException("the record ends too early");
    }
    return bytes[at++] & 0xFF;
  }

  public long unsigned() {
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

  public int unsignedInt() {
    return Math.toIntExact(unsigned());
  }

  public long signed() {
    long value = unsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  public int signedInt() {
    return Math.toIntExact(signed());
  }

  public String text() {
    long length = signed();
    if (length < 0 || length > end - at) {
      throw new IllegalArgumentException(
          "a text of %d bytes where %d are left".formatted(length, end - at));
    }
    String text = new String(bytes, at, (int) length, UTF_8);
    at += (int) length;
    return text;
  }

  /** Returns the text that takes the rest of the record. */
  public String rest() {
    String text = new String(bytes, at, end - at, UTF_8);
    at = end;
    return text;
  }

  public Instant instant() {
    return Instant.ofEpochMilli(signed());
  }

  /** Reads a field that may be absent. */
  public <T> Optional<T> optional(Supplier<T> field) {
    return signed() == 1 ? Optional.of(field.get()) : Optional.empty();
  }
}
