package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.hdfs.RealHdfs;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.FileNotFoundException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
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
import org.apache.hadoop.fs.FilterFs;
import org.apache.hadoop.fs.Hdfs;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link RaidFs} can do what HDFS's own implementation of {@code FileContext} can. */
class RaidFsTest extends RaidedFiles {
  private static final int RENAMES = 300;
  private static final int LEAST_LOOKS = 1_000;

  RaidFsTest(EmbeddedHdfs hdfs) {
    super(RealHdfs.BLOCK, hdfs);
  }

  @Test
  @Timeout(120)
  void aRenameThatOverwritesIsNeverSeenHalfDone() throws Exception {
    FileContext context = FileContext.getFileContext(hdfs.uri(), configuration());
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

  @Test
  void snapshotsAreMadeRenamedAndDeleted() throws Exception {
    FileContext context = FileContext.getFileContext(hdfs.uri(), configuration());
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

  /** A method that is not passed on is done in a general and weaker way, or not at all. */
  @Test
  void everyMethodOfHdfsIsPassedOn() {
    List<Method> methods =
        Arrays.stream(Hdfs.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isBridge())
            .filter(method -> isDeclaredBy(AbstractFileSystem.class, method))
            .toList();
    assertThat(methods).hasSizeGreaterThan(30).allMatch(RaidFsTest::isPassedOn);
  }

  private static boolean isPassedOn(Method method) {
    return isDeclaredBy(RaidFs.class, method) || isDeclaredBy(FilterFs.class, method);
  }

  private static boolean isDeclaredBy(Class<?> type, Method method) {
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(
            other ->
                other.getName().equals(method.getName())
                    && Arrays.equals(other.getParameterTypes(), method.getParameterTypes()));
  }
}
