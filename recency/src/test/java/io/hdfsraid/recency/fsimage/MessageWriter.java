// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Collects a protobuf message. It is empty again after it was written. */
final class MessageWriter {
  private final Buffer buffer = new Buffer();
  private final CodedOutputStream out = CodedOutputStream.newInstance(buffer);

  private static final class Buffer extends ByteArrayOutputStream {
    byte[] array() {
      return buf;
    }
  }

  MessageWriter number(int field, long value) throws IOException {
    out.writeUInt64(field, value);
    return this;
  }

  MessageWriter fixed64(int field, long value) throws IOException {
    out.writeFixed64(field, value);
    return this;
  }

  MessageWriter fixed32(int field, int value) throws IOException {
    out.writeFixed32(field, value);
    return this;
  }

  MessageWriter text(int field, String value) throws IOException {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  MessageWriter bytes(int field, byte[] value) throws IOException {
    out.writeByteArray(field, value);
    return this;
  }

  MessageWriter message(int field, MessageWriter value) throws IOException {
    value.out.flush();
    out.writeByteArray(field, value.buffer.array(), 0, value.buffer.size());
    value.buffer.reset();
    return this;
  }

  /** Adds a value of a packed field, which has no tag. */
  MessageWriter packed(long value) throws IOException {
    out.writeUInt64NoTag(value);
    return this;
  }

  boolean isEmpty() throws IOException {
    out.flush();
    return buffer.size() == 0;
  }

  /** Writes the message after its length, as in a file of messages. */
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
