// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One HDFS for all tests of this module, with block tokens, an encryption key and access times to
 * the millisecond; a test works in a directory of its own and leaves all nodes running.
 */
public final class RealHdfs implements ParameterResolver {
  public static final int BLOCK = 64 << 10;
  public static final String KEY = "key";

  private record Running(EmbeddedHdfs hdfs, Path keys) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      hdfs.close();
      Files.deleteIfExists(keys);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == EmbeddedHdfs.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(ExtensionContext.Namespace.GLOBAL)
        .computeIfAbsent(RealHdfs.class, key -> start(), Running.class)
        .hdfs();
  }

  private static Running start() {
    try {
      Path keys = Files.createTempDirectory("hdfs-raid-keys-").resolve("keys.jceks");
      String provider = "jceks://file" + keys;
      createKey(provider);
      return new Running(
          EmbeddedHdfs.builder()
              .dataNodes(9)
              .racks(3)
              .blockSize(BLOCK)
              .withBlockTokens()
              .set("dfs.namenode.accesstime.precision", "1")
              .set("hadoop.security.key.provider.path", provider)
              .start(),
          keys);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void createKey(String provider) throws IOException {
    Configuration conf = new Configuration();
    conf.set("hadoop.security.key.provider.path", provider);
    KeyProvider keys = KeyProviderFactory.getProviders(conf).get(0);
    try {
      keys.createKey(KEY, KeyProvider.options(conf));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IOException(e);
    }
    keys.flush();
    keys.close();
  }

  public static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Writes a file and waits for all replicas: a writer is done when the first is reported. */
  public static void write(
      DistributedFileSystem fs, String path, int replication, int blockSize, byte[] bytes)
      throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    fs.mkdirs(file.getParent());
    try (OutputStream out = fs.create(file, true, 4096, (short) replication, blockSize)) {
      out.write(bytes);
    }
    await(
        replication + " replicas of each block of " + path,
        () -> leastReplicas(fs.getFileBlockLocations(file, 0, bytes.length)) >= replication);
  }

  private static int leastReplicas(BlockLocation[] blocks) throws IOException {
    int least = Integer.MAX_VALUE;
    for (BlockLocation block : blocks) {
      least = Math.min(least, block.getHosts().length);
    }
    return least;
  }

  public static <T> T as(String user, PrivilegedExceptionAction<T> action) throws Exception {
    return UserGroupInformation.createUserForTesting(user, new String[] {user + "s"}).doAs(action);
  }

  /** Waits for the condition; the limit is for a test that fails. */
  public static void await(String what, Condition condition) throws IOException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("Still not so after 60 s: " + what);
      }
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted while waiting: " + what);
      }
    }
  }

  /** A question to HDFS. */
  public interface Condition {
    boolean holds() throws IOException;
  }
}
