package io.hdfsraid.raidnode.fsimage;

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
 * The protobuf messages of one section, each after its length, field by field. A message is never
 * in memory as a whole, so that its length may be anything.
 *
 * <p>Of the order of fields more is wanted than protobuf promises: that which all of its Java
 * versions keep to, each field at most once, by ascending numbers. Many a flipped bit shows by it.
 */
final class Messages implements Closeable {
  private static final int BUFFER = 1 << 18;
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private final Path file;
  private final Section section;
  private final Compression compression;
  private final InputStream bytes;
  private final CodedInputStream in;
  private long before;

  /** What is done with the messages of a section. */
  @FunctionalInterface
  interface Use<T> {
    T of(Messages messages) throws IOException;
  }

  private Messages(
      Path file, Section section, Compression compression, InputStream bytes, int buffer) {
    this.file = file;
    this.section = section;
    this.compression = compression;
    this.bytes = bytes;
    this.in = CodedInputStream.newInstance(bytes, buffer);
    in.setSizeLimit(Integer.MAX_VALUE); // of one message: they are counted one by one
  }

  /**
   * Has them read.
   *
   * @throws DamagedImageException when they are not as they should be, with the place
   */
  static <T> T read(
      Path file, FileChannel channel, Section section, Compression compression, Use<T> use)
      throws IOException {
    SectionStream stored = new SectionStream(channel, section);
    int buffer = (int) Math.min(BUFFER, Math.max(64, section.length()));
    try {
      InputStream content = section.length() == 0 ? stored : compression.expand(stored);
      try (Messages messages = new Messages(file, section, compression, content, buffer)) {
        try {
          return use.of(messages);
        } catch (InvalidProtocolBufferException | ZipException | EOFException e) {
          throw DamagedImageException.damaged(
              file, messages.place(), "what is there cannot be understood: " + e.getMessage(), e);
        }
      }
    } catch (ZipException | EOFException e) {
      throw DamagedImageException.damaged(
          file,
          "section %s, offset %d".formatted(section.name(), section.offset()),
          "what is compressed there cannot be expanded: " + e.getMessage(),
          e);
    }
  }

  /** Begins with the next message, which must be left before; false when there is none. */
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

  /** Begins with a message that is the value of the field; returns what to {@link #leave} with. */
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
   * The next field's tag; 0 when the message ends.
   *
   * @param above the number of the field before, less one where that one may be repeated
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
   * Passes by a field of no interest, which may be one that did not exist when this was written.
   *
   * @param known fields up to this number are known: if one of them is here, it is damaged
   * @return what is to be given to {@link #tag} next
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

  /** Passes by the value of a known field. */
  void pass(int tag) throws IOException {
    boolean skipped = in.skipField(tag);
    if (!skipped) {
      throw damaged("a group ends that did not begin");
    }
  }

  long number() throws IOException {
    return in.readRawVarint64();
  }

  /** A number that cannot be as large as 2^31. */
  int smallNumber(String what) throws IOException {
    long number = in.readRawVarint64();
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw damaged("%s is %d".formatted(what, number));
    }
    return (int) number;
  }

  /** A number that cannot be as large as 2^63. */
  long size(String what) throws IOException {
    long number = in.readRawVarint64();
    if (number < 0) {
      throw damaged("%s is %d".formatted(what, number));
    }
    return number;
  }

  /** What protobuf calls uint32; older images have it with the sign extended. */
  int unsigned() throws IOException {
    return in.readRawVarint32();
  }

  long fixed64() throws IOException {
    return in.readRawLittleEndian64();
  }

  int fixed32() throws IOException {
    return in.readRawLittleEndian32();
  }

  /** Text that must be UTF-8. */
  String text() throws IOException {
    return in.readStringRequireUtf8();
  }

  byte[] bytes() throws IOException {
    return in.readByteArray();
  }

  /** What is wrong here. */
  DamagedImageException damaged(String what) {
    return DamagedImageException.damaged(file, place(), what);
  }

  private String place() {
    long read = before + in.getTotalBytesRead();
    return compression == Compression.NONE
        ? "section %s, offset %d".formatted(section.name(), section.offset() + read)
        : "section %s, which begins at offset %d, byte %d of what is compressed there"
            .formatted(section.name(), section.offset(), read);
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
