// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import io.hdfsraid.yarn.work.Answer;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.client.api.YarnClient;

/** A job that was submitted. Used by one thread at a time, except that any may {@link #tell}. */
public final class StripeJob implements Closeable {
  private final ApplicationId application;
  private final YarnClient yarn;
  private final FileSystem fileSystem;
  private final StripeJobFiles files;
  private final Path staging;
  private final JobUser user;
  private volatile String trackingUrl = "";

  /**
   * @param staging what MapReduce has written to submit it
   */
  StripeJob(
      ApplicationId application,
      YarnClient yarn,
      FileSystem fileSystem,
      StripeJobFiles files,
      Path staging,
      JobUser user) {
    this.application = application;
    this.yarn = yarn;
    this.fileSystem = fileSystem;
    this.files = files;
    this.staging = staging;
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

  /** See {@link StripeJobFiles#answers}. */
  public List<Answer> answers() throws IOException {
    return user.call(files::answers);
  }

  /** See {@link StripeJobFiles#tell}. */
  public void tell(int order, String attempt, int unit) throws IOException {
    user.call(
        () -> {
          files.tell(order, attempt, unit);
          return true;
        });
  }

  /** See {@link StripeJobFiles#tellToDrop}. */
  public void tellToDrop(int order, String attempt) throws IOException {
    user.call(
        () -> {
          files.tellToDrop(order, attempt);
          return true;
        });
  }

  /** See {@link StripeJobFiles#limit}. */
  public void limit(long bytesPerSecond) throws IOException {
    user.call(
        () -> {
          files.limit(bytesPerSecond);
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
