package io.hdfsraid.raidnode.catalog.namespace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * Writes records of a few dozen bytes, of which there are a hundred million. Numbers take seven
 * bits to a byte, low bits first. Can be used again after {@link #clear}.
 */
final class RecordWriter {
  private byte[] bytes = new byte[256];
  private int size;

  RecordWriter clear() {
    size = 0;
    return this;
  }

  RecordWriter octet(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
    return this;
  }

  /** A number that is seldom large and never negative, or all of its 64 bits. */
  RecordWriter unsigned(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) ((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
    return this;
  }

  /** A number whose amount is seldom large. */
  RecordWriter signed(long value) {
    return unsigned((value << 1) ^ (value >> 63));
  }

  /** A text after its length. */
  RecordWriter text(String value) {
    byte[] utf8 = value.getBytes(UTF_8);
    unsigned(utf8.length);
    return append(utf8);
  }

  /** A text up to the end of the record. */
  RecordWriter rest(String value) {
    return append(value.getBytes(UTF_8));
  }

  RecordWriter append(byte[] value) {
    return append(value, 0, value.length);
  }

  RecordWriter append(byte[] value, int from, int length) {
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

  int size() {
    return size;
  }

  /** What has been written is at the front of it, until something else is. */
  byte[] array() {
    return bytes;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }
}
