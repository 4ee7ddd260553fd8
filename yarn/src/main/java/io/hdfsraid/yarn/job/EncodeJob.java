// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import io.hdfsraid.yarn.task.AnswerWritable;
import io.hdfsraid.yarn.work.StripeAnswer;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.security.UserGroupInformation;

/** A job that was submitted. Used by one thread at a time. */
public final class EncodeJob implements Closeable {
  private static final String TASK_OUTPUT = "part-";

  private final Job job;
  private final FileSystem fileSystem;
  private final Path answers;
  private final UserGroupInformation user;
  private final Set<String> read = new HashSet<>();

  EncodeJob(Job job, FileSystem fileSystem, Path answers, UserGroupInformation user) {
    this.job = job;
    this.fileSystem = fileSystem;
    this.answers = answers;
    this.user = user;
  }

  /** How far a job is. */
  public enum Stage {
    /** Waits for its queue, or for its application master. */
    WAITING,
    RUNNING,
    ENDED
  }

  /**
   * What YARN says of a job.
   *
   * @param progress of all tasks, from 0 to 1
   * @param diagnostics why it does not run, or why it failed; may be empty
   */
  public record Status(Stage stage, double progress, String diagnostics) {}

  /** Returns the id of the application, by which people find it. */
  public String application() {
    return TypeConverter.toYarn(job.getJobID()).getAppId().toString();
  }

  /** Returns where people can watch it. */
  public String trackingUrl() {
    return String.valueOf(job.getTrackingURL());
  }

  /** Asks YARN how far it is. */
  public Status status() throws IOException {
    return as(
        () -> {
          JobStatus status = job.getStatus();
          Stage stage =
              switch (status.getState()) {
                case PREP -> Stage.WAITING;
                case RUNNING -> Stage.RUNNING;
                case SUCCEEDED, FAILED, KILLED -> Stage.ENDED;
              };
          return new Status(
              stage, status.getMapProgress(), String.valueOf(status.getFailureInfo()));
        });
  }

  /** Returns what tasks have answered that ended since the last call. */
  public List<StripeAnswer> answers() throws IOException {
    return as(
        () -> {
          List<StripeAnswer> found = new ArrayList<>();
          for (FileStatus file : list()) {
            String name = file.getPath().getName();
            if (name.startsWith(TASK_OUTPUT) && !read.contains(name)) {
              read(file.getPath(), found);
              read.add(name);
            }
          }
          return found;
        });
  }

  private FileStatus[] list() throws IOException {
    try {
      return fileSystem.listStatus(answers);
    } catch (FileNotFoundException e) {
      return new FileStatus[0]; // the application master has not begun
    }
  }

  private void read(Path file, List<StripeAnswer> found) throws IOException {
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(job.getConfiguration(), SequenceFile.Reader.file(file))) {
      AnswerWritable answer = new AnswerWritable();
      while (reader.next(NullWritable.get(), answer)) {
        found.add(answer.answer());
      }
    }
  }

  /** Ends the job, if it has not ended. */
  public void kill() throws IOException {
    as(
        () -> {
          job.killJob();
          return true;
        });
  }

  /** Closes the connection. The job goes on. */
  @Override
  public void close() throws IOException {
    fileSystem.close();
  }

  private interface Call<T> {
    T run() throws IOException, InterruptedException;
  }

  private <T> T as(Call<T> call) throws IOException {
    try {
      return user.doAs((PrivilegedExceptionAction<T>) call::run);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("Interrupted while YARN was asked").initCause(e);
    }
  }
}
