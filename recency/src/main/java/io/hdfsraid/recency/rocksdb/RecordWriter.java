// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes the fields of a record one after another. Numbers take seven bits to a byte, low bits
 * first; signed ones are zigzag coded, so that -1 is short. A writer can be used again after {@link
 * #clear}.
 */
public final class RecordWriter {
  private byte[] bytes = new byte[256];
  private int size;

  /** Returns a writer whose record begins with a version byte. */
  public static RecordWriter ofVersion(int version) {
    return new RecordWriter().octet(version);
  }

  /** Begins another record. */
  public RecordWriter clear() {
    size = 0;
    return this;
  }

  public RecordWriter octet(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
    return this;
  }

  /** Writes a number that is never negative and seldom large. */
  public RecordWriter unsigned(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) ((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
    return this;
  }

  /** Writes a number whose absolute value is seldom large. */
  public RecordWriter signed(long value) {
    return unsigned((value << 1) ^ (value >> 63));
  }

  /** Writes the length of the UTF-8 as a signed number, then the UTF-8. */
  public RecordWriter text(String value) {
    byte[] utf8 = value.getBytes(UTF_8);
    signed(utf8.length);
    return append(utf8);
  }

  /** Writes a text without its length, as the last field of the record. */
  public RecordWriter rest(String value) {
    return append(value.getBytes(UTF_8));
  }

  /** Writes milliseconds since 1970. */
  public RecordWriter instant(Instant value) {
    return signed(value.toEpochMilli());
  }

  /** Writes whether the value is present, then the value if it is. */
  public <T> RecordWriter optional(Optional<T> value, Consumer<T> field) {
    signed(value.isPresent() ? 1 : 0);
    value.ifPresent(field);
    return this;
  }

  public RecordWriter append(byte[] value) {
    return append(value, 0, value.length);
  }

  public RecordWriter append(byte[] value, int from, int length) {
    reserve(length);
    System.arraycopy(value, from, bytes, size, length);
    size += length;
    return this;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }

  public int size() {
    return size;
  }

  /** Returns the array whose first {@link #size} bytes are the record, until the next change. */
  public byte[] array() {
    return bytes;
  }

  /** Returns a copy of the record. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }
}
