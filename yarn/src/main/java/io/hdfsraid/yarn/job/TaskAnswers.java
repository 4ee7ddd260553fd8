// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import io.hdfsraid.yarn.task.AnswerWritable;
import io.hdfsraid.yarn.task.MailDirectory;
import io.hdfsraid.yarn.work.Answer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;

/** What the tasks of a job say: while they work, and when they have ended. Used by one thread. */
final class TaskAnswers {
  private static final String TASK_OUTPUT = "part-";

  private final FileSystem fileSystem;
  private final Path outputs;
  private final MailDirectory mail;
  private final Set<String> read = new HashSet<>();

  /**
   * @param outputs the directory into which the outputs of tasks are committed
   */
  TaskAnswers(FileSystem fileSystem, Path outputs, MailDirectory mail) {
    this.fileSystem = fileSystem;
    this.outputs = outputs;
    this.mail = mail;
  }

  /**
   * Returns what they have said since the last call.
   *
   * @throws IOException if nothing could be read; it is tried again by the next call
   */
  List<Answer> next() throws IOException {
    List<Answer> found = new ArrayList<>();
    IOException failure = null;
    for (FileStatus entry : entries()) {
      try {
        found.addAll(read(entry));
        read.add(name(entry));
      } catch (IOException e) {
        failure = e; // the others are read nevertheless
      }
    }
    if (failure != null && found.isEmpty()) {
      throw failure;
    }
    return found;
  }

  /** Returns outputs and answers that were not read. */
  private List<FileStatus> entries() throws IOException {
    return Stream.concat(
            Arrays.stream(list(outputs)).filter(entry -> name(entry).startsWith(TASK_OUTPUT)),
            Arrays.stream(list(mail.path())).filter(entry -> MailDirectory.isAnswer(name(entry))))
        .filter(entry -> !read.contains(name(entry)))
        .toList();
  }

  private static String name(FileStatus entry) {
    return entry.getPath().getName();
  }

  private List<Answer> read(FileStatus entry) throws IOException {
    if (!MailDirectory.isAnswer(name(entry))) {
      return output(entry.getPath());
    }
    Answer answer = MailDirectory.read(fileSystem, entry);
    boolean recursive = false;
    boolean unused = fileSystem.delete(entry.getPath(), recursive); // so that the list is short
    return List.of(answer);
  }

  private FileStatus[] list(Path directory) throws IOException {
    try {
      return fileSystem.listStatus(directory);
    } catch (FileNotFoundException e) {
      return new FileStatus[0]; // the application master has not begun
    }
  }

  private List<Answer> output(Path file) throws IOException {
    List<Answer> found = new ArrayList<>();
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(fileSystem.getConf(), SequenceFile.Reader.file(file))) {
      AnswerWritable answer = new AnswerWritable();
      while (reader.next(NullWritable.get(), answer)) {
        found.add(answer.answer());
      }
    }
    return found;
  }
}
