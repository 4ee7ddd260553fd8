// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Images put together anew from the sections of one that is not compressed. */
final class Repacked {
  private final Map<String, byte[]> sections = new LinkedHashMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int layout = ImageSummary.KNOWN_LAYOUT;
  private String codec = "";

  private Repacked(byte[] image) throws IOException {
    int length = ByteBuffer.wrap(image).getInt(image.length - 4);
    CodedInputStream in = CodedInputStream.newInstance(image, image.length - 4 - length, length);
    in.readRawVarint32();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == 4) {
        CodedInputStream section = CodedInputStream.newInstance(in.readByteArray());
        section.readTag();
        String name = section.readString();
        section.readTag();
        int size = section.readUInt32();
        section.readTag();
        int offset = section.readUInt32();
        sections.put(name, Arrays.copyOfRange(image, offset, offset + size));
      } else {
        in.skipField(tag);
      }
    }
  }

  /** Each section compressed in two pieces, as those are that are written in parallel. */
  static byte[] of(byte[] image, Compression compression) throws IOException {
    Repacked repacked = new Repacked(image);
    repacked.codec = compression.className();
    for (Map.Entry<String, byte[]> section : repacked.sections.entrySet()) {
      byte[] plain = section.getValue();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      int half = plain.length / 2;
      write(bytes, compression, Arrays.copyOf(plain, half));
      write(bytes, compression, Arrays.copyOfRange(plain, half, plain.length));
      section.setValue(bytes.toByteArray());
    }
    return repacked.bytes();
  }

  private static void write(OutputStream to, Compression compression, byte[] plain)
      throws IOException {
    DeflaterOutputStream out =
        compression == Compression.GZIP ? new GZIPOutputStream(to) : new DeflaterOutputStream(to);
    out.write(plain);
    out.finish();
  }

  /** As if compressed by this class. */
  static byte[] named(byte[] image, String codec) throws IOException {
    Repacked repacked = new Repacked(image);
    repacked.codec = codec;
    return repacked.bytes();
  }

  /** With one message only in this section. */
  static byte[] without(byte[] image, String section, MessageWriter instead) throws IOException {
    Repacked repacked = new Repacked(image);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    instead.writeTo(bytes);
    repacked.sections.put(section, bytes.toByteArray());
    return repacked.bytes();
  }

  /** Of another layout version, with more sections. */
  static byte[] ofLayout(byte[] image, int layout, Map<String, byte[]> more) throws IOException {
    Repacked repacked = new Repacked(image);
    repacked.layout = layout;
    repacked.sections.putAll(more);
    return repacked.bytes();
  }

  private byte[] bytes() throws IOException {
    out.write(ImageSummary.MAGIC);
    MessageWriter summary =
        new MessageWriter().number(1, ImageSummary.FORMAT).number(2, layout & 0xFFFF_FFFFL);
    if (!codec.isEmpty()) {
      summary.text(3, codec);
    }
    for (Map.Entry<String, byte[]> section : sections.entrySet()) {
      MessageWriter entry =
          new MessageWriter()
              .text(1, section.getKey())
              .number(2, section.getValue().length)
              .number(3, out.size());
      out.write(section.getValue());
      summary.message(4, entry);
    }
    int begin = out.size();
    summary.writeTo(out);
    out.write(ByteBuffer.allocate(4).putInt(out.size() - begin).array());
    return out.toByteArray();
  }
}
