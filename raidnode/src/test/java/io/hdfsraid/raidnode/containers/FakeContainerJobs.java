// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import io.hdfsraid.yarn.job.StripeJob;
import io.hdfsraid.yarn.job.StripeJob.Stage;
import io.hdfsraid.yarn.job.StripeJobs;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A YARN that the test holds in its hands. */
public final class FakeContainerJobs implements ContainerJobs {
  public static final Duration PATIENCE = Duration.ofMinutes(5);

  public static final int DATA_NODES = 100;

  private final Kind kind;
  public final List<FakeJob> submitted = new CopyOnWriteArrayList<>();
  public Optional<IOException> refusal = Optional.empty();
  public volatile Duration gather = Duration.ZERO;
  public int askedForFormer;
  public boolean away;
  public Optional<Error> error = Optional.empty();

  public FakeContainerJobs(Kind kind) {
    this.kind = kind;
  }

  /** A job that does nothing by itself. */
  public static final class FakeJob implements Running {
    private final String name;
    public final List<Work> work;
    public final int containers;
    public final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();

    /** The words of the daemon to its tasks. */
    public final List<String> told = new CopyOnWriteArrayList<>();

    /** Reacts when a task is told something. */
    public volatile Consumer<String> whenTold = what -> {};

    private volatile StripeJob.Status status = new StripeJob.Status(Stage.WAITING, 0, 0, "");
    public Optional<IOException> trouble = Optional.empty();
    public volatile boolean killed;
    public volatile boolean closed;
    public long share;

    FakeJob(String name, List<Work> work, int containers, long share) {
      this.name = name;
      this.work = work;
      this.containers = containers;
      this.share = share;
    }

    public void stage(Stage stage, String diagnostics) {
      status = new StripeJob.Status(stage, 0.5, 0, diagnostics);
    }

    public void run(int containers) {
      status = new StripeJob.Status(Stage.RUNNING, 0.5, containers, "");
    }

    @Override
    public String application() {
      return name;
    }

    @Override
    public String trackingUrl() {
      return "http://rm/" + name;
    }

    @Override
    public StripeJob.Status status() throws IOException {
      if (trouble.isPresent()) {
        throw trouble.get();
      }
      return status;
    }

    @Override
    public List<Answer> answers() {
      List<Answer> all = new ArrayList<>();
      while (!answers.isEmpty()) {
        all.add(answers.remove());
      }
      return all;
    }

    @Override
    public void tell(int order, String attempt, int unit) {
      tell("%d %s: finish %d".formatted(order, attempt, unit));
    }

    @Override
    public void tellToDrop(int order, String attempt) {
      tell("%d %s: drop".formatted(order, attempt));
    }

    private void tell(String what) {
      told.add(what);
      whenTold.accept(what);
    }

    @Override
    public void limit(long bytesPerSecond) {
      share = bytesPerSecond;
    }

    @Override
    public void kill() {
      killed = true;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public Limits limits() {
    return new Limits(10, 2, 1_000, gather, 20, PATIENCE);
  }

  @Override
  public String user() {
    return "raid";
  }

  @Override
  public int dataNodes() {
    return DATA_NODES;
  }

  @Override
  public Running submit(List<? extends Work> stripes, int containers, long share)
      throws IOException {
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    if (error.isPresent()) {
      throw error.get();
    }
    FakeJob job =
        new FakeJob(
            "application_" + (submitted.size() + 1), List.copyOf(stripes), containers, share);
    submitted.add(job);
    return job;
  }

  @Override
  public StripeJobs.Ended endFormer() throws IOException {
    askedForFormer++;
    if (away) {
      throw new IOException("connection refused");
    }
    return new StripeJobs.Ended(1, List.of("application_9: not yours"));
  }
}
