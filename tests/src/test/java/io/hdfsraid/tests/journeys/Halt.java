// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls back from every thread that comes as far as it is told: after a step, or to a {@link
 * HaltMoment}.
 */
final class Halt implements StepListener {
  private final String where;
  private final Optional<HaltMoment> moment;
  private final AtomicLong sourceBytes = new AtomicLong();
  private final AtomicLong parityBytes = new AtomicLong();
  private final AtomicBoolean waiting = new AtomicBoolean();
  private final Runnable reached;

  /**
   * @param where the name of the step or of the moment
   * @param reached run by each thread that comes there; a thread goes on when it returns
   */
  Halt(String where, Runnable reached) {
    this.where = where;
    this.reached = reached;
    this.moment =
        Arrays.stream(HaltMoment.values()).filter(each -> each.name().equals(where)).findFirst();
  }

  @Override
  public void reached(Enum<?> step, String subject) {
    if (step.name().equals(where)) {
      reached.run();
    }
    if (moment.flatMap(HaltMoment::after).filter(after -> after == step).isPresent()) {
      waiting.set(true);
    }
  }

  /** The same cluster, through which every byte and every question passes us. */
  ClusterAccess watch(ClusterAccess cluster) {
    return new ClusterAccess(
        cluster.clusterId(),
        cluster.blockPool(),
        between(
            Namespace.class,
            cluster.namespace(),
            (method, answer) -> {
              if (waiting.get()) {
                reached.run();
              }
              return answer;
            }),
        moment.equals(Optional.of(HaltMoment.SOURCE_BYTE))
            ? new WatchedNodes(cluster.dataNodes())
            : cluster.dataNodes(),
        moment.equals(Optional.of(HaltMoment.PARITY_BYTE))
            ? watched(cluster.parity())
            : cluster.parity(),
        cluster.holders(),
        cluster.badReplicas(),
        cluster.fence());
  }

  private ParityStore watched(ParityStore store) {
    return between(
        ParityStore.class,
        store,
        (method, answer) ->
            answer instanceof ParityDraft draft
                ? between(
                    ParityDraft.class,
                    draft,
                    (call, made) -> made instanceof UnitOutput unit ? new WatchedUnit(unit) : made)
                : answer);
  }

  /** What is made of the answer to a call. */
  private interface Answered {
    Object by(String method, Object answer);
  }

  private static <T> T between(Class<T> type, T real, Answered answered) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return answered.by(method.getName(), method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** How many of these bytes may still pass. */
  private static int share(AtomicLong passed, int bytes) {
    long before = passed.getAndAdd(bytes);
    return (int) Math.max(0, Math.min(bytes, HaltMoment.BYTE - before));
  }

  private final class WatchedNodes implements DataNodes {
    private final DataNodes real;

    WatchedNodes(DataNodes real) {
      this.real = real;
    }

    @Override
    public BlockInput open(Block block, Replica replica, long offset, long length)
        throws IOException {
      return new WatchedInput(real.open(block, replica, offset, length));
    }

    @Override
    public int checksum(Block block, Replica replica) throws IOException {
      return real.checksum(block, replica);
    }
  }

  private final class WatchedInput implements BlockInput {
    private final BlockInput real;

    WatchedInput(BlockInput real) {
      this.real = real;
    }

    @Override
    public void readFully(ByteBuffer target) throws IOException {
      int bytes = target.remaining();
      int share = share(sourceBytes, bytes);
      if (share < bytes) {
        ByteBuffer part = target.duplicate().limit(target.position() + share);
        real.readFully(part);
        target.position(part.position());
        reached.run();
      }
      real.readFully(target);
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }

  private final class WatchedUnit implements UnitOutput {
    private final UnitOutput real;

    WatchedUnit(UnitOutput real) {
      this.real = real;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      int size = bytes.remaining();
      int share = share(parityBytes, size);
      if (share < size) {
        ByteBuffer part = bytes.duplicate().limit(bytes.position() + share);
        real.write(part);
        bytes.position(part.position());
        reached.run();
      }
      real.write(bytes);
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }
}
