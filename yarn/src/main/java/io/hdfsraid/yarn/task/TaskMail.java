// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.WorkFormat;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * What a task says to the daemon while it works, and what it is told. Both write into a directory
 * of HDFS: a task can always reach HDFS with its rights, and the daemon need not listen. Safe for
 * concurrent use.
 */
public final class TaskMail {
  private final FileSystem fileSystem;
  private final MailDirectory directory;
  private final String attempt;
  private final AtomicInteger said = new AtomicInteger();

  public TaskMail(FileSystem fileSystem, String directory, String attempt) {
    this.fileSystem = fileSystem;
    this.directory = new MailDirectory(new Path(directory));
    this.attempt = attempt;
  }

  /**
   * Tells the daemon. It can read the answer when this returns.
   *
   * @throws FileNotFoundException if the daemon has ended the job: nobody would remove the answer
   */
  public void say(Answer answer) throws IOException {
    if (!fileSystem.exists(directory.path())) {
      throw new FileNotFoundException(directory.path() + " is gone: the daemon has ended this job");
    }
    int number = said.getAndIncrement();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    WorkFormat.write(answer, new DataOutputStream(bytes));
    Path inItsName = directory.answer(attempt, number, bytes.toByteArray());
    if (MailDirectory.isShort(inItsName)) {
      fileSystem.mkdirs(inItsName);
      return;
    }
    Path written = directory.unfinished(attempt, number);
    boolean overwrite = true;
    try (FSDataOutputStream out = fileSystem.create(written, overwrite)) {
      bytes.writeTo(out);
    }
    fileSystem.rename(written, directory.answer(attempt, number));
  }

  /** Returns what the daemon has told this task about the work with this number. */
  public Set<String> told(int order) throws IOException {
    try {
      return Arrays.stream(fileSystem.listStatus(directory.told(order, attempt)))
          .map(status -> status.getPath().getName())
          .collect(Collectors.toSet());
    } catch (FileNotFoundException e) {
      return Set.of(); // nothing yet
    }
  }
}
