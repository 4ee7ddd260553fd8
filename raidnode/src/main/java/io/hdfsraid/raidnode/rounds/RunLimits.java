package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.policies.capacity.CapacityGate;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.Fill;
import java.util.HashMap;
import java.util.Map;

/** How much each policy may take on in one run: by its budget, and by the room it is to make. */
final class RunLimits {
  private final Map<String, Limit> limits = new HashMap<>();

  /** Where the gates of policies stand, from one run to the next. */
  interface Gates {
    /** The gate, after it has looked at its space. */
    CapacityGate look(Policy policy, CapacityRule rule, Fill fill);

    Fill fill(CapacityRule rule);
  }

  RunLimits(Policies policies, Gates gates) {
    for (Policy policy : policies.inOrder()) {
      limits.put(policy.name(), new Limit(policy, gates));
    }
  }

  /** Whether the policy may raid one more file, which counts from then on. */
  boolean admit(Verdict.ToRaid verdict, long bytes) {
    Limit limit = limits.get(verdict.policy().name());
    return limit == null || limit.admit(bytes, verdict.saving().bytes());
  }

  private static final class Limit {
    private final Policy policy;
    private Fill fill = new Fill(0, 0, 0);
    private CapacityGate gate;
    private long files;
    private long bytes;

    Limit(Policy policy, Gates gates) {
      this.policy = policy;
      policy
          .runs()
          .capacity()
          .ifPresent(
              rule -> {
                fill = gates.fill(rule);
                gate = gates.look(policy, rule, fill);
              });
    }

    boolean admit(long length, long saving) {
      if ((gate != null && !gate.isOpen())
          || !policy.runs().budget().allows(bytes, files, length)) {
        return false;
      }
      files++;
      bytes += length;
      if (gate != null) {
        fill = fill.choosing(saving);
        gate = gate.look(fill);
      }
      return true;
    }
  }
}
