package io.hdfsraid.offline.demo;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.offline.output.Progress;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Writes the data set as any client of HDFS would, with default placement and replication. */
final class Loading {
  private static final Duration CHANGED_BEFORE_USED = Duration.ofDays(30);
  private static final int BUFFER = 1 << 20;

  private Loading() {}

  /**
   * Loads all files.
   *
   * @return for each path the CRC32C of the bytes that were to be loaded
   */
  static Map<String, Long> load(DataSet data, EmbeddedHdfs hdfs, Story story) throws IOException {
    Map<String, Long> checksums = new LinkedHashMap<>();
    try (Progress progress = story.bytes("Loaded", data.bytes())) {
      for (DemoFile file : data.files()) {
        checksums.put(file.path(), load(file, hdfs.fileSystem(), progress));
      }
    }
    return checksums;
  }

  private static long load(DemoFile file, DistributedFileSystem fs, Progress progress)
      throws IOException {
    Path path = new Path(file.path());
    CRC32C crc = new CRC32C();
    // The sum is taken of what comes from the source, before HDFS has seen it.
    try (InputStream in =
            new CheckedInputStream(new Counted(file.content().open(), progress), crc);
        OutputStream out = fs.create(path)) {
      byte[] buffer = new byte[BUFFER];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
      }
    }
    fs.setTimes(
        path,
        file.lastUsed().minus(CHANGED_BEFORE_USED).toEpochMilli(),
        file.lastUsed().toEpochMilli());
    return crc.getValue();
  }

  private static final class Counted extends FilterInputStream {
    private final Progress progress;

    Counted(InputStream in, Progress progress) {
      super(in);
      this.progress = progress;
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      progress.step(read < 0 ? 0 : 1);
      return read;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = super.read(target, offset, length);
      progress.step(Math.max(0, count));
      return count;
    }
  }
}
