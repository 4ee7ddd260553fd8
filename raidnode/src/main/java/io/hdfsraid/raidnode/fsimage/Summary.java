package io.hdfsraid.raidnode.fsimage;

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
 * What stands at the end of an image: of which sections it consists, and how they are compressed.
 *
 * @param sections by name; without the pieces in which some may be read in parallel
 */
record Summary(Compression compression, Map<String, Section> sections) {
  static final byte[] MAGIC = "HDFSIMG1".getBytes(StandardCharsets.US_ASCII);

  /** Of the rules by which sections and this follow each other. */
  static final int FORMAT = 1;

  /** With which images became what is read here; versions grow downwards. */
  static final int FIRST_LAYOUT = -52;

  /** The newest that was there to try, that of HDFS 3.5. */
  static final int KNOWN_LAYOUT = -67;

  /** The length of this, at the very end. */
  private static final int TRAILER = 4;

  /** That of an image with thousands of pieces has some hundred thousand bytes. */
  private static final int LONGEST = 1 << 26;

  private static final Set<String> KNOWN =
      Set.of(
          Section.NAMESPACE,
          Section.STRINGS,
          Section.INODES,
          Section.DIRECTORIES,
          Section.REFERENCES,
          Section.SNAPSHOTS,
          "EXTENDED_ACL",
          "ERASURE_CODING",
          "FILES_UNDERCONSTRUCTION",
          "SNAPSHOT_DIFF",
          "SECRET_MANAGER",
          "CACHE_MANAGER");

  private static final List<String> NEEDED =
      List.of(Section.NAMESPACE, Section.STRINGS, Section.INODES, Section.DIRECTORIES);

  static Summary of(Path file, FileChannel channel) throws IOException {
    long length = channel.size();
    if (length == 0) {
      throw DamagedImageException.damaged(file, "offset 0", "it is empty");
    }
    requireMagic(file, bytes(file, channel, 0, (int) Math.min(length, MAGIC.length)));
    if (length < MAGIC.length + TRAILER) {
      throw DamagedImageException.damaged(
          file, "offset " + length, "it ends there, and has no summary");
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
            "it is of layout version %d, older than HDFS 2.4 and not in protobuf".formatted(layout),
            "Take one that a newer NameNode has written");
      }
    }
    throw DamagedImageException.damaged(
        file,
        "offset 0",
        "an image begins with %s, this one with %s"
            .formatted(
                new String(MAGIC, StandardCharsets.US_ASCII),
                new String(begin, StandardCharsets.ISO_8859_1)));
  }

  Section needed(String name) {
    return sections.get(name);
  }

  Optional<Section> section(String name) {
    return Optional.ofNullable(sections.get(name));
  }

  /** Reads it from its bytes. */
  private static final class Parser {
    private final Path file;
    private final long begin;
    private final int length;
    private final CodedInputStream in;
    private final List<Section> all = new ArrayList<>();
    private int format;
    private int layout;
    private String codec = "";

    Parser(Path file, long begin, byte[] bytes) {
      this.file = file;
      this.begin = begin;
      this.length = bytes.length;
      this.in = CodedInputStream.newInstance(bytes);
    }

    Summary parse() throws IOException {
      try {
        int said = in.readRawVarint32();
        if (said != length - in.getTotalBytesRead()) {
          throw damaged("the summary is of %d bytes, and of %d".formatted(said, length));
        }
        summary();
      } catch (InvalidProtocolBufferException | EOFException e) {
        throw DamagedImageException.damaged(
            file, place(), "the summary cannot be understood: " + e.getMessage(), e);
      }
      requireKnownFormat();
      Compression compression =
          Compression.of(codec)
              .orElseThrow(
                  () ->
                      DamagedImageException.unreadable(
                          file,
                          "it is compressed by '%s', and only by %s could it be read"
                              .formatted(codec, Compression.readable()),
                          "Set dfs.image.compression.codec of the NameNodes to one of these, or dfs.image.compress to false, and have another one written: hdfs dfsadmin -saveNamespace"));
      return new Summary(compression, wholes());
    }

    private void summary() throws IOException {
      int above = 0;
      for (int tag = tag(above); tag != 0; tag = tag(above)) {
        above = Wire.field(tag);
        switch (tag) {
          case 1 << 3 | Wire.VARINT -> format = in.readUInt32();
          case 2 << 3 | Wire.VARINT -> layout = in.readUInt32();
          case 3 << 3 | Wire.BYTES -> codec = in.readStringRequireUtf8();
          case 4 << 3 | Wire.BYTES -> {
            all.add(section());
            above--;
          }
          default -> above = skip(tag, 4);
        }
      }
    }

    private Section section() throws IOException {
      int outer = in.pushLimit(in.readRawVarint32());
      String name = "";
      long offset = -1;
      long size = -1;
      int above = 0;
      for (int tag = tag(above); tag != 0; tag = tag(above)) {
        above = Wire.field(tag);
        switch (tag) {
          case 1 << 3 | Wire.BYTES -> name = in.readStringRequireUtf8();
          case 2 << 3 | Wire.VARINT -> size = in.readUInt64();
          case 3 << 3 | Wire.VARINT -> offset = in.readUInt64();
          default -> above = skip(tag, 3);
        }
      }
      in.popLimit(outer);
      if (offset < MAGIC.length || size < 0 || offset > begin || size > begin - offset) {
        throw damaged(
            "section %s is said to have %d bytes from offset %d, where bytes %d to %d have sections"
                .formatted(name, size, offset, MAGIC.length, begin));
      }
      return new Section(name, offset, size);
    }

    private int tag(int above) throws IOException {
      int tag = in.readTag();
      if (tag != 0 && Wire.field(tag) <= above) {
        throw damaged("field %d comes twice".formatted(Wire.field(tag)));
      }
      return tag;
    }

    private int skip(int tag, int known) throws IOException {
      int field = Wire.field(tag);
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

    /** What is not in pieces must fill the file without gaps, as it was written. */
    private Map<String, Section> wholes() throws IOException {
      List<Section> ordered =
          all.stream()
              .filter(section -> !section.isPiece())
              .sorted(Comparator.comparingLong(Section::offset).thenComparing(Section::length))
              .toList();
      Map<String, Section> wholes = new HashMap<>();
      long position = MAGIC.length;
      for (Section section : ordered) {
        if (section.offset() != position) {
          throw damaged(
              "section %s is said to begin at offset %d, and the one before it ends at %d"
                  .formatted(section.name(), section.offset(), position));
        }
        position = section.end();
        if (wholes.put(section.name(), section) != null) {
          throw damaged("there are two sections " + section.name());
        }
      }
      // What compresses ends, behind the last section, with a few bytes of nothing.
      if (position != begin && codec.isEmpty()) {
        throw damaged("the last section ends at offset %d".formatted(position));
      }
      requireNames(wholes.keySet());
      for (Section piece : all) {
        if (piece.isPiece()) {
          requireWithin(piece, wholes.get(piece.whole()));
        }
      }
      return Map.copyOf(wholes);
    }

    /** A newer HDFS may have sections that tell more; one that we know has none. */
    private void requireNames(Set<String> names) throws IOException {
      Set<String> unknown = new HashSet<>(names);
      unknown.removeAll(KNOWN);
      if (!unknown.isEmpty() && layout >= KNOWN_LAYOUT) {
        throw damaged("no section of layout version %d is named %s".formatted(layout, unknown));
      }
      for (String needed : NEEDED) {
        if (!names.contains(needed)) {
          throw damaged("there is no section %s, only %s".formatted(needed, names));
        }
      }
    }

    private void requireWithin(Section piece, Section whole) throws IOException {
      if (whole == null || piece.offset() < whole.offset() || piece.end() > whole.end()) {
        throw damaged("a piece, %s, is outside of its section, %s".formatted(piece, whole));
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
