// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import io.hdfsraid.yarn.task.AnswerWritable;
import io.hdfsraid.yarn.task.SharedRate;
import io.hdfsraid.yarn.work.StripeAnswer;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.client.api.YarnClient;

/** A job that was submitted. Used by one thread at a time. */
public final class EncodeJob implements Closeable {
  private static final String TASK_OUTPUT = "part-";

  private final ApplicationId application;
  private final YarnClient yarn;
  private final FileSystem fileSystem;
  private final Path staging;
  private final Path answers;
  private final Path rate;
  private final JobUser user;
  private final Set<String> read = new HashSet<>();
  private volatile String trackingUrl = "";

  EncodeJob(
      ApplicationId application,
      YarnClient yarn,
      FileSystem fileSystem,
      Path staging,
      Path answers,
      Path rate,
      JobUser user) {
    this.application = application;
    this.yarn = yarn;
    this.fileSystem = fileSystem;
    this.staging = staging;
    this.answers = answers;
    this.rate = rate;
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
   * @param containers that it has now, without its application master
   * @param diagnostics why it does not run, or why it failed; may be empty
   */
  public record Status(Stage stage, double progress, int containers, String diagnostics) {}

  /** Returns the id of the application, by which people find it. */
  public String application() {
    return application.toString();
  }

  /** Returns where people can watch it; empty before YARN was asked for its status. */
  public String trackingUrl() {
    return trackingUrl;
  }

  /** Asks the ResourceManager how far it is. No history server is needed. */
  public Status status() throws IOException {
    return user.call(
        () -> {
          ApplicationReport report = yarn.getApplicationReport(application);
          trackingUrl = String.valueOf(report.getTrackingUrl());
          Stage stage =
              switch (report.getYarnApplicationState()) {
                case NEW, NEW_SAVING, SUBMITTED, ACCEPTED -> Stage.WAITING;
                case RUNNING -> Stage.RUNNING;
                case FINISHED, FAILED, KILLED -> Stage.ENDED;
              };
          int containers = report.getApplicationResourceUsageReport().getNumUsedContainers();
          return new Status(
              stage,
              report.getProgress(),
              Math.max(0, containers - 1),
              String.valueOf(report.getDiagnostics()));
        });
  }

  /** Returns what tasks have answered that ended since the last call. */
  public List<StripeAnswer> answers() throws IOException {
    return user.call(
        () -> {
          List<StripeAnswer> found = new ArrayList<>();
          IOException failure = null;
          for (FileStatus file : list()) {
            String name = file.getPath().getName();
            if (name.startsWith(TASK_OUTPUT) && !read.contains(name)) {
              try {
                found.addAll(read(file.getPath()));
                read.add(name);
              } catch (IOException e) {
                failure = e;
              }
            }
          }
          if (failure != null && found.isEmpty()) {
            throw failure;
          }
          return found; // what could not be read is tried again
        });
  }

  private FileStatus[] list() throws IOException {
    try {
      return fileSystem.listStatus(answers);
    } catch (FileNotFoundException e) {
      return new FileStatus[0]; // the application master has not begun
    }
  }

  private List<StripeAnswer> read(Path file) throws IOException {
    List<StripeAnswer> found = new ArrayList<>();
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(fileSystem.getConf(), SequenceFile.Reader.file(file))) {
      AnswerWritable answer = new AnswerWritable();
      while (reader.next(NullWritable.get(), answer)) {
        found.add(answer.answer());
      }
    }
    return found;
  }

  /**
   * Changes what each task may read and write in a second. Tasks notice it within a quarter of a
   * minute.
   *
   * @param bytesPerSecond 0 for no limit
   */
  public void limit(long bytesPerSecond) throws IOException {
    user.call(
        () -> {
          SharedRate.write(fileSystem, rate, bytesPerSecond);
          return true;
        });
  }

  /** Ends the job, if it has not ended. */
  public void kill() throws IOException {
    user.call(
        () -> {
          yarn.killApplication(application);
          return true;
        });
  }

  /**
   * Removes what the job has left, and closes the connection. A job that was killed before it began
   * leaves its jars and its splits, in which are tokens.
   */
  @Override
  public void close() throws IOException {
    try {
      boolean recursive = true;
      boolean unused = user.call(() -> fileSystem.delete(staging, recursive));
    } finally {
      try {
        yarn.close();
      } finally {
        fileSystem.close();
      }
    }
  }
}
