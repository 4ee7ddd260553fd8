// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.hdfs.RealHdfs;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Hdfs;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link RaidFs} and {@link RaidSchemeFs} can do what HDFS's own implementation of {@code
 * FileContext} can.
 */
class RaidFsTest extends RaidedFiles {
  private static final int RENAMES = 300;
  private static final int LEAST_LOOKS = 1_000;

  RaidFsTest(EmbeddedHdfs hdfs) {
    super(RealHdfs.BLOCK, hdfs);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hdfs", "raid"})
  @Timeout(120)
  void aRenameThatOverwritesIsNeverSeenHalfDone(String scheme) throws Exception {
    FileContext context = context(scheme);
    Path target = new Path("/files/overwritten");
    plain.create(target).close();
    AtomicBoolean enough = new AtomicBoolean();
    AtomicInteger looks = new AtomicInteger();
    AtomicInteger missing = new AtomicInteger();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      Future<?> looking =
          executor.submit(
              () -> {
                while (!enough.get()) {
                  try {
                    assertThat(plain.getFileStatus(target)).isNotNull();
                  } catch (FileNotFoundException e) {
                    missing.incrementAndGet();
                  }
                  looks.incrementAndGet();
                }
                return null;
              });
      for (int i = 0; !looking.isDone() && (i < RENAMES || looks.get() < LEAST_LOOKS); i++) {
        Path next = new Path("/files/next");
        plain.create(next).close();
        context.rename(next, target, Options.Rename.OVERWRITE);
      }
      enough.set(true);
      looking.get();
    } finally {
      executor.shutdownNow();
    }
    assertThat(missing).hasValue(0);
  }

  private FileContext context(String scheme) throws IOException {
    return FileContext.getFileContext(
        URI.create(scheme + "://" + hdfs.uri().getAuthority()), configuration());
  }

  @ParameterizedTest
  @ValueSource(strings = {"hdfs", "raid"})
  void snapshotsAreMadeRenamedAndDeleted(String scheme) throws Exception {
    FileContext context = context(scheme);
    Path directory = new Path("/snapshots-by-context");
    plain.mkdirs(directory);
    plain.allowSnapshot(directory);
    Path file = raided("/snapshots-by-context/f");
    lose(file, 1);
    Path first = context.createSnapshot(directory, "first");
    try (FSDataInputStream in = context.open(new Path(first, "f"))) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
    context.renameSnapshot(directory, "first", "second");
    assertThat(plain.listStatus(new Path(directory, ".snapshot")))
        .extracting(status -> status.getPath().getName())
        .containsExactly("second");
    context.deleteSnapshot(directory, "second");
    assertThat(plain.listStatus(new Path(directory, ".snapshot"))).isEmpty();
    plain.disallowSnapshot(directory);
    plain.delete(directory, true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hdfs", "raid"})
  void whatIsSetOnAFileIsAsHdfsHasIt(String scheme) throws Exception {
    FileContext context = context(scheme);
    Path file = new Path("/files/set-by-context");
    plain.create(file).close();
    context.setXAttr(file, "user.colour", new byte[] {7});
    context.modifyAclEntries(file, AclEntry.parseAclSpec("user:ada:r--", true));
    context.setStoragePolicy(file, "COLD");

    assertThat(plain.getXAttr(file, "user.colour")).containsExactly(7);
    assertThat(context.getXAttrs(file)).containsOnlyKeys("user.colour");
    assertThat(context.listXAttrs(file)).containsExactly("user.colour");
    assertThat(context.getAclStatus(file)).isEqualTo(plain.getAclStatus(file));
    assertThat(context.getAclStatus(file).getEntries()).isNotEmpty();
    assertThat(plain.getStoragePolicy(file).getName()).isEqualTo("COLD");
    assertThat(context.getAllStoragePolicies()).hasSameSizeAs(plain.getAllStoragePolicies());

    context.removeXAttr(file, "user.colour");
    context.removeAcl(file);
    context.unsetStoragePolicy(file);
    assertThat(plain.listXAttrs(file)).isEmpty();
    assertThat(plain.getAclStatus(file).getEntries()).isEmpty();
    assertThat(plain.getStoragePolicy(file).getName()).isEqualTo("HOT");
    plain.delete(file, true);
  }

  /** A method that is not passed on is done in a general and weaker way, or not at all. */
  @ParameterizedTest
  @ValueSource(classes = {RaidFs.class, RaidSchemeFs.class})
  void everyMethodOfHdfsIsPassedOn(Class<?> implementation) {
    List<Method> methods =
        Arrays.stream(Hdfs.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isBridge())
            .filter(method -> isDeclaredBy(AbstractFileSystem.class, method))
            .toList();
    assertThat(methods)
        .hasSizeGreaterThan(30)
        .allMatch(
            method ->
                isDeclaredBy(implementation, method)
                    || isDeclaredBy(implementation.getSuperclass(), method));
  }

  private static boolean isDeclaredBy(Class<?> type, Method method) {
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(
            other ->
                other.getName().equals(method.getName())
                    && Arrays.equals(other.getParameterTypes(), method.getParameterTypes()));
  }
}
