// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.blockfixer.repair.RebuildOrder;
import io.hdfsraid.blockfixer.repair.SentUnits;
import io.hdfsraid.blockfixer.repair.TargetFailedException;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.Interrupts;
import io.hdfsraid.drfs.stripe.HelperReads;
import io.hdfsraid.raidnode.containers.ContainerJobs.Running;
import io.hdfsraid.raidnode.containers.WaitingWork;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.RepairWork;
import io.hdfsraid.yarn.work.Work;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A repair that waits for a container. The first task that has sent the units is the one that is
 * told to make them final; others that were begun for the same work are told nothing, and drop what
 * they have sent.
 */
final class WaitingRepair implements WaitingWork {
  private static final Logger LOG = LoggerFactory.getLogger(WaitingRepair.class);
  private static final int NO_NUMBER = -1;
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  private final RepairWork work;
  private final Duration acknowledgedWithin;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private volatile boolean abandoned;
  private volatile int number = NO_NUMBER;
  private String why = "";

  /** The units that are not final yet, as answers say; used by the thread that brings them. */
  private final Set<Integer> left = new HashSet<>();

  /** Whether the last answer has come. */
  private boolean ended;

  /** The task that has sent the units first, as answers say. */
  private Optional<String> first = Optional.empty();

  private sealed interface Event {}

  private record Submitted(Running job) implements Event {}

  private record Answered(Answer answer) implements Event {}

  private record GivenUp(String why) implements Event {}

  private record Stopped() implements Event {}

  /**
   * @param acknowledgedWithin how long a container may take to make a unit final
   */
  WaitingRepair(RebuildOrder order, Duration acknowledgedWithin) {
    this.work = RepairWork.of(NO_NUMBER, order);
    this.acknowledgedWithin = acknowledgedWithin;
    work.targets().forEach(target -> left.add(target.unit()));
  }

  @Override
  public List<? extends Work> numbered(int its) {
    number = its;
    return List.of(work.numbered(its));
  }

  @Override
  public long bytes() {
    return work.bytes();
  }

  @Override
  public int stripes() {
    return 1;
  }

  @Override
  public Map<Distance, Long> bytesByDistance(Answer answer) {
    return answer instanceof Answer.Sent sent ? sent.bytesRead() : Map.of();
  }

  @Override
  public boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public void submitted(Running job) {
    events.add(new Submitted(job));
  }

  @Override
  public boolean answered(Answer answer) {
    boolean last = !ended && isLast(answer);
    ended |= last;
    return last;
  }

  private boolean isLast(Answer answer) {
    if (answer instanceof Answer.Sent sent && first.isEmpty() && isName(sent.attempt())) {
      first = Optional.of(sent.attempt());
      events.add(new Answered(answer));
      return false;
    }
    if (answer instanceof Answer.Finished finished && isOfFirst(finished.attempt())) {
      events.add(new Answered(answer));
      left.remove(finished.unit());
      return left.isEmpty();
    }
    if (answer instanceof Answer.Failed failed
        && (first.isEmpty() || isOfFirst(failed.attempt()))) {
      events.add(new Answered(answer));
      return true;
    }
    return false; // of a task that was begun beside the first one
  }

  private boolean isOfFirst(String attempt) {
    return first.filter(attempt::equals).isPresent();
  }

  /** Whether a container may have such a name, which becomes part of a path. */
  private static boolean isName(String attempt) {
    return !attempt.isEmpty()
        && attempt.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_');
  }

  @Override
  public void giveUp(String reason) {
    events.add(new GivenUp(reason));
  }

  @Override
  public void stop() {
    events.add(new Stopped());
  }

  /**
   * Waits until a container has sent the units.
   *
   * @param isOutdated asked now and then whether more of the stripe was lost meanwhile
   * @param bytesRead called with the bytes that it has read
   * @return empty if none will send them; see {@link #why}
   * @throws FurtherLossException if more of the stripe was lost
   */
  Optional<SentUnits> awaitSent(BooleanSupplier isOutdated, LongConsumer bytesRead)
      throws IOException {
    boolean sentAll = false;
    try {
      Optional<Running> job = Optional.empty();
      while (true) {
        Event event = poll(LOOK_AGAIN);
        if (event == null) {
          if (isOutdated.getAsBoolean()) {
            throw new FurtherLossException(work.parityInode(), work.stripe());
          }
        } else if (event instanceof Submitted submitted) {
          job = Optional.of(submitted.job());
        } else if (event instanceof Answered answered
            && answered.answer() instanceof Answer.Sent sent
            && job.isPresent()) {
          bytesRead.accept(sent.bytesRead().values().stream().mapToLong(Long::longValue).sum());
          sentAll = true;
          return Optional.of(new SentByContainer(job.get(), sent.attempt()));
        } else if (failure(event).isPresent()) {
          why = failure(event).get();
          return Optional.empty();
        }
      }
    } finally {
      abandoned = !sentAll;
    }
  }

  /** Returns the next event; null if there is none for so long. */
  private Event poll(Duration longest) throws IOException {
    try {
      return events.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw Interrupts.interrupted("waiting for containers", e);
    }
  }

  /** Returns why no container has sent the units. */
  String why() {
    return why;
  }

  /** Returns why nothing good will come after this event, if so. */
  private static Optional<String> failure(Event event) throws InterruptedIOException {
    if (event instanceof Stopped) {
      throw new InterruptedIOException("The daemon stops while a container repairs");
    }
    if (event instanceof GivenUp end) {
      return Optional.of(end.why());
    }
    return event instanceof Answered answered && answered.answer() instanceof Answer.Failed failed
        ? Optional.of(failed.why())
        : Optional.empty();
  }

  /** The units that a container has sent, and has not made final before it is told. */
  private final class SentByContainer implements SentUnits {
    private final Running job;
    private final String attempt;
    private final Set<Integer> open = new HashSet<>();

    SentByContainer(Running job, String attempt) {
      this.job = job;
      this.attempt = attempt;
      work.targets().forEach(target -> open.add(target.unit()));
    }

    /** Which replicas were read is not known: nobody takes a container's word for it. */
    @Override
    public HelperReads reads() {
      return new HelperReads(Map.of(), Map.of(), List.of());
    }

    @Override
    public Optional<String> application() {
      return Optional.of(job.application());
    }

    /** If the container is not heard of any more, the NameNode knows whether the unit is there. */
    @Override
    public void finish(PlannedDelivery unit) throws IOException {
      try {
        job.tell(number, attempt, unit.unit());
        Optional<String> failure = awaitFinished(unit.unit());
        if (failure.isPresent()) {
          throw new TargetFailedException(
              unit, new IOException("In a container: " + failure.get()));
        }
        open.remove(unit.unit());
      } catch (TargetFailedException e) {
        throw e;
      } catch (IOException e) {
        if (Interrupts.isInterrupt(e)) {
          throw e; // this daemon stops, or leaves the stripe
        }
        LOG.atWarn()
            .setCause(e)
            .addKeyValue("block", unit.block())
            .addKeyValue("target", unit.target())
            .log("It is not known whether a container has made a unit final");
      }
    }

    /** Returns why the target has not acknowledged the unit; empty if it has. */
    private Optional<String> awaitFinished(int unit) throws IOException {
      long deadline = System.nanoTime() + acknowledgedWithin.toNanos();
      while (true) {
        Event event = poll(Duration.ofNanos(deadline - System.nanoTime()));
        if (event == null) {
          throw new IOException(
              "%s of %s has not said within %s that it has made the unit final"
                  .formatted(attempt, job.application(), acknowledgedWithin));
        }
        if (event instanceof Answered answered
            && answered.answer() instanceof Answer.Finished finished
            && finished.unit() == unit) {
          return Optional.empty();
        }
        if (event instanceof Answered answered
            && answered.answer() instanceof Answer.Failed failed) {
          return Optional.of(failed.why());
        }
        Optional<String> end = failure(event);
        if (end.isPresent()) {
          throw new IOException(end.get());
        }
      }
    }

    @Override
    public void close() {
      abandoned = true;
      if (open.isEmpty()) {
        return;
      }
      try {
        job.tellToDrop(number, attempt);
      } catch (IOException e) {
        LOG.atDebug()
            .setCause(e)
            .log("A container was not told to drop what it has sent; soon it does so by itself");
      }
    }
  }
}
