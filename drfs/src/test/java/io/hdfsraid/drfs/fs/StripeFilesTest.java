// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StripeFilesTest {
  private static final int BLOCK = 1_000;
  private static final Instant THEN = Instant.parse("2029-01-01T00:00:00Z");

  private final InMemoryCluster cluster = new InMemoryCluster(5, 2, 1);

  /** The names of the methods that were called. */
  private final List<String> calls = new ArrayList<>();

  private long nanos;
  private Meanwhile meanwhile = () -> {};
  private int caughtUp;
  private LocatedFile a;
  private LocatedFile b;
  private LocatedFile parity;
  private StripeFiles files;

  /** The stripe has block 1 of three of a file, and block 0 of one of another. */
  @BeforeEach
  void find() {
    cluster.setTime(THEN);
    a = cluster.file(cluster.createFile("/a", BLOCK, new byte[3 * BLOCK - 1], 1)).orElseThrow();
    b = cluster.file(cluster.createFile("/b", BLOCK, new byte[BLOCK / 2], 1)).orElseThrow();
    parity = cluster.file(cluster.createFile("/p", BLOCK, new byte[BLOCK], 1)).orElseThrow();
    cluster.setTime(THEN.plusSeconds(1));
    Set<Block> stripe = Set.of(a.contents().get(1), b.contents().get(0), parity.contents().get(0));
    files =
        new StripeFiles(counted(), () -> caughtUp++, () -> nanos, List.of(a, b), parity, stripe);
  }

  /** An action of another reader while the NameNode is asked for blocks. */
  private interface Meanwhile {
    void run() throws IOException;
  }

  private Namespace counted() {
    return (Namespace)
        Proxy.newProxyInstance(
            Namespace.class.getClassLoader(),
            new Class<?>[] {Namespace.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              if (method.getName().equals("file")) {
                meanwhile.run();
              }
              try {
                return method.invoke(cluster, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private long lookUpsOfBlocks() {
    return calls.stream().filter("file"::equals).count();
  }

  @Test
  void blocksAreNotAskedForAfterEachRead() throws IOException {
    for (int read = 0; read < 100; read++) {
      nanos += TimeUnit.MILLISECONDS.toNanos(120);
      files.requireUnchanged();
    }
    assertThat(lookUpsOfBlocks()).as("12 seconds, three files").isEqualTo(2 * 3);
    assertThat(calls).as("two members").hasSize(98 * 2 + 2 * 3);
    assertThat(caughtUp).isEqualTo(100);
    files.requireSameBlocks();
    assertThat(lookUpsOfBlocks()).isEqualTo(3 * 3);
  }

  @Test
  void oneOfManyReadersAsksForBlocks() throws IOException {
    nanos += TimeUnit.SECONDS.toNanos(5);
    meanwhile = files::requireUnchanged;
    files.requireUnchanged();
    assertThat(lookUpsOfBlocks()).isEqualTo(3);
  }

  @Test
  void aRewrittenBlockIsNoticedAfterTheNextRead() throws IOException {
    files.requireUnchanged();
    cluster.truncate("/b", BLOCK / 2 - 10);
    cluster.append("/b", new byte[10]);
    assertThatThrownBy(files::requireUnchanged).isInstanceOf(IOException.class);
  }

  @Test
  void aChangeThatHidesBehindTheOldTimeIsNoticedAtTheEndOfTheBlockOrWithinFiveSeconds()
      throws IOException {
    cluster.setTime(THEN);
    cluster.truncate("/b", BLOCK / 2 - 10);
    cluster.append("/b", new byte[10]);
    assertThat(cluster.file(b.inode()).orElseThrow().version()).isEqualTo(b.version());
    assertThatThrownBy(files::requireSameBlocks).isInstanceOf(IOException.class);
    nanos += TimeUnit.SECONDS.toNanos(5);
    assertThatThrownBy(files::requireUnchanged).isInstanceOf(IOException.class);
    assertThatThrownBy(files::requireUnchanged)
        .as("and remains so")
        .isInstanceOf(IOException.class);
  }

  @Test
  void aDeletedOrReplacedFileIsNoticed() throws IOException {
    cluster.delete("/b");
    assertThatThrownBy(files::requireUnchanged).isInstanceOf(IOException.class);
    long unused = cluster.createFile("/b", BLOCK, new byte[BLOCK / 2], 1);
    assertThatThrownBy(files::requireUnchanged).isInstanceOf(IOException.class);
  }

  @Test
  void aParityFileThatIsGoneIsNoticedAtTheEndOfTheBlock() throws IOException {
    cluster.delete("/p");
    files.requireUnchanged();
    assertThatThrownBy(files::requireSameBlocks).isInstanceOf(IOException.class);
  }

  @Test
  void aRenameOrAChangeOfOtherBlocksKeepsNobodyFromReading() {
    cluster.rename("/b", "/c");
    cluster.append("/a", new byte[BLOCK]);
    for (int read = 0; read < 10; read++) {
      assertThatCode(files::requireUnchanged).doesNotThrowAnyException();
    }
    assertThat(lookUpsOfBlocks()).as("once, because the version is new").isEqualTo(1);
  }

  @Test
  void aBlockIsFoundOnlyAsItWas() throws IOException {
    Block block = b.contents().get(0);
    assertThat(files.now(block)).isPresent();
    assertThat(files.now(a.contents().get(0))).as("of another stripe").isEmpty();
    cluster.append("/b", new byte[10]);
    assertThat(files.now(block)).isEmpty();
  }
}
