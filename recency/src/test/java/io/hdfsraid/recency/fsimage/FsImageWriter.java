// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.recency.fsimage.StringTable.Kind;
import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes an image from inodes that arrive one by one, to test and measure with namespaces of any
 * size. Values that an {@link Inode} lacks are made up: blocks, modes, targets of links. Hadoop's
 * image viewer reads the result; a NameNode would miss sections that only it needs.
 *
 * <p>The memory holds the strings and the directories that may have snapshots. A temporary file
 * beside the image holds the places.
 */
public final class FsImageWriter implements Image.Visitor, Closeable {
  private static final int BUFFER = 1 << 18;
  private static final int MODE = 0b110_100_000;
  private static final int MOST_CHILDREN_AT_ONCE = 1 << 12;
  private static final long FIRST_BLOCK = 1L << 30;
  private static final long GENERATION = 1_001;
  private static final int RS_6_3 = 1;

  /**
   * The header of the inode section is written last, as numbers of a constant length. Some readers
   * take any number of ten bytes for a negative one.
   */
  private static final int LONGEST_NUMBER = 9;

  private static final int HEAD = 1 + 2 * (1 + LONGEST_NUMBER);

  private final Path file;
  private final Path placesFile;
  private final FileChannel channel;
  private final OutputStream out;
  private final OutputStream places;
  private final List<ImageSection> sections = new ArrayList<>();
  private final Map<Kind, Map<String, Integer>> strings = new EnumMap<>(Kind.class);
  private final Map<Long, Inode.Directory> snapshottable = new LinkedHashMap<>();

  private final MessageWriter inode = new MessageWriter();
  private final MessageWriter content = new MessageWriter();
  private final MessageWriter part = new MessageWriter();
  private final MessageWriter attributes = new MessageWriter();
  private final MessageWriter children = new MessageWriter();

  private long begin = ImageSummary.MAGIC.length;
  private long inodes;
  private long last = Inode.ROOT;
  private long block = FIRST_BLOCK;
  private long stripe = Long.MIN_VALUE;
  private long parent;
  private int childrenOfParent;
  private boolean finished;

  /**
   * Begins an image; an existing file is overwritten.
   *
   * @param transaction the last transaction of the image
   */
  public FsImageWriter(Path file, long transaction) throws IOException {
    this.file = file;
    this.placesFile = file.resolveSibling(file.getFileName() + ".places");
    for (Kind kind : Kind.values()) {
      strings.put(kind, new LinkedHashMap<>());
    }
    channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
    places = new BufferedOutputStream(Files.newOutputStream(placesFile), BUFFER);
    out.write(ImageSummary.MAGIC);
    new MessageWriter().number(1, 1).number(6, transaction).writeTo(out);
    end(ImageSection.NAMESPACE);
    out.write(head());
  }

  @Override
  public void inode(Inode told) {
    try {
      if (told instanceof Inode.File one) {
        write(one, Map.of());
      } else if (told instanceof Inode.Directory one) {
        write(one);
      } else if (told instanceof Inode.Symlink one) {
        write(one);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void inode(Inode.File told, Map<String, byte[]> marks) {
    try {
      write(told, marks);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void place(long child, long in) {
    try {
      if (in != parent || childrenOfParent == MOST_CHILDREN_AT_ONCE) {
        endDirectory();
        parent = in;
      }
      children.packed(child);
      childrenOfParent++;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void endDirectory() throws IOException {
    if (childrenOfParent > 0) {
      inode.number(1, parent).message(2, children).writeTo(places);
      childrenOfParent = 0;
    }
  }

  private void write(Inode.File told, Map<String, byte[]> marks) throws IOException {
    FileAttributes is = told.attributes();
    boolean striped = is.traits().contains(Trait.STRIPED);
    if (!striped) {
      content.number(1, is.replication());
    }
    content
        .number(2, is.modified())
        .number(3, is.accessed())
        .number(4, is.blockSize())
        .fixed64(5, rights(is.owner(), is.group()));
    blocks(is, striped);
    if (is.traits().contains(Trait.UNDER_CONSTRUCTION)) {
      content.message(7, part.text(1, "writer").text(2, "localhost"));
    }
    if (is.traits().contains(Trait.ENCRYPTED)) {
      attribute(InodeSection.ENCRYPTION, new byte[1]);
    }
    for (Map.Entry<String, byte[]> mark : marks.entrySet()) {
      attribute(mark.getKey(), mark.getValue());
    }
    if (!attributes.isEmpty()) {
      content.message(9, attributes);
    }
    if (is.storagePolicy() != 0) {
      content.number(10, is.storagePolicy());
    }
    content.number(11, striped ? InodeSection.STRIPED : 0);
    if (striped) {
      content.number(12, RS_6_3);
    }
    write(InodeSection.FILE, told, 4);
  }

  /** Full ones and a tail; as long as each other where these would be too few or too many. */
  private void blocks(FileAttributes is, boolean striped) throws IOException {
    long left = is.length();
    for (int i = 0; i < is.blocks(); i++) {
      long others = is.blocks() - i - 1L;
      boolean full = is.blockSize() > 0 && left > is.blockSize() * others;
      long length = full && others > 0 ? Math.min(left, is.blockSize()) : left / (others + 1);
      content.message(
          6, part.number(1, striped ? stripe++ : block++).number(2, GENERATION).number(3, length));
      left -= length;
    }
  }

  private void write(Inode.Directory told) throws IOException {
    directory(told);
    write(InodeSection.DIRECTORY, told, 5);
    if (told.snapshots() != Inode.Snapshots.FORBIDDEN) {
      snapshottable.put(told.id(), told);
    }
  }

  private void directory(Inode.Directory told) throws IOException {
    content
        .number(1, 0)
        .number(2, told.id() == Inode.ROOT ? Long.MAX_VALUE : -1)
        .number(3, -1)
        .fixed64(4, rights(told.owner(), told.group()));
    if (told.storagePolicy() != 0) {
      attribute(InodeSection.STORAGE_POLICY, new byte[] {(byte) told.storagePolicy()});
      content.message(6, attributes);
    }
  }

  private void write(Inode.Symlink told) throws IOException {
    content.fixed64(1, rights("hdfs", "hdfs")).text(2, "/").number(3, 0).number(4, 0);
    write(InodeSection.SYMLINK, told, 6);
  }

  private void write(int type, Inode told, int field) throws IOException {
    inode
        .number(1, type)
        .number(2, told.id())
        .text(3, told.name())
        .message(field, content)
        .writeTo(out);
    inodes++;
    last = Math.max(last, told.id());
  }

  private long rights(String owner, String group) {
    long numbers = (long) number(Kind.USER, owner) << StringTable.BITS | number(Kind.GROUP, group);
    return numbers << StringTable.MODE_BITS | MODE;
  }

  private void attribute(String name, byte[] value) throws IOException {
    for (AttributeSpace space : AttributeSpace.values()) {
      if (name.startsWith(space.prefix())) {
        int number = number(Kind.ATTRIBUTE, name.substring(space.prefix().length()));
        part.fixed32(1, number << StringTable.ATTRIBUTE_SHIFT | space.bits()).bytes(2, value);
        attributes.message(1, part);
        return;
      }
    }
    throw new IllegalArgumentException("No namespace has an extended attribute " + name);
  }

  private int number(Kind kind, String text) {
    Map<String, Integer> known = strings.get(kind);
    Integer number = known.get(text);
    if (number == null) {
      number = known.size() + 1;
      known.put(text, number);
    }
    return number;
  }

  /** Writes what is to follow the last inode and the last place. */
  public void finish() throws IOException {
    end(ImageSection.INODES);
    endDirectory();
    places.close();
    out.flush();
    try (InputStream told = Files.newInputStream(placesFile)) {
      told.transferTo(out);
    }
    end(ImageSection.DIRECTORIES);
    end(ImageSection.REFERENCES);
    snapshots();
    end(ImageSection.SNAPSHOTS);
    strings();
    end(ImageSection.STRINGS);
    MessageWriter summary =
        new MessageWriter()
            .number(1, ImageSummary.FORMAT)
            .number(2, ImageSummary.KNOWN_LAYOUT & 0xFFFF_FFFFL);
    for (ImageSection section : sections) {
      summary.message(
          4, part.text(1, section.name()).number(2, section.length()).number(3, section.offset()));
    }
    summary.writeTo(out);
    out.flush();
    ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
    length.putInt(Math.toIntExact(channel.position() - begin)).flip();
    while (length.hasRemaining()) {
      int unused = channel.write(length);
    }
    ByteBuffer head = ByteBuffer.wrap(head());
    long position = sections.get(1).offset();
    while (head.hasRemaining()) {
      int unused = channel.write(head, position + head.position());
    }
    finished = true;
  }

  private void snapshots() throws IOException {
    List<Inode.Directory> taken =
        snapshottable.values().stream()
            .filter(one -> one.snapshots() == Inode.Snapshots.TAKEN)
            .toList();
    MessageWriter head = new MessageWriter().number(1, taken.size());
    for (long directory : snapshottable.keySet()) {
      children.packed(directory);
    }
    if (!children.isEmpty()) {
      head.message(2, children);
    }
    head.number(3, taken.size()).writeTo(out);
    for (int i = 0; i < taken.size(); i++) {
      directory(taken.get(i));
      inode
          .number(1, InodeSection.DIRECTORY)
          .number(2, taken.get(i).id())
          .text(3, "s" + i)
          .message(5, content);
      part.number(1, i).message(2, inode).writeTo(out);
    }
  }

  private void strings() throws IOException {
    int all = strings.values().stream().mapToInt(Map::size).sum();
    part.number(1, all).number(2, StringTable.KIND_BITS).writeTo(out);
    for (Map.Entry<Kind, Map<String, Integer>> kind : strings.entrySet()) {
      for (Map.Entry<String, Integer> one : kind.getValue().entrySet()) {
        int id = kind.getKey().id(one.getValue(), StringTable.KIND_BITS);
        part.number(1, Integer.toUnsignedLong(id)).text(2, one.getKey()).writeTo(out);
      }
    }
  }

  private byte[] head() {
    ByteBuffer head = ByteBuffer.allocate(HEAD);
    head.put((byte) (HEAD - 1));
    head.put((byte) (1 << 3 | WireType.VARINT));
    putLongest(head, last);
    head.put((byte) (2 << 3 | WireType.VARINT));
    putLongest(head, inodes);
    return head.array();
  }

  private static void putLongest(ByteBuffer bytes, long number) {
    for (int i = 0; i < LONGEST_NUMBER - 1; i++) {
      bytes.put((byte) (((number >>> (7 * i)) & 0x7F) | 0x80));
    }
    bytes.put((byte) (number >>> (7 * (LONGEST_NUMBER - 1))));
  }

  private void end(String section) throws IOException {
    out.flush();
    sections.add(new ImageSection(section, begin, channel.position() - begin));
    begin = channel.position();
  }

  /** Removes an unfinished image. */
  @Override
  public void close() throws IOException {
    places.close();
    Files.deleteIfExists(placesFile);
    channel.close();
    if (!finished) {
      Files.deleteIfExists(file);
    }
  }
}
