// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.client;

import io.hdfsraid.drfs.fs.DistributedRaidFileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.io.ElasticByteBufferPool;
import org.apache.hadoop.util.functional.FutureIO;

/** Opens files and reads from them, each time in another way. Used by one thread. */
final class RandomReader {
  private static final int MOST_READS = 40;
  private static final int LONGEST = 400_000;
  private static final List<String> POLICIES =
      List.of("random", "sequential", "vector", "columnar", "whole-file", "adaptive");

  private final DistributedRaidFileSystem fs;
  private final FileContext context;
  private final List<ReadFile> files;
  private final Random random;
  private int endedByRename;

  RandomReader(
      DistributedRaidFileSystem fs, Configuration conf, List<ReadFile> files, Random random)
      throws IOException {
    this.fs = fs;
    this.context = FileContext.getFileContext(fs.getUri(), conf);
    this.files = files;
    this.random = random;
  }

  /** Returns how many streams ended because their file was renamed. */
  int endedByRename() {
    return endedByRename;
  }

  /**
   * Opens a file and reads from it.
   *
   * @return the number of reads
   * @throws AssertionError if a byte is wrong
   */
  int readSome() throws Exception {
    ReadFile file = files.get(random.nextInt(files.size()));
    int length = file.length();
    String path = file.path();
    int count = 1 + random.nextInt(MOST_READS);
    try (FSDataInputStream in = open(path)) {
      for (int i = 0; i < count; i++) {
        int at = random.nextInt(length);
        int bytes = 1 + Math.min(length - at - 1, size());
        Way way = Way.values()[random.nextInt(Way.values().length)];
        try {
          way.read(new Range(in, file, at, bytes, random));
        } catch (IOException | RuntimeException e) {
          if (e instanceof FileNotFoundException && !file.stayedAt(path)) {
            endedByRename++;
            return i; // it was renamed before this stream met a loss, by which it would know it
          }
          throw new IOException(
              "%s of %d bytes at %d of %s, read %d of the stream"
                  .formatted(way, bytes, at, path, i),
              e);
        }
      }
      return count;
    } catch (FileNotFoundException e) {
      if (file.stayedAt(path)) {
        throw e;
      }
      endedByRename++;
      return 0; // it was renamed before it could be opened
    }
  }

  private int size() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(20);
      case 1 -> random.nextInt(5_000);
      case 2 -> random.nextInt(70_000);
      default -> random.nextInt(LONGEST);
    };
  }

  private FSDataInputStream open(String name) throws IOException {
    Path path = new Path(name);
    return switch (random.nextInt(4)) {
      case 0 -> context.open(path);
      case 1 ->
          FutureIO.awaitFuture(
              fs.openFile(path)
                  .opt(
                      "fs.option.openfile.read.policy",
                      POLICIES.get(random.nextInt(POLICIES.size())))
                  .build());
      case 2 ->
          fs.open(
              fs.getPathHandle(
                  fs.getFileStatus(path), HandleOpt.changed(true), HandleOpt.moved(true)));
      default -> fs.open(path);
    };
  }

  /** Bytes that are wanted from an open file. */
  private record Range(FSDataInputStream in, ReadFile file, int at, int count, Random random) {
    void compare(ByteBuffer read) {
      int mismatch = read.mismatch(ByteBuffer.wrap(file.content(), at, read.remaining()));
      if (mismatch >= 0) {
        throw new AssertionError(
            "Byte %d of %s is wrong, of %d from %d on"
                .formatted(at + mismatch, file.path(), count, at));
      }
    }

    void compare(byte[] read, int got) {
      if (got < 1 || got > count) {
        throw new AssertionError("%d bytes of %d wanted".formatted(got, count));
      }
      compare(ByteBuffer.wrap(read, 0, got));
    }
  }

  /** The ways in which Hadoop's streams are read. */
  private enum Way {
    ONE_BYTE {
      @Override
      void read(Range range) throws IOException {
        range.in().seek(range.at());
        range.compare(new byte[] {(byte) range.in().read()}, 1);
      }
    },
    ARRAY {
      @Override
      void read(Range range) throws IOException {
        byte[] bytes = new byte[range.count()];
        range.in().seek(range.at());
        range.compare(bytes, range.in().read(bytes));
      }
    },
    ARRAY_FULLY {
      @Override
      void read(Range range) throws IOException {
        byte[] bytes = new byte[range.count()];
        range.in().seek(range.at());
        range.in().readFully(bytes);
        range.compare(bytes, bytes.length);
      }
    },
    IN_PIECES {
      @Override
      void read(Range range) throws IOException {
        byte[] bytes = new byte[range.count()];
        range.in().seek(range.at());
        for (int got = 0; got < bytes.length; ) {
          int piece = Math.min(bytes.length - got, 1 + range.random().nextInt(8_192));
          range.in().readFully(bytes, got, piece);
          got += piece;
        }
        range.compare(bytes, bytes.length);
      }
    },
    SKIP {
      @Override
      void read(Range range) throws IOException {
        byte[] bytes = new byte[range.count()];
        range.in().seek(range.at() / 2);
        for (long left = (long) range.at() - range.at() / 2; left > 0; ) {
          left -= range.in().skip(left);
        }
        range.in().readFully(bytes);
        range.compare(bytes, bytes.length);
      }
    },
    HEAP_BUFFER {
      @Override
      void read(Range range) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(range.count() + 7).position(7);
        range.in().seek(range.at());
        int got = range.in().read(buffer);
        range.compare(buffer.slice(7, got));
      }
    },
    DIRECT_BUFFER {
      @Override
      void read(Range range) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(range.count());
        range.in().seek(range.at());
        int got = range.in().read(buffer);
        range.compare(buffer.slice(0, got));
      }
    },
    POSITIONED {
      @Override
      void read(Range range) throws IOException {
        byte[] bytes = new byte[range.count()];
        range.compare(bytes, range.in().read(range.at(), bytes, 0, bytes.length));
      }
    },
    POSITIONED_FULLY {
      @Override
      void read(Range range) throws IOException {
        byte[] bytes = new byte[range.count()];
        range.in().readFully(range.at(), bytes);
        range.compare(bytes, bytes.length);
      }
    },
    POSITIONED_BUFFER {
      @Override
      void read(Range range) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(range.count());
        int got = range.in().read(range.at(), buffer);
        range.compare(buffer.slice(0, got));
      }
    },
    POSITIONED_DIRECT_BUFFER_FULLY {
      @Override
      void read(Range range) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(range.count());
        range.in().readFully(range.at(), buffer);
        range.compare(buffer.flip());
      }
    },
    ZERO_COPY {
      @Override
      void read(Range range) throws IOException {
        range.in().seek(range.at());
        ByteBuffer buffer =
            range
                .in()
                .read(new ElasticByteBufferPool(), range.count(), EnumSet.noneOf(ReadOption.class));
        range.compare(buffer.duplicate());
        range.in().releaseBuffer(buffer);
      }
    },
    VECTORED {
      @Override
      void read(Range range) throws IOException {
        List<FileRange> ranges = new ArrayList<>();
        int pieces = 1 + range.random().nextInt(5);
        int piece = Math.max(1, range.count() / pieces);
        for (int from = 0; from < range.count(); from += piece) {
          int length = Math.min(piece, range.count() - from);
          ranges.add(FileRange.createFileRange(range.at() + from, Math.max(1, length / 2)));
        }
        range.in().readVectored(ranges, ByteBuffer::allocate);
        for (FileRange each : ranges) {
          ByteBuffer bytes = FutureIO.awaitFuture(each.getData());
          new Range(
                  range.in(),
                  range.file(),
                  (int) each.getOffset(),
                  each.getLength(),
                  range.random())
              .compare(bytes.duplicate());
        }
      }
    },
    AFTER_UNBUFFER {
      @Override
      void read(Range range) throws IOException {
        range.in().unbuffer();
        byte[] bytes = new byte[range.count()];
        range.in().seek(range.at());
        range.in().readFully(bytes);
        range.compare(bytes, bytes.length);
      }
    },
    WITH_READAHEAD {
      @Override
      void read(Range range) throws IOException {
        range.in().setReadahead((long) range.random().nextInt(2 << 20));
        byte[] bytes = new byte[range.count()];
        range.in().seek(range.at());
        range.in().readFully(bytes);
        range.compare(bytes, bytes.length);
      }
    },
    AT_A_NEW_SOURCE {
      @Override
      void read(Range range) throws IOException {
        boolean unused = range.in().seekToNewSource(range.at());
        byte[] bytes = new byte[range.count()];
        range.in().seek(range.at());
        range.in().readFully(bytes);
        range.compare(bytes, bytes.length);
      }
    };

    abstract void read(Range range) throws IOException;
  }
}
