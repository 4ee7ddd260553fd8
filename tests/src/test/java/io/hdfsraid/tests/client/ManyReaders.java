// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.client;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * An application whose threads all read one file, every other one by positions. Prints the CRC32C
 * of what each of them has read.
 */
final class ManyReaders {
  private static final int BUFFER = 256 << 10;

  private ManyReaders() {}

  /** Takes the URI of the file and the number of threads. */
  public static void main(String[] arguments) throws Exception {
    URI uri = URI.create(arguments[0]);
    int threads = Integer.parseInt(arguments[1]);
    Configuration conf = new Configuration();
    conf.set("fs.hdfs.impl", "io.hdfsraid.drfs.fs.DistributedRaidFileSystem");
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try (FileSystem fs = FileSystem.get(uri, conf)) {
      List<Future<Long>> crcs = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        boolean positioned = i % 2 == 1;
        crcs.add(executor.submit(() -> crc(fs, new Path(uri), positioned)));
      }
      for (Future<Long> crc : crcs) {
        System.out.println(crc.get());
      }
    } finally {
      executor.shutdown();
    }
  }

  private static long crc(FileSystem fs, Path path, boolean positioned) throws Exception {
    byte[] buffer = new byte[BUFFER];
    CRC32C crc = new CRC32C();
    try (FSDataInputStream in = fs.open(path)) {
      long at = 0;
      while (true) {
        int count = positioned ? in.read(at, buffer, 0, BUFFER) : in.read(buffer);
        if (count < 0) {
          return crc.getValue();
        }
        crc.update(buffer, 0, count);
        at += count;
      }
    }
  }
}
