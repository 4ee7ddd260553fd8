// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.engine;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.CorruptReplicaException;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.Interrupts;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.EncodedStripe;
import io.hdfsraid.drfs.stripe.FailedReplica;
import io.hdfsraid.raidnode.containers.ContainerJobs.Running;
import io.hdfsraid.raidnode.containers.WaitingWork;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.engine.EncodingOrder.StripeOrder;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.EncodeWork;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A draft whose stripes are encoded in containers. One thread waits for the answers and another one
 * delivers them.
 */
final class WaitingDraft implements WaitingWork, AutoCloseable {
  /** Stands in work that is not part of a job yet. */
  static final int NO_NUMBER = -1;

  /** A container says only how far they were: whoever reads a replica in full must be believed. */
  private static final List<Replica> WHICH_REPLICAS_IS_NOT_PROVEN = List.of();

  private final EncodingOrder order;

  /** Maps the position of each stripe in the draft to its work. */
  private final Map<Integer, EncodeWork> work = new LinkedHashMap<>();

  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private volatile boolean abandoned;
  private String why = "";
  private String application = "";

  private sealed interface Event {}

  private record Answered(Answer answer) implements Event {}

  private record GivenUp(String why) implements Event {}

  private record Stopped() implements Event {}

  private record Submitted(String application) implements Event {}

  WaitingDraft(EncodingOrder order, List<EncodeWork> work) {
    this.order = order;
    work.forEach(one -> this.work.put(one.stripe(), one));
  }

  /** Stripes with an answer; used by the thread that brings them. */
  private final Set<Integer> answered = new HashSet<>();

  @Override
  public List<EncodeWork> numbered(int number) {
    return work.values().stream().map(one -> one.numbered(number)).toList();
  }

  @Override
  public long bytes() {
    return work.values().stream().mapToLong(EncodeWork::bytes).sum();
  }

  @Override
  public int stripes() {
    return work.size();
  }

  @Override
  public Map<Distance, Long> bytesByDistance(Answer answer) {
    Map<Distance, Long> bytes = new EnumMap<>(Distance.class);
    EncodeWork told = answer instanceof Answer.Encoded each ? work.get(each.stripe()) : null;
    if (answer instanceof Answer.Encoded encoded && told != null && fits(encoded, told)) {
      for (int unit = 0; unit < told.data().size(); unit++) {
        long length = told.data().get(unit).block().length();
        bytes.merge(encoded.distances().get(unit), length, Long::sum);
      }
    }
    return bytes;
  }

  @Override
  public boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public void submitted(Running job) {
    events.add(new Submitted(job.application()));
  }

  @Override
  public boolean answered(Answer answer) {
    events.add(new Answered(answer));
    return work.containsKey(stripe(answer)) && answered.add(stripe(answer));
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
   * Waits until each stripe has an answer, or none will come any more.
   *
   * @return the stripes that were not encoded, also those of which a container could not read a
   *     block: this process finds out why
   */
  List<StripeOrder> collect(EncodingWatcher watcher) throws IOException, LeftAlone {
    Map<Integer, StripeOrder> unanswered = new LinkedHashMap<>();
    order.stripes().forEach(stripe -> unanswered.put(stripe.index(), stripe));
    List<StripeOrder> failed = new ArrayList<>();
    while (!unanswered.isEmpty()) {
      Event event = next();
      if (event instanceof GivenUp end) {
        why = end.why();
        failed.addAll(unanswered.values());
        break;
      }
      if (event instanceof Stopped) {
        throw new InterruptedIOException("The daemon stops while containers encode");
      }
      if (event instanceof Submitted submitted) {
        application = submitted.application();
      }
      if (event instanceof Answered answered) {
        // A container of an earlier attempt may have answered before.
        Optional<StripeOrder> stripe =
            Optional.ofNullable(unanswered.remove(stripe(answered.answer())));
        if (stripe.isPresent() && !accept(answered.answer(), stripe.get(), watcher)) {
          failed.add(stripe.get());
        }
      }
    }
    return failed;
  }

  /** Returns why stripes were not encoded. */
  String why() {
    return why;
  }

  private static int stripe(Answer answer) {
    if (answer instanceof Answer.Encoded encoded) {
      return encoded.stripe();
    }
    return answer instanceof Answer.Failed failed ? failed.stripe() : NO_NUMBER;
  }

  private Event next() throws IOException {
    try {
      return events.take();
    } catch (InterruptedException e) {
      throw Interrupts.interrupted("waiting for containers", e);
    }
  }

  private boolean accept(Answer answer, StripeOrder stripe, EncodingWatcher watcher)
      throws IOException, LeftAlone {
    EncodeWork told = work.get(stripe.index());
    if (!(answer instanceof Answer.Encoded encoded)) {
      why = answer instanceof Answer.Failed failed ? failed.why() : "";
      return false;
    }
    if (!fits(encoded, told)) {
      why = "A container answered with other units than it was asked for: " + encoded;
      return false;
    }
    int m = stripe.favoured().size();
    for (int p = 0; p < m; p++) {
      int index = stripe.index() * m + p;
      order.draft().take(index, index + "-" + encoded.attempt(), stripe.parityLength());
    }
    watcher.encodedIn(application);
    watcher.read(told.bytes());
    watcher.encoded(
        stripe.index(),
        new EncodedStripe(
            encoded.dataCrcs(),
            encoded.parityCrcs(),
            WHICH_REPLICAS_IS_NOT_PROVEN,
            failures(told, encoded.failures()),
            encoded.times()),
        encoded.distances());
    return true;
  }

  /** What comes from a container is not trusted: its name becomes part of a path. */
  private static boolean fits(Answer.Encoded encoded, EncodeWork told) {
    int data = told.data().size();
    return encoded.dataCrcs().size() == data
        && encoded.distances().size() == data
        && encoded.parityCrcs().size() == told.favoured().size()
        && encoded.attempt().chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_')
        && encoded.failures().stream().allMatch(failure -> names(failure, told));
  }

  /** Whether there is such a replica. */
  private static boolean names(Answer.Failure failure, EncodeWork told) {
    return failure.unit() >= 0
        && failure.unit() < told.data().size()
        && failure.replica() >= 0
        && failure.replica() < told.data().get(failure.unit()).replicas().size();
  }

  private static List<FailedReplica> failures(EncodeWork work, List<Answer.Failure> failures) {
    return failures.stream().map(failure -> failed(work, failure)).toList();
  }

  private static FailedReplica failed(EncodeWork work, Answer.Failure failure) {
    Block block = work.data().get(failure.unit()).block();
    Replica replica = work.data().get(failure.unit()).replicas().get(failure.replica());
    IOException cause = new IOException("In a container: " + failure.message());
    return new FailedReplica(
        failure.unit(),
        block,
        replica,
        failure.offset(),
        failure.corrupt() ? new CorruptReplicaException(block, replica.node(), cause) : cause);
  }

  /** Tells that nobody waits any more. */
  @Override
  public void close() {
    abandoned = true;
  }
}
