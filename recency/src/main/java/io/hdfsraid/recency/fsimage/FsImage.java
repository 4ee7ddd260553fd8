// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import io.hdfsraid.recency.namespace.Image;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * An image file of a NameNode, in the protobuf format of HDFS 2.4 and later. It is read
 * sequentially, except for some small sections. The memory holds the strings, the directories that
 * may have snapshots, the inodes that were renamed in one, and at most 64 MiB of bits, two for each
 * inode.
 *
 * <p>If the NameNode's MD5 sum lies beside the image, it is verified before the image is read.
 * Without it a flipped bit in a time, a length or a name cannot be detected.
 */
public final class FsImage implements Image {
  private final Path file;
  private final ImageSummary summary;
  private final long transaction;
  private final long inodes;

  private FsImage(Path file, ImageSummary summary, long transaction, long inodes) {
    this.file = file;
    this.summary = summary;
    this.transaction = transaction;
    this.inodes = inodes;
  }

  /**
   * Opens an image; reads its summary and the beginnings of its sections.
   *
   * @throws DamagedImageException if these are damaged or the format is not supported
   */
  public static FsImage open(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ImageSummary summary = ImageSummary.of(file, channel);
      Part parts = new Part(file, channel, summary);
      long transaction = parts.read(ImageSection.NAMESPACE, FsImage::transaction);
      long inodes = parts.read(ImageSection.INODES, InodeSection::head).inodes();
      return new FsImage(file, summary, transaction, inodes);
    }
  }

  /** The sections of an open file. */
  private record Part(Path file, FileChannel channel, ImageSummary summary) {
    <T> T read(String name, MessageReader.Use<T> use) throws IOException {
      return read(summary.needed(name), use);
    }

    <T> T read(ImageSection section, MessageReader.Use<T> use) throws IOException {
      return MessageReader.read(file, channel, section, summary.compression(), use);
    }
  }

  private static long transaction(MessageReader messages) throws IOException {
    if (!messages.next()) {
      throw messages.damaged("the section is empty");
    }
    long transaction = -1;
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      if (tag == (6 << 3 | WireType.VARINT)) {
        transaction = messages.number();
      } else if (WireType.field(tag) <= 8) {
        messages.pass(tag);
      } else {
        above = messages.skip(tag, 8);
      }
    }
    messages.end();
    if (transaction < 0) {
      throw messages.damaged("the last transaction is %d".formatted(transaction));
    }
    if (messages.next()) {
      throw messages.damaged("the section goes on");
    }
    return transaction;
  }

  @Override
  public long transaction() {
    return transaction;
  }

  @Override
  public long inodes() {
    return inodes;
  }

  @Override
  public void read(Visitor visitor) throws IOException {
    boolean vouchedFor = verify();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      Part parts = new Part(file, channel, summary);
      StringTable strings = parts.read(ImageSection.STRINGS, StringTable::of);
      Optional<ImageSection> snapshotSection = summary.section(ImageSection.SNAPSHOTS);
      SnapshotTable snapshots =
          snapshotSection.isPresent()
              ? parts.read(snapshotSection.get(), SnapshotTable::of)
              : SnapshotTable.EMPTY;
      Optional<ImageSection> referenceSection = summary.section(ImageSection.REFERENCES);
      ReferenceTable references =
          referenceSection.isPresent()
              ? parts.read(referenceSection.get(), ReferenceTable::of)
              : ReferenceTable.empty();
      InodeBits known =
          parts.read(
              ImageSection.INODES,
              messages -> InodeSection.read(strings, snapshots, messages, visitor));
      long unplaced =
          inodes
              - 1
              - parts.read(
                  ImageSection.DIRECTORIES,
                  messages -> DirectorySection.read(references, known, messages, visitor));
      // Old bugs of HDFS lost inodes from directories; these do no harm.
      if (unplaced < 0 || (unplaced > 0 && snapshots.taken().isEmpty() && !vouchedFor)) {
        throw DamagedImageException.damaged(
            file,
            "section " + ImageSection.DIRECTORIES,
            "%d of %d inodes are in no directory, and no snapshot holds them"
                .formatted(unplaced, inodes));
      }
    }
  }

  /** Returns whether an MD5 sum lies beside the image, which {@link #read} verifies. */
  public boolean isVouchedFor() throws IOException {
    return ImageDigest.beside(file).isPresent();
  }

  /** Verifies the sum; returns whether there is one. */
  private boolean verify() throws IOException {
    Optional<ImageDigest> written = ImageDigest.beside(file);
    if (written.isEmpty()) {
      return false;
    }
    ImageDigest read = ImageDigest.of(file);
    if (!read.equals(written.get())) {
      throw DamagedImageException.damaged(
          file,
          "offset 0",
          "its MD5 sum is %s instead of %s".formatted(read.hex(), written.get().hex()));
    }
    return true;
  }
}
