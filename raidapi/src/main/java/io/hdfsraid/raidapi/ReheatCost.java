package io.hdfsraid.raidapi;

import java.time.Instant;

/**
 * What it has cost to have raided files that were not as cold as they seemed.
 *
 * @param since when counting began
 * @param opens how often raided files were opened, as far as audit logs tell
 * @param located of how many of these it was found out where reader and file are: a sample
 * @param offNode how many of the sample went to another machine although a DataNode runs on the
 *     reader's: with more replicas, some of them might not have; a file that is there in part
 *     counts in part
 * @param reheatedFiles how many have got their replicas back for it
 * @param reheatedBytes what was copied for these
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

  /** With so many more. */
  public ReheatCost plusOpens(long times) {
    return new ReheatCost(since, opens + times, located, offNode, reheatedFiles, reheatedBytes);
  }

  /** With so many more in the sample. */
  public ReheatCost plusLocated(long times, double wentElsewhere) {
    return new ReheatCost(
        since, opens, located + times, offNode + wentElsewhere, reheatedFiles, reheatedBytes);
  }

  /** With one more file that got its replicas back. */
  public ReheatCost plusReheated(long bytes) {
    return new ReheatCost(since, opens, located, offNode, reheatedFiles + 1, reheatedBytes + bytes);
  }
}
