// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.status;

import java.time.Instant;

/**
 * The cost of having raided files that are used again.
 *
 * @param since when counting began
 * @param opens how often raided files were opened, as far as audit logs show
 * @param located the size of a sample of these opens, for which the places of reader and file are
 *     known
 * @param offNode reads of the sample that went to another machine although the reader's machine
 *     runs a DataNode; more replicas might have avoided some of them; a file that is partly local
 *     counts in part
 * @param reheatedFiles number of files that got their replicas back because of use
 * @param reheatedBytes bytes copied for these files
 */
public record ReheatCost(
    Instant since,
    long opens,
    long located,
    double offNode,
    long reheatedFiles,
    long reheatedBytes) {
  public static ReheatCost none(Instant since) {
    return new ReheatCost(since, 0, 0, 0, 0, 0);
  }

  /** Returns the cost with more opens. */
  public ReheatCost plusOpens(long times) {
    return new ReheatCost(since, opens + times, located, offNode, reheatedFiles, reheatedBytes);
  }

  /** Returns the cost with a larger sample. */
  public ReheatCost plusLocated(long times, double wentElsewhere) {
    return new ReheatCost(
        since, opens, located + times, offNode + wentElsewhere, reheatedFiles, reheatedBytes);
  }

  /** Returns the cost with one more file that got its replicas back. */
  public ReheatCost plusReheated(long bytes) {
    return new ReheatCost(since, opens, located, offNode, reheatedFiles + 1, reheatedBytes + bytes);
  }
}
