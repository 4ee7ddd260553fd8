package io.hdfsraid.raidnode.fsimage;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A protobuf message that is being written; empty again when it has been written somewhere. */
final class Message {
  private final Buffer buffer = new Buffer();
  private final CodedOutputStream out = CodedOutputStream.newInstance(buffer);

  private static final class Buffer extends ByteArrayOutputStream {
    byte[] array() {
      return buf;
    }
  }

  Message number(int field, long value) throws IOException {
    out.writeUInt64(field, value);
    return this;
  }

  Message fixed64(int field, long value) throws IOException {
    out.writeFixed64(field, value);
    return this;
  }

  Message fixed32(int field, int value) throws IOException {
    out.writeFixed32(field, value);
    return this;
  }

  Message text(int field, String value) throws IOException {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  Message bytes(int field, byte[] value) throws IOException {
    out.writeByteArray(field, value);
    return this;
  }

  Message message(int field, Message value) throws IOException {
    value.out.flush();
    out.writeByteArray(field, value.buffer.array(), 0, value.buffer.size());
    value.buffer.reset();
    return this;
  }

  /** A value of a field of packed ones, which has no tag. */
  Message packed(long value) throws IOException {
    out.writeUInt64NoTag(value);
    return this;
  }

  boolean isEmpty() throws IOException {
    out.flush();
    return buffer.size() == 0;
  }

  /** After its length, as messages follow each other in a file. */
  void writeTo(OutputStream target) throws IOException {
    out.flush();
    int length = buffer.size();
    for (; length >= 0x80; length >>>= 7) {
      target.write((length & 0x7F) | 0x80);
    }
    target.write(length);
    buffer.writeTo(target);
    buffer.reset();
  }
}
