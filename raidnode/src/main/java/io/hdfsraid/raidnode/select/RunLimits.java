// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.policies.capacity.CapacityGate;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.SpaceUsage;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Limits what each policy takes in one run: its byte budget, and the room that it should make. */
final class RunLimits {
  private static final Logger LOG = LoggerFactory.getLogger(RunLimits.class);

  /**
   * Smaller files may still fit into what is left of a budget, but they are not sought for ever.
   */
  private static final int MOST_REFUSED = 10_000;

  private final Map<String, Limit> limits = new HashMap<>();

  /** The gates of policies, which keep their state from one run to the next. */
  public interface Gates {
    /** Updates the gate with the usage of its space, and returns it. */
    CapacityGate look(Policy policy, CapacityRule rule, SpaceUsage fill);

    /**
     * Reads the usage of the space, updates the gate and returns it. If the usage cannot be read,
     * the gate is closed for this call and its stored state stays.
     */
    default CapacityGate look(Policy policy, CapacityRule rule) {
      try {
        return look(policy, rule, fill(rule));
      } catch (IOException | RuntimeException e) {
        CapacityGate unknown = CapacityGates.unknown(rule, e);
        LOG.atLevel(levelOf(e)).addKeyValue("policy", policy.name()).log(unknown.why());
        return unknown;
      }
    }

    SpaceUsage fill(CapacityRule rule) throws IOException;

    /** Returns how loudly to log that the usage cannot be read. */
    default Level levelOf(Exception failure) {
      return Level.WARN;
    }
  }

  /** Creates the limits of a run of these policies. The spaces of other policies are not asked. */
  RunLimits(List<Policy> running, Gates gates) {
    for (Policy policy : running) {
      limits.put(policy.name(), new Limit(policy, gates));
    }
  }

  /**
   * Whether the policy may raid one more file, which counts from then on: also as room that other
   * policies need not make.
   */
  boolean admit(Verdict.ToRaid verdict, FileFacts file) {
    Limit limit = limits.get(verdict.policy().name());
    if (limit == null || !limit.admit(file)) {
      return false;
    }
    limits.values().forEach(each -> each.saved(file, verdict.saving().bytes()));
    return true;
  }

  /** A file that the policy was to raid has turned out not to be worth it. */
  void giveBack(Policy policy, long bytes) {
    Limit limit = limits.get(policy.name());
    if (limit != null) {
      limit.giveBack(bytes);
    }
  }

  /** The policy may raid nothing more in this run. */
  boolean isSpent(Policy policy) {
    Limit limit = limits.get(policy.name());
    return limit == null || limit.isSpent();
  }

  private static final class Limit {
    private final Policy policy;
    private SpaceUsage fill = new SpaceUsage(0, 0, 0);
    private CapacityGate gate;
    private long files;
    private long bytes;
    private int refused;

    Limit(Policy policy, Gates gates) {
      this.policy = policy;
      policy.runs().capacity().ifPresent(rule -> open(rule, gates));
    }

    private void open(CapacityRule rule, Gates gates) {
      try {
        fill = gates.fill(rule);
        gate = gates.look(policy, rule, fill);
      } catch (IOException | RuntimeException e) {
        // The other gates go on. The stored state of this gate stays.
        gate = CapacityGates.unknown(rule, e);
        LOG.atLevel(gates.levelOf(e)).addKeyValue("policy", policy.name()).log(gate.why());
      }
    }

    boolean admit(FileFacts file) {
      if ((gate != null && !gate.isOpen())
          || !policy.runs().budget().allows(bytes, files, file.length())) {
        refused++;
        return false;
      }
      files++;
      bytes += file.length();
      return true;
    }

    /** A file was chosen, by this policy or another. */
    void saved(FileFacts file, long saving) {
      if (gate != null && gate.rule().covers(file.path())) {
        fill = fill.choosing(saving);
        gate = gate.look(fill);
      }
    }

    /** Returns bytes to the budget. The next run computes anew how much a gate should free. */
    void giveBack(long length) {
      files--;
      bytes -= length;
    }

    boolean isSpent() {
      return (gate != null && !gate.isOpen())
          || refused >= MOST_REFUSED
          || !policy.runs().budget().allows(bytes, files, 1);
    }
  }
}
