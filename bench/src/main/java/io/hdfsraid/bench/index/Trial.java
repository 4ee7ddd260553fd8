// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A measurement in a process of its own with limited memory, and its figures. The process ends when
 * this one does.
 */
public final class Trial {
  /** The heap of the process of the index. */
  public static final int HEAP_MEBIBYTES = 1024;

  private static final int LAST_WORDS = 20;

  private final Map<String, List<Double>> replies;

  private Trial(Map<String, List<Double>> replies) {
    this.replies = replies;
  }

  /** Measures the index. */
  public static Trial ofIndex(Setting setting, LongConsumer progress) throws IOException {
    return run(IndexTrial.class, setting, progress);
  }

  /** Measures SQLite. */
  public static Trial ofSql(Setting setting, LongConsumer progress) throws IOException {
    return run(SqlTrial.class, setting, progress);
  }

  /**
   * What is measured.
   *
   * @param folder where the trial writes; must not exist yet
   * @param files roughly the number of files
   * @param thousands thousands of events that are measured
   */
  public record Setting(Path folder, long files, long seed, int thousands) {}

  private static Trial run(Class<?> main, Setting setting, LongConsumer progress)
      throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + HEAP_MEBIBYTES + "m",
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "-cp",
            System.getProperty("java.class.path"),
            main.getName(),
            setting.folder().toString(),
            Long.toString(setting.files()),
            Long.toString(setting.seed()),
            Integer.toString(setting.thousands()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      Map<String, List<Double>> replies = new HashMap<>();
      List<String> words = new ArrayList<>();
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("Interrupted");
          }
          Optional<Reply> reply = Reply.parse(line);
          if (reply.isEmpty()) {
            words.add(line);
          } else {
            replies.put(reply.get().name(), reply.get().numbers());
            if (reply.get().isProgress()) {
              progress.accept(Math.round(reply.get().numbers().get(0)));
            }
          }
        }
      }
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException(
            "%s ended with %d: %s"
                .formatted(
                    main.getSimpleName(),
                    code,
                    String.join(
                        System.lineSeparator(),
                        words.subList(Math.max(0, words.size() - LAST_WORDS), words.size()))));
      }
      return new Trial(replies);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted");
    } finally {
      process.destroyForcibly();
    }
  }

  /** What it said under this name: as many numbers as were measured. */
  public double[] all(String name) {
    List<Double> numbers = replies.get(name);
    if (numbers == null) {
      throw new IllegalStateException("The trial did not tell its " + name);
    }
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Returns the only value of this name. */
  public double one(String name) {
    return all(name)[0];
  }

  /** How SQLite is tuned. */
  public static String tuningOfSql() {
    return String.join("; ", SqlTrial.TUNING) + "; prepared batches of " + SqlTrial.BATCH;
  }

  /** What the namespace looks like. */
  public static String namespace(long files) {
    HiveNamespace namespace = new HiveNamespace(files, 0);
    return "%,d files, %,d directories, %d tables, %d files to a directory, paths such as %s (names of %d bytes, 64 bits of them random)"
        .formatted(
            namespace.files(),
            namespace.directories(),
            namespace.tables(),
            HiveNamespace.FILES_IN_DIRECTORY,
            namespace.filePath(0, 1),
            HiveNamespace.NAME_BYTES);
  }
}
