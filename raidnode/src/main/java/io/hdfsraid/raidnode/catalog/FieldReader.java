package io.hdfsraid.raidnode.catalog;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads what {@link FieldWriter} wrote. Anything unexpected is an {@link IllegalArgumentException}.
 */
final class FieldReader {
  private final ByteBuffer bytes;

  /**
   * @param version the only one that is understood
   */
  FieldReader(byte[] bytes, int version) {
    this.bytes = ByteBuffer.wrap(bytes);
    if (bytes.length == 0 || bytes[0] != version) {
      throw new IllegalArgumentException(
          "expected version %d of a record, but found %s"
              .formatted(version, bytes.length == 0 ? "nothing" : String.valueOf(bytes[0])));
    }
    this.bytes.get();
  }

  long number() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = next();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw new IllegalArgumentException("a number of more than 64 bits");
  }

  int smallNumber() {
    return Math.toIntExact(number());
  }

  String text() {
    int length = smallNumber();
    if (length < 0 || length > bytes.remaining()) {
      throw new IllegalArgumentException(
          "a text of %d bytes where %d are left".formatted(length, bytes.remaining()));
    }
    byte[] utf8 = new byte[length];
    bytes.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  Instant instant() {
    return Instant.ofEpochMilli(number());
  }

  <T> Optional<T> optional(Supplier<T> field) {
    return number() == 1 ? Optional.of(field.get()) : Optional.empty();
  }

  private byte next() {
    try {
      return bytes.get();
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("the record ends too early", e);
    }
  }

  /** What {@link FieldWriter#ordered} wrote at the given place. */
  static long ordered(byte[] key, int index) {
    return ByteBuffer.wrap(key).getLong(index * Long.BYTES) ^ Long.MIN_VALUE;
  }
}
