// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The summary at the end of an image: its sections and their compression.
 *
 * @param sections by name, without the pieces for parallel reading
 */
record ImageSummary(Compression compression, Map<String, ImageSection> sections) {
  static final byte[] MAGIC = "HDFSIMG1".getBytes(StandardCharsets.US_ASCII);

  /** The version of the file format. */
  static final int FORMAT = 1;

  /** The oldest supported layout version; newer versions are smaller numbers. */
  static final int FIRST_LAYOUT = -52;

  /** The newest tested layout version, of HDFS 3.5. */
  static final int KNOWN_LAYOUT = -67;

  /** The size of the length of the summary, at the end of the file. */
  private static final int TRAILER = 4;

  /** The summary of an image with thousands of pieces has some hundred thousand bytes. */
  private static final int LONGEST = 1 << 26;

  private static final Set<String> KNOWN =
      Set.of(
          ImageSection.NAMESPACE,
          ImageSection.STRINGS,
          ImageSection.INODES,
          ImageSection.DIRECTORIES,
          ImageSection.REFERENCES,
          ImageSection.SNAPSHOTS,
          "EXTENDED_ACL",
          "ERASURE_CODING",
          "FILES_UNDERCONSTRUCTION",
          "SNAPSHOT_DIFF",
          "SECRET_MANAGER",
          "CACHE_MANAGER");

  private static final List<String> NEEDED =
      List.of(
          ImageSection.NAMESPACE,
          ImageSection.STRINGS,
          ImageSection.INODES,
          ImageSection.DIRECTORIES);

  static ImageSummary of(Path file, FileChannel channel) throws IOException {
    long length = channel.size();
    if (length == 0) {
      throw DamagedImageException.damaged(file, "offset 0", "it is empty");
    }
    requireMagic(file, bytes(file, channel, 0, (int) Math.min(length, MAGIC.length)));
    if (length < MAGIC.length + TRAILER) {
      throw DamagedImageException.damaged(
          file, "offset " + length, "it ends there without a summary");
    }
    int size = ByteBuffer.wrap(bytes(file, channel, length - TRAILER, TRAILER)).getInt();
    if (size <= 0 || size > Math.min(LONGEST, length - TRAILER - MAGIC.length)) {
      throw DamagedImageException.damaged(
          file,
          "offset " + (length - TRAILER),
          "the summary is said to have %d bytes of the %d of the file".formatted(size, length));
    }
    long begin = length - TRAILER - size;
    Parser parser = new Parser(file, begin, bytes(file, channel, begin, size));
    return parser.parse();
  }

  private static byte[] bytes(Path file, FileChannel channel, long offset, int length)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, offset + bytes.position()) < 0) {
        throw DamagedImageException.damaged(
            file, "offset " + (offset + bytes.position()), "it has become shorter");
      }
    }
    return bytes.array();
  }

  private static void requireMagic(Path file, byte[] begin) throws IOException {
    if (Arrays.equals(begin, MAGIC)) {
      return;
    }
    if (begin.length >= Integer.BYTES) {
      int layout = ByteBuffer.wrap(begin).getInt();
      if (layout < 0 && layout > FIRST_LAYOUT) {
        throw DamagedImageException.unreadable(
            file,
            "it has layout version %d, which is older than HDFS 2.4 and not protobuf"
                .formatted(layout),
            "Use an image of a newer NameNode");
      }
    }
    throw DamagedImageException.damaged(
        file,
        "offset 0",
        "an image begins with %s, but this file with %s"
            .formatted(
                new String(MAGIC, StandardCharsets.US_ASCII),
                new String(begin, StandardCharsets.ISO_8859_1)));
  }

  ImageSection needed(String name) {
    return sections.get(name);
  }

  Optional<ImageSection> section(String name) {
    return Optional.ofNullable(sections.get(name));
  }

  /** Parses the summary. */
  private static final class Parser {
    private final Path file;
    private final long begin;
    private final int length;
    private final CodedInputStream in;
    private final List<ImageSection> all = new ArrayList<>();
    private int format;
    private int layout;
    private String codec = "";

    Parser(Path file, long begin, byte[] bytes) {
      this.file = file;
      this.begin = begin;
      this.length = bytes.length;
      this.in = CodedInputStream.newInstance(bytes);
    }

    ImageSummary parse() throws IOException {
      try {
        int said = in.readRawVarint32();
        if (said != length - in.getTotalBytesRead()) {
          throw damaged("the summary is of %d bytes, and of %d".formatted(said, length));
        }
        summary();
      } catch (InvalidProtocolBufferException | EOFException e) {
        throw DamagedImageException.damaged(
            file, place(), "the summary cannot be parsed:  " + e.getMessage(), e);
      }
      requireKnownFormat();
      Compression compression =
          Compression.of(codec)
              .orElseThrow(
                  () ->
                      DamagedImageException.unreadable(
                          file,
                          "it is compressed by '%s', but only %s are supported"
                              .formatted(codec, Compression.readable()),
                          "Set dfs.image.compression.codec of the NameNodes to one of these, or"
                              + " dfs.image.compress to false, and have another one written: hdfs"
                              + " dfsadmin -saveNamespace"));
      return new ImageSummary(compression, wholes());
    }

    private void summary() throws IOException {
      int above = 0;
      for (int tag = tag(above); tag != 0; tag = tag(above)) {
        above = WireType.field(tag);
        switch (tag) {
          case 1 << 3 | WireType.VARINT -> format = in.readUInt32();
          case 2 << 3 | WireType.VARINT -> layout = in.readUInt32();
          case 3 << 3 | WireType.BYTES -> codec = in.readStringRequireUtf8();
          case 4 << 3 | WireType.BYTES -> {
            all.add(section());
            above--;
          }
          default -> above = skip(tag, 4);
        }
      }
    }

    private ImageSection section() throws IOException {
      int outer = in.pushLimit(in.readRawVarint32());
      String name = "";
      long offset = -1;
      long size = -1;
      int above = 0;
      for (int tag = tag(above); tag != 0; tag = tag(above)) {
        above = WireType.field(tag);
        switch (tag) {
          case 1 << 3 | WireType.BYTES -> name = in.readStringRequireUtf8();
          case 2 << 3 | WireType.VARINT -> size = in.readUInt64();
          case 3 << 3 | WireType.VARINT -> offset = in.readUInt64();
          default -> above = skip(tag, 3);
        }
      }
      in.popLimit(outer);
      if (offset < MAGIC.length || size < 0 || offset > begin || size > begin - offset) {
        throw damaged(
            "section %s is said to have %d bytes from offset %d, where bytes %d to %d have sections"
                .formatted(name, size, offset, MAGIC.length, begin));
      }
      return new ImageSection(name, offset, size);
    }

    private int tag(int above) throws IOException {
      int tag = in.readTag();
      if (tag != 0 && WireType.field(tag) <= above) {
        throw damaged("field %d comes twice".formatted(WireType.field(tag)));
      }
      return tag;
    }

    private int skip(int tag, int known) throws IOException {
      int field = WireType.field(tag);
      if (field <= known || WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_START_GROUP) {
        throw damaged("field %d cannot be of this wire type".formatted(field));
      }
      if (!in.skipField(tag)) {
        throw damaged("a group ends that did not begin");
      }
      return field - 1;
    }

    private void requireKnownFormat() throws IOException {
      if (format != FORMAT || layout >= 0) {
        throw damaged(
            "the format is %d instead of %d, the layout version %d"
                .formatted(format, FORMAT, layout));
      }
      if (layout > FIRST_LAYOUT) {
        throw damaged(
            "the layout version is %d, and this format came with %d"
                .formatted(layout, FIRST_LAYOUT));
      }
    }

    /** The sections without pieces must fill the file without gaps. */
    private Map<String, ImageSection> wholes() throws IOException {
      List<ImageSection> ordered =
          all.stream()
              .filter(section -> !section.isPiece())
              .sorted(
                  Comparator.comparingLong(ImageSection::offset)
                      .thenComparing(ImageSection::length))
              .toList();
      Map<String, ImageSection> wholes = new HashMap<>();
      long position = MAGIC.length;
      for (ImageSection section : ordered) {
        if (section.offset() != position) {
          throw damaged(
              "section %s begins at offset %d, but the one before it ends at %d"
                  .formatted(section.name(), section.offset(), position));
        }
        position = section.end();
        if (wholes.put(section.name(), section) != null) {
          throw damaged("there are two sections " + section.name());
        }
      }
      // A compressor writes a few bytes behind the last section.
      if (position != begin && codec.isEmpty()) {
        throw damaged("the last section ends at offset %d".formatted(position));
      }
      requireNames(wholes.keySet());
      for (ImageSection piece : all) {
        if (piece.isPiece()) {
          requireWithin(piece, wholes.get(piece.whole()));
        }
      }
      return Map.copyOf(wholes);
    }

    /** A newer HDFS may have more sections; a known version has none that is unknown. */
    private void requireNames(Set<String> names) throws IOException {
      Set<String> unknown = new HashSet<>(names);
      unknown.removeAll(KNOWN);
      if (!unknown.isEmpty() && layout >= KNOWN_LAYOUT) {
        throw damaged("layout version %d has no section named %s".formatted(layout, unknown));
      }
      for (String needed : NEEDED) {
        if (!names.contains(needed)) {
          throw damaged("the section %s is missing; there are only %s".formatted(needed, names));
        }
      }
    }

    private void requireWithin(ImageSection piece, ImageSection whole) throws IOException {
      if (whole == null || piece.offset() < whole.offset() || piece.end() > whole.end()) {
        throw damaged("piece %s is outside of its section %s".formatted(piece, whole));
      }
    }

    private DamagedImageException damaged(String what) {
      return DamagedImageException.damaged(file, place(), what);
    }

    private String place() {
      return "summary, offset %d".formatted(begin + in.getTotalBytesRead());
    }
  }
}
