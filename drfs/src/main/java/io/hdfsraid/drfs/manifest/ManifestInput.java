// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.manifest;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads the output of {@link ManifestOutput} and validates every value. */
final class ManifestInput {
  private static final int LONGEST_VARINT = 10;

  private final ByteBuffer bytes;

  ManifestInput(byte[] bytes, int from, int to) {
    this.bytes = ByteBuffer.wrap(bytes, from, to - from);
  }

  int position() {
    return bytes.position();
  }

  private void need(int count) throws ManifestFormatException {
    if (bytes.remaining() < count) {
      throw new ManifestFormatException(
          "The manifest wants %d bytes at byte %d, but has %d left"
              .formatted(count, bytes.position(), bytes.remaining()));
    }
  }

  byte[] readBytes(int count) throws ManifestFormatException {
    need(count);
    byte[] read = new byte[count];
    bytes.get(read);
    return read;
  }

  int readInt() throws ManifestFormatException {
    need(Integer.BYTES);
    return bytes.getInt();
  }

  /** Reads a count. Rejects counts whose elements cannot fit into the bytes that are left. */
  int readCount(String what, int leastBytes) throws ManifestFormatException {
    int count = readNumber("number of " + what);
    if (count > bytes.remaining() / leastBytes) {
      throw new ManifestFormatException(
          "The manifest announces %d %s, but the %d bytes left at byte %d cannot hold them"
              .formatted(count, what, bytes.remaining(), bytes.position()));
    }
    return count;
  }

  int readNumber(String what) throws ManifestFormatException {
    long number = readVarint();
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw new ManifestFormatException(
          "The %s of the manifest, %s, is out of range"
              .formatted(what, Long.toUnsignedString(number)));
    }
    return (int) number;
  }

  long readDelta() throws ManifestFormatException {
    long zigzag = readVarint();
    return (zigzag >>> 1) ^ -(zigzag & 1);
  }

  private long readVarint() throws ManifestFormatException {
    long value = 0;
    for (int i = 0; i < LONGEST_VARINT; i++) {
      need(1);
      byte next = bytes.get();
      value |= (next & 0x7fL) << (7 * i);
      if (next >= 0) {
        boolean needless = i > 0 && next == 0;
        boolean beyond64Bits = i == LONGEST_VARINT - 1 && next > 1;
        if (needless || beyond64Bits) {
          break;
        }
        return value;
      }
    }
    throw new ManifestFormatException(
        "The manifest has a number in a non-canonical form before byte %d"
            .formatted(bytes.position()));
  }

  String readText() throws ManifestFormatException {
    byte[] utf8 = readBytes(readCount("bytes of text", 1));
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new ManifestFormatException(
          "The manifest has text that is not UTF-8 before byte %d".formatted(bytes.position()));
    }
  }

  void checkEnd() throws ManifestFormatException {
    if (bytes.hasRemaining()) {
      throw new ManifestFormatException(
          "The manifest has %d bytes of unknown content at byte %d"
              .formatted(bytes.remaining(), bytes.position()));
    }
  }
}
