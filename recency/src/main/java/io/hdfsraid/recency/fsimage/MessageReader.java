// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.ZipException;

/**
 * Reads the protobuf messages of one section field by field; each follows its length. A message is
 * never in memory as a whole, so it may have any length.
 *
 * <p>Fields must occur at most once and in ascending order, as all Java versions of protobuf write
 * them, although the format does not require it. This detects many flipped bits.
 */
final class MessageReader implements Closeable {
  private static final int BUFFER = 1 << 18;
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private final Path file;
  private final ImageSection section;
  private final Compression compression;
  private final InputStream bytes;
  private final CodedInputStream in;
  private long before;

  /** Processes the messages of a section. */
  @FunctionalInterface
  interface Use<T> {
    T of(MessageReader messages) throws IOException;
  }

  private MessageReader(
      Path file, ImageSection section, Compression compression, InputStream bytes, int buffer) {
    this.file = file;
    this.section = section;
    this.compression = compression;
    this.bytes = bytes;
    this.in = CodedInputStream.newInstance(bytes, buffer);
    in.setSizeLimit(Integer.MAX_VALUE); // of one message: they are counted one by one
  }

  /**
   * Reads the messages of a section.
   *
   * @throws DamagedImageException if they are damaged, with the place
   */
  static <T> T read(
      Path file, FileChannel channel, ImageSection section, Compression compression, Use<T> use)
      throws IOException {
    SectionStream stored = new SectionStream(channel, section);
    int buffer = (int) Math.min(BUFFER, Math.max(64, section.length()));
    try {
      InputStream content = section.length() == 0 ? stored : compression.expand(stored);
      try (MessageReader messages =
          new MessageReader(file, section, compression, content, buffer)) {
        try {
          return use.of(messages);
        } catch (InvalidProtocolBufferException | ZipException | EOFException e) {
          throw DamagedImageException.damaged(
              file, messages.place(), "the bytes there cannot be parsed:  " + e.getMessage(), e);
        }
      }
    } catch (ZipException | EOFException e) {
      throw DamagedImageException.damaged(
          file,
          "section %s, offset %d".formatted(section.name(), section.offset()),
          "the section cannot be decompressed:  " + e.getMessage(),
          e);
    }
  }

  /** Begins the next message; returns false if there is none. */
  boolean next() throws IOException {
    before += in.getTotalBytesRead();
    in.resetSizeCounter();
    if (in.isAtEnd()) {
      return false;
    }
    int length = in.readRawVarint32();
    if (length < 0) {
      throw damaged("a message of %d bytes".formatted(length));
    }
    int unused = in.pushLimit(length);
    return true;
  }

  /** Ends the message that {@link #next} began. */
  void end() throws IOException {
    leave(NO_LIMIT);
  }

  /** Begins a message that is the value of the field; returns the argument for {@link #leave}. */
  int enter() throws IOException {
    return in.pushLimit(in.readRawVarint32());
  }

  /** Ends it. */
  void leave(int outer) throws IOException {
    if (in.getBytesUntilLimit() != 0) {
      throw damaged("a message has %d bytes more than there are".formatted(left()));
    }
    in.popLimit(outer);
  }

  /** Bytes that are left of the message. */
  int left() {
    return in.getBytesUntilLimit();
  }

  /**
   * Returns the tag of the next field; 0 at the end of the message.
   *
   * @param above the number of the previous field, or one less if that field may be repeated
   */
  int tag(int above) throws IOException {
    int tag = in.readTag();
    if (tag != 0 && WireFormat.getTagFieldNumber(tag) <= above) {
      throw damaged(
          "field %d comes twice, or after field %d"
              .formatted(WireFormat.getTagFieldNumber(tag), above));
    }
    return tag;
  }

  /**
   * Skips a field of a newer version.
   *
   * @param known fields up to this number are known; such a field here means damage
   * @return the argument for the next call of {@link #tag}
   */
  int skip(int tag, int known) throws IOException {
    int field = WireFormat.getTagFieldNumber(tag);
    int type = WireFormat.getTagWireType(tag);
    if (field <= known || type == WireFormat.WIRETYPE_START_GROUP) {
      throw damaged("field %d cannot be of wire type %d".formatted(field, type));
    }
    boolean skipped = in.skipField(tag);
    if (!skipped) {
      throw damaged("a group ends that did not begin");
    }
    return field - 1;
  }

  /** Skips the value of a known field. */
  void pass(int tag) throws IOException {
    boolean skipped = in.skipField(tag);
    if (!skipped) {
      throw damaged("a group ends that did not begin");
    }
  }

  long number() throws IOException {
    return in.readRawVarint64();
  }

  /** Reads a number below 2^31. */
  int smallNumber(String what) throws IOException {
    long number = in.readRawVarint64();
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw damaged("%s is %d".formatted(what, number));
    }
    return (int) number;
  }

  /** Reads a number below 2^63. */
  long size(String what) throws IOException {
    long number = in.readRawVarint64();
    if (number < 0) {
      throw damaged("%s is %d".formatted(what, number));
    }
    return number;
  }

  /** Reads a uint32; older images contain it with the sign extended. */
  int unsigned() throws IOException {
    return in.readRawVarint32();
  }

  long fixed64() throws IOException {
    return in.readRawLittleEndian64();
  }

  int fixed32() throws IOException {
    return in.readRawLittleEndian32();
  }

  /** Reads text that must be UTF-8. */
  String text() throws IOException {
    return in.readStringRequireUtf8();
  }

  byte[] bytes() throws IOException {
    return in.readByteArray();
  }

  /** Returns an exception with the present place. */
  DamagedImageException damaged(String what) {
    return DamagedImageException.damaged(file, place(), what);
  }

  private String place() {
    long read = before + in.getTotalBytesRead();
    return compression == Compression.NONE
        ? "section %s, offset %d".formatted(section.name(), section.offset() + read)
        : "section %s, which begins at offset %d, byte %d of its decompressed content"
            .formatted(section.name(), section.offset(), read);
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
