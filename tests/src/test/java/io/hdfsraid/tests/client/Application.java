// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.client;

import java.net.URI;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.io.ElasticByteBufferPool;
import org.apache.hadoop.util.functional.FutureIO;

/**
 * An application as users write them: it knows Hadoop, and its configuration knows us. Reads a file
 * in every way that Hadoop has, and prints for each way the SHA-256 of what it got; then the
 * checksums of the file.
 */
final class Application {
  private static final int PIECE = 10_000;
  private static final List<String> COMBINE_MODES = List.of("MD5MD5CRC", "COMPOSITE_CRC");

  private Application() {}

  /** Takes the URI of the file. */
  public static void main(String[] arguments) throws Exception {
    URI uri = URI.create(arguments[0]);
    Path path = new Path(uri);
    try (FileSystem fs = FileSystem.newInstance(uri, conf())) {
      int length = (int) fs.getFileStatus(path).getLen();
      for (Way way : Way.values()) {
        byte[] read = new byte[length];
        way.read(fs, path, read);
        print(way.name(), MessageDigest.getInstance("SHA-256").digest(read));
      }
    }
    for (String mode : COMBINE_MODES) {
      Configuration conf = conf();
      conf.set("dfs.checksum.combine.mode", mode);
      try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
        print(mode, fs.getFileChecksum(path).getBytes());
      }
      print(mode, FileContext.getFileContext(uri, conf).getFileChecksum(path).getBytes());
    }
    System.out.flush();
  }

  private static Configuration conf() {
    Configuration conf = new Configuration();
    conf.set("fs.hdfs.impl", "io.hdfsraid.drfs.fs.DistributedRaidFileSystem");
    conf.set("fs.AbstractFileSystem.hdfs.impl", "io.hdfsraid.drfs.fs.RaidFs");
    return conf;
  }

  private static void print(String what, byte[] bytes) {
    System.out.println(what + " " + HexFormat.of().formatHex(bytes));
  }

  /** Ways to read a whole file. */
  enum Way {
    STREAM {
      @Override
      void read(FileSystem fs, Path path, byte[] target) throws Exception {
        try (FSDataInputStream in = fs.open(path)) {
          in.readFully(target);
        }
      }
    },
    FILE_CONTEXT {
      @Override
      void read(FileSystem fs, Path path, byte[] target) throws Exception {
        try (FSDataInputStream in =
            FileContext.getFileContext(fs.getUri(), fs.getConf()).open(path)) {
          in.readFully(target);
        }
      }
    },
    OPEN_FILE {
      @Override
      void read(FileSystem fs, Path path, byte[] target) throws Exception {
        try (FSDataInputStream in =
            FutureIO.awaitFuture(
                fs.openFile(path).opt("fs.option.openfile.read.policy", "random").build())) {
          in.readFully(target);
        }
      }
    },
    HANDLE {
      @Override
      void read(FileSystem fs, Path path, byte[] target) throws Exception {
        try (FSDataInputStream in =
            fs.open(
                fs.getPathHandle(
                    fs.getFileStatus(path), HandleOpt.changed(true), HandleOpt.moved(true)))) {
          in.readFully(target);
        }
      }
    },
    POSITIONED {
      @Override
      void read(FileSystem fs, Path path, byte[] target) throws Exception {
        try (FSDataInputStream in = fs.open(path)) {
          for (int at = 0; at < target.length; at += PIECE) {
            in.readFully(at, target, at, Math.min(PIECE, target.length - at));
          }
        }
      }
    },
    HEAP_BUFFER {
      @Override
      void read(FileSystem fs, Path path, byte[] target) throws Exception {
        ByteBuffer buffer = ByteBuffer.wrap(target);
        try (FSDataInputStream in = fs.open(path)) {
          while (buffer.hasRemaining()) {
            if (in.read(buffer) < 0) {
              throw new AssertionError("The file ended at " + buffer.position());
            }
          }
        }
      }
    },
    POSITIONED_DIRECT_BUFFER {
      @Override
      void read(FileSystem fs, Path path, byte[] target) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect(target.length);
        try (FSDataInputStream in = fs.open(path)) {
          in.readFully(0, buffer);
        }
        buffer.flip().get(target);
      }
    },
    WITHOUT_A_COPY {
      @Override
      void read(FileSystem fs, Path path, byte[] target) throws Exception {
        ElasticByteBufferPool pool = new ElasticByteBufferPool();
        try (FSDataInputStream in = fs.open(path)) {
          for (int at = 0; at < target.length; ) {
            ByteBuffer buffer = in.read(pool, PIECE, EnumSet.noneOf(ReadOption.class));
            int count = buffer.remaining();
            buffer.duplicate().get(target, at, count);
            at += count;
            in.releaseBuffer(buffer);
          }
        }
      }
    },
    VECTORED {
      @Override
      void read(FileSystem fs, Path path, byte[] target) throws Exception {
        List<FileRange> ranges = new ArrayList<>();
        for (int at = 0; at < target.length; at += PIECE) {
          ranges.add(FileRange.createFileRange(at, Math.min(PIECE, target.length - at)));
        }
        try (FSDataInputStream in = fs.open(path)) {
          in.readVectored(ranges, ByteBuffer::allocate);
          for (FileRange range : ranges) {
            FutureIO.awaitFuture(range.getData())
                .get(target, (int) range.getOffset(), range.getLength());
          }
        }
      }
    },
    AFTER_UNBUFFER {
      @Override
      void read(FileSystem fs, Path path, byte[] target) throws Exception {
        try (FSDataInputStream in = fs.open(path)) {
          in.readFully(target, 0, target.length / 2);
          in.unbuffer();
          in.setReadahead(0L);
          in.setDropBehind(true);
          in.readFully(target, target.length / 2, target.length - target.length / 2);
        }
      }
    };

    abstract void read(FileSystem fs, Path path, byte[] target) throws Exception;
  }
}
