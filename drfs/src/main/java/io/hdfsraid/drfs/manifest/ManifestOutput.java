// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.manifest;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Writes the primitive values of {@link ManifestFormat}. */
final class ManifestOutput {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  void writeByte(int value) {
    bytes.write(value);
  }

  void writeBytes(byte[] value) {
    bytes.writeBytes(value);
  }

  void writeInt(int value) {
    writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
  }

  void writeNumber(int value) {
    if (value < 0) {
      throw new IllegalArgumentException(
          "Counts and replications in a manifest are 0 or more, but got %d".formatted(value));
    }
    writeVarint(value);
  }

  void writeDelta(long value) {
    // Zigzag: small numbers of either sign become small numbers without one.
    writeVarint((value << 1) ^ (value >> 63));
  }

  private void writeVarint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      writeByte((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    writeByte((int) rest);
  }

  void writeText(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    writeNumber(utf8.length);
    writeBytes(utf8);
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }

  /** Appends the CRC, fills in the total length at the reserved position, and returns all bytes. */
  byte[] finish(int lengthAt) {
    int end = bytes.size();
    writeInt(0);
    byte[] whole = toByteArray();
    ByteBuffer.wrap(whole).putInt(lengthAt, whole.length);
    CRC32C crc = new CRC32C();
    crc.update(whole, 0, end);
    ByteBuffer.wrap(whole).putInt(end, (int) crc.getValue());
    return whole;
  }
}
