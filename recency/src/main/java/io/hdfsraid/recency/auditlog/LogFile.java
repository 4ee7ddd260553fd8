// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

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
 * A file of an audit log. It is identified by its first bytes, which contain a time and so are
 * unique; they do not change if the file is renamed, copied or compressed.
 */
final class LogFile {
  private static final String PACKED = ".gz";

  /** The most bytes that identify a file. */
  private static final int HEAD = 512;

  /** The longest first line. */
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
   * Returns the time of the first line that has one, in milliseconds since 1970; else the
   * modification time.
   */
  long start() {
    return start;
  }

  /** Returns the size on disk. */
  long size() {
    return size;
  }

  /** Returns the modification time in milliseconds since 1970. */
  long modified() {
    return modified;
  }

  /** Returns how many of its first bytes are known, up to the given number. */
  int head(long most) {
    return (int) Math.min(most, head.length);
  }

  /** Returns the CRC32C of its first bytes. */
  long sum(int length) {
    CRC32C crc = new CRC32C();
    crc.update(head, 0, length);
    return crc.getValue();
  }

  /**
   * Returns whether the file ends before a position that was reached: it is being copied or was
   * truncated.
   */
  boolean endsBefore(long offset) {
    return !packed && size < offset;
  }

  /** Reads the beginning of a file; empty while its first line is incomplete. */
  static Optional<LogFile> look(Path path, AuditLineReader lines) throws IOException {
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

  /** Returns whether both files have the same lines; one may have more of them. */
  boolean isCopyOf(LogFile other) {
    int common = Math.min(head.length, other.head.length);
    return Arrays.equals(head, 0, common, other.head, 0, common);
  }

  boolean unchanged(long nowSize, long nowModified) {
    return size == nowSize && modified == nowModified;
  }

  /** Opens the file at an offset, which counts uncompressed bytes. */
  Content open(long offset) throws IOException {
    if (packed) {
      InputStream in = open(path, true);
      try {
        byte[] first = in.readNBytes(head.length);
        if (!Arrays.equals(first, head)) {
          throw new NoSuchFileException(
              path.toString(), null, "the name belongs to another file by now");
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

  /** The bytes of an open file. */
  final class Content implements Closeable {
    private final InputStream in;

    /** Null for a compressed file, which is not written to. */
    private final SeekableByteChannel channel;

    private byte[] unread = {};

    private Content(InputStream in, SeekableByteChannel channel) {
      this.in = in;
      this.channel = channel;
    }

    /** Reads as many bytes as are available and fit; returns 0 at the end. */
    int read(byte[] into, int from) throws IOException {
      int again = Math.min(unread.length, into.length - from);
      System.arraycopy(unread, 0, into, from, again);
      unread = Arrays.copyOfRange(unread, again, unread.length);
      return again + in.readNBytes(into, from + again, into.length - from - again);
    }

    /** Puts bytes back to be read again. */
    void unread(byte[] bytes, int from, int to) {
      unread = Arrays.copyOfRange(bytes, from, to);
    }

    /**
     * Returns whether this is still the file that was found, and was not truncated and rewritten.
     */
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
