// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Saving;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidnode.catalog.EvaluationLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts the verdicts of policies, file by file. Used by one thread. */
final class NamespaceEvaluation {
  private final Judge judge;
  private final AccessTracking tracking;
  private final Map<Decision, Sum> sums = new LinkedHashMap<>();
  private long candidates;

  NamespaceEvaluation(Judge judge, AccessTracking tracking) {
    this.judge = judge;
    this.tracking = tracking;
  }

  private record Decision(Optional<Policy> policy, Optional<Reason> reason) {}

  private static final class Sum {
    private long files;
    private long bytes;
    private long physicalBytes;
    private long bytesAfter;
    private long objects;

    void add(FileFacts file, Verdict verdict) {
      files++;
      bytes += file.length();
      physicalBytes += file.physicalBytes();
      bytesAfter += verdict.worth().map(Saving::after).orElseGet(file::physicalBytes);
      objects +=
          verdict instanceof Verdict.ToRaid wanted
              ? CodecEstimate.parityObjects(wanted.policy().protection().codec(), file.blocks())
              : 0;
    }

    EvaluationLine line(Decision decision) {
      return new EvaluationLine(
          decision.policy().map(Policy::name).orElse(""),
          decision.reason(),
          files,
          bytes,
          physicalBytes,
          bytesAfter,
          objects);
    }
  }

  /** What the policies say of a file. */
  Verdict verdict(FileFacts file) {
    return judge.verdict(file, tracking);
  }

  /**
   * Counts a file.
   *
   * @param reason why it is left, which the verdict may not know; empty when it is to be raided
   */
  void count(FileFacts file, Verdict verdict, Optional<Reason> reason) {
    candidates += reason.isEmpty() ? 1 : 0;
    sums.computeIfAbsent(new Decision(verdict.decidedBy(), reason), decision -> new Sum())
        .add(file, verdict);
  }

  long candidates() {
    return candidates;
  }

  List<EvaluationLine> lines() {
    List<EvaluationLine> lines = new ArrayList<>();
    sums.forEach((decision, sum) -> lines.add(sum.line(decision)));
    return lines;
  }
}
