package io.hdfsraid.raidnode.fsimage;

import io.hdfsraid.raidnode.namespace.Image;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * An image as a NameNode has written it to a file: in protobuf, as all do since HDFS 2.4. It is
 * read from begin to end, but for some small sections, and in memory are at most the strings, the
 * directories that may have snapshots, the inodes that were renamed in one, and two bits for each
 * inode, or 64 MiB of them.
 *
 * <p>Where the NameNode's MD5 sum lies beside the image, it is verified before anything is told.
 * Without it a flipped bit in a time, a length or a name cannot be seen.
 */
public final class FsImage implements Image {
  private final Path file;
  private final Summary summary;
  private final long transaction;
  private final long inodes;

  private FsImage(Path file, Summary summary, long transaction, long inodes) {
    this.file = file;
    this.summary = summary;
    this.transaction = transaction;
    this.inodes = inodes;
  }

  /**
   * Looks at its summary and at the heads of its sections.
   *
   * @throws DamagedImageException when these are damaged, or it is of a kind that cannot be read
   */
  public static FsImage open(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      Summary summary = Summary.of(file, channel);
      Part parts = new Part(file, channel, summary);
      long transaction = parts.read(Section.NAMESPACE, FsImage::transaction);
      long inodes = parts.read(Section.INODES, InodeSection::head).inodes();
      return new FsImage(file, summary, transaction, inodes);
    }
  }

  /** The sections of an open file. */
  private record Part(Path file, FileChannel channel, Summary summary) {
    <T> T read(String name, Messages.Use<T> use) throws IOException {
      return read(summary.needed(name), use);
    }

    <T> T read(Section section, Messages.Use<T> use) throws IOException {
      return Messages.read(file, channel, section, summary.compression(), use);
    }
  }

  private static long transaction(Messages messages) throws IOException {
    if (!messages.next()) {
      throw messages.damaged("the section is empty");
    }
    long transaction = -1;
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = Wire.field(tag);
      if (tag == (6 << 3 | Wire.VARINT)) {
        transaction = messages.number();
      } else if (Wire.field(tag) <= 8) {
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
      StringTable strings = parts.read(Section.STRINGS, StringTable::of);
      Optional<Section> snapshotSection = summary.section(Section.SNAPSHOTS);
      SnapshotTable snapshots =
          snapshotSection.isPresent()
              ? parts.read(snapshotSection.get(), SnapshotTable::of)
              : SnapshotTable.EMPTY;
      Optional<Section> referenceSection = summary.section(Section.REFERENCES);
      ReferenceTable references =
          referenceSection.isPresent()
              ? parts.read(referenceSection.get(), ReferenceTable::of)
              : ReferenceTable.empty();
      KnownInodes known =
          parts.read(
              Section.INODES, messages -> InodeSection.read(strings, snapshots, messages, visitor));
      long unplaced =
          inodes
              - 1
              - parts.read(
                  Section.DIRECTORIES,
                  messages -> DirectorySection.read(references, known, messages, visitor));
      // HDFS itself has lost inodes out of directories, in old bugs: those do no harm.
      if (unplaced < 0 || (unplaced > 0 && snapshots.taken().isEmpty() && !vouchedFor)) {
        throw DamagedImageException.damaged(
            file,
            "section " + Section.DIRECTORIES,
            "%d of %d inodes are in no directory, and no snapshot holds them"
                .formatted(unplaced, inodes));
      }
    }
  }

  /** Whether there is a sum that the image agrees with. */
  private boolean verify() throws IOException {
    Optional<Digest> written = Digest.beside(file);
    if (written.isEmpty()) {
      return false;
    }
    Digest read = Digest.of(file);
    if (!read.equals(written.get())) {
      throw DamagedImageException.damaged(
          file,
          "offset 0",
          "its MD5 sum is %s, and %s was written".formatted(read.hex(), written.get().hex()));
    }
    return true;
  }
}
