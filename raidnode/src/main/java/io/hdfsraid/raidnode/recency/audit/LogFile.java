package io.hdfsraid.raidnode.recency.audit;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;

/**
 * A file of an audit log as it was found: known by its first bytes, which stay as they are when it
 * is renamed, copied or packed, and which, with a time in them, no other file has.
 */
final class LogFile {
  private static final String PACKED = ".gz";

  /** Bytes that say which file it is, at most. */
  private static final int HEAD = 512;

  /** In so many bytes the first line must end. */
  private static final int FIRST_LINE = 1 << 16;

  private final Path path;
  private final boolean packed;
  private final byte[] head;
  private final long start;
  private final long size;
  private final long modified;

  private LogFile(Path path, boolean packed, byte[] head, long start, long size, long modified) {
    this.path = path;
    this.packed = packed;
    this.head = head;
    this.start = start;
    this.size = size;
    this.modified = modified;
  }

  Path path() {
    return path;
  }

  boolean packed() {
    return packed;
  }

  /**
   * The time of its first line that has one, in milliseconds since 1970; else when it was last
   * written.
   */
  long start() {
    return start;
  }

  /** Packed, if it is. */
  long size() {
    return size;
  }

  /** When it was last written, in milliseconds since 1970. */
  long modified() {
    return modified;
  }

  /** How many bytes of its beginning are known, up to so many. */
  int head(long most) {
    return (int) Math.min(most, head.length);
  }

  /** The CRC32C of its first bytes, as many as are known or fewer. */
  long sum(int length) {
    CRC32C crc = new CRC32C();
    crc.update(head, 0, length);
    return crc.getValue();
  }

  /** Whether it ends before a place that was reached in it: it is being copied, or was cut. */
  boolean endsBefore(long offset) {
    return !packed && size < offset;
  }

  /** Looks at a file; empty while its first line is not complete. */
  static Optional<LogFile> look(Path path, AuditLines lines) throws IOException {
    boolean packed = path.getFileName().toString().endsWith(PACKED);
    long size = Files.size(path);
    long modified = Files.getLastModifiedTime(path).toMillis();
    byte[] first;
    try (InputStream in = open(path, packed)) {
      first = in.readNBytes(FIRST_LINE);
    } catch (EOFException e) { // it is being packed
      return Optional.empty();
    }
    int end = endOfLine(first, 0);
    if (end < 0 && first.length < FIRST_LINE) {
      return Optional.empty();
    }
    long start = LogTime.NONE;
    int from = 0;
    for (; end >= 0 && start == LogTime.NONE; end = endOfLine(first, from)) {
      start = lines.time(first, from, end - from);
      from = end + 1;
    }
    return Optional.of(
        new LogFile(
            path,
            packed,
            Arrays.copyOf(first, Math.min(first.length, HEAD)),
            start == LogTime.NONE ? modified : start,
            size,
            modified));
  }

  private static int endOfLine(byte[] bytes, int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private static InputStream open(Path path, boolean packed) throws IOException {
    InputStream in = Files.newInputStream(path);
    try {
      return packed ? new GZIPInputStream(new BufferedInputStream(in)) : in;
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /** Whether it holds the same lines, though perhaps one of them has more of them. */
  boolean isCopyOf(LogFile other) {
    int common = Math.min(head.length, other.head.length);
    return Arrays.equals(head, 0, common, other.head, 0, common);
  }

  boolean unchanged(long nowSize, long nowModified) {
    return size == nowSize && modified == nowModified;
  }

  /** Opens it to be read from an offset on, of what is in it when it is packed. */
  Content open(long offset) throws IOException {
    if (packed) {
      InputStream in = open(path, true);
      try {
        byte[] first = in.readNBytes(head.length);
        if (!Arrays.equals(first, head)) {
          throw new NoSuchFileException(path.toString(), null, "another file has its name by now");
        }
        InputStream whole = new SequenceInputStream(new ByteArrayInputStream(first), in);
        whole.skipNBytes(offset);
        return new Content(whole, null);
      } catch (IOException | RuntimeException e) {
        in.close();
        throw e;
      }
    }
    SeekableByteChannel channel = Files.newByteChannel(path);
    channel.position(offset);
    return new Content(Channels.newInputStream(channel), channel);
  }

  /** Bytes of an open file. */
  final class Content implements Closeable {
    private final InputStream in;

    /** Null for a packed file, which nobody writes to. */
    private final SeekableByteChannel channel;

    private byte[] unread = {};

    private Content(InputStream in, SeekableByteChannel channel) {
      this.in = in;
      this.channel = channel;
    }

    /** As many as there are and fit; 0 at the end. */
    int read(byte[] into, int from) throws IOException {
      int again = Math.min(unread.length, into.length - from);
      System.arraycopy(unread, 0, into, from, again);
      unread = Arrays.copyOfRange(unread, again, unread.length);
      return again + in.readNBytes(into, from + again, into.length - from - again);
    }

    /** Has these read once more. */
    void unread(byte[] bytes, int from, int to) {
      unread = Arrays.copyOfRange(bytes, from, to);
    }

    /** Whether it is still the file that was found, and was not emptied and written anew. */
    boolean isTheSame() throws IOException {
      if (channel == null) {
        return true;
      }
      long place = channel.position();
      ByteBuffer now = ByteBuffer.allocate(head.length);
      channel.position(0);
      while (now.hasRemaining() && channel.read(now) >= 0) {
        // goes on
      }
      channel.position(place);
      return Arrays.equals(now.array(), head);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
