package io.hdfsraid.raidnode.catalog;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes the fields of a value one after another. Numbers take seven bits to a byte, low bits
 * first, after zigzag (so that -1 is short); texts are UTF-8 after their length; instants are
 * milliseconds.
 */
final class FieldWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);

  FieldWriter(int version) {
    bytes.write(version);
  }

  FieldWriter number(long value) {
    long rest = (value << 1) ^ (value >> 63);
    while ((rest & ~0x7FL) != 0) {
      bytes.write((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    bytes.write((int) rest);
    return this;
  }

  FieldWriter text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    number(utf8.length);
    bytes.writeBytes(utf8);
    return this;
  }

  FieldWriter instant(Instant value) {
    return number(value.toEpochMilli());
  }

  <T> FieldWriter optional(Optional<T> value, Consumer<T> field) {
    number(value.isPresent() ? 1 : 0);
    value.ifPresent(field);
    return this;
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  /** Eight bytes whose unsigned order is the order of the numbers. */
  static byte[] ordered(long... values) {
    ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES * values.length);
    for (long value : values) {
      buffer.putLong(value ^ Long.MIN_VALUE);
    }
    return buffer.array();
  }
}
