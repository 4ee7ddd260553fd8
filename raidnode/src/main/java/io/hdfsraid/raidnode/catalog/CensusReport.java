package io.hdfsraid.raidnode.catalog;

import java.time.Instant;
import java.util.List;

/**
 * What the policies decide about all files there are.
 *
 * @param at when it began
 * @param files all of them, also those that the catalog knows one by one
 * @param lines those that it does not
 */
public record CensusReport(Instant at, long files, List<CensusLine> lines) {
  public CensusReport {
    lines = List.copyOf(lines);
  }
}
