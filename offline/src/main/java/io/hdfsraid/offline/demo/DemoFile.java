package io.hdfsraid.offline.demo;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;

/**
 * A file to be loaded.
 *
 * @param path on HDFS
 * @param lastUsed the access time it is given
 */
record DemoFile(String path, long length, Instant lastUsed, Content content) {
  /** Where its bytes come from. */
  @FunctionalInterface
  interface Content {
    InputStream open() throws IOException;
  }
}
