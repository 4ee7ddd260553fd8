// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.WorkFormat;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Base64;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The directory in which tasks and daemon write to each other, and its names. A short answer is the
 * name of an empty directory, which costs the NameNode one call and no block. A long one is in a
 * file.
 *
 * @param path of the directory
 */
public record MailDirectory(Path path) {
  /** Told instead of a unit: those that were not made final are to be dropped. */
  public static final String DROP = "drop";

  private static final String ANSWER = "answer-";

  /** The default of {@code dfs.namenode.fs-limits.max-component-length}, in bytes. */
  private static final int LONGEST_NAME = 255;

  /** Returns where a task writes an answer that the daemon must not read yet. */
  Path unfinished(String attempt, int number) {
    return new Path(path, "unfinished-%s-%d".formatted(attempt, number));
  }

  /** Returns the file with a long answer of a task. */
  Path answer(String attempt, int number) {
    return new Path(path, "%s%s-%d".formatted(ANSWER, attempt, number));
  }

  /** Returns the empty directory that is an answer. */
  Path answer(String attempt, int number, byte[] answer) {
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(answer);
    return new Path(path, "%s%s-%d.%s".formatted(ANSWER, attempt, number, text));
  }

  /** Whether the name is not too long for HDFS. */
  static boolean isShort(Path answer) {
    return answer.getName().length() <= LONGEST_NAME;
  }

  /** Whether an entry of this name is an answer. */
  public static boolean isAnswer(String name) {
    return name.startsWith(ANSWER);
  }

  /** Reads an answer. */
  public static Answer read(FileSystem fileSystem, FileStatus entry) throws IOException {
    if (entry.isFile()) {
      try (FSDataInputStream in = fileSystem.open(entry.getPath())) {
        return WorkFormat.readAnswer(in);
      }
    }
    String name = entry.getPath().getName();
    try {
      byte[] answer = Base64.getUrlDecoder().decode(name.substring(name.indexOf('.') + 1));
      return WorkFormat.readAnswer(new DataInputStream(new ByteArrayInputStream(answer)));
    } catch (IllegalArgumentException e) {
      throw new IOException(name + " is no answer", e);
    }
  }

  /**
   * Returns the directory with what the daemon tells a task about its work: an entry for each unit
   * that it may make final, named by its number, or {@link #DROP}.
   *
   * @param order the number of the work in its job
   */
  public Path told(int order, String attempt) {
    return new Path(path, "told-%d-%s".formatted(order, attempt));
  }
}
