// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.stripe.EncodingTimes;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Counts the bytes read of one source by their distance. Used by one thread. */
final class ReadTally implements RaidProgress {
  private final RaidProgress progress;
  private final Map<Distance, Long> bytes = new EnumMap<>(Distance.class);
  private String where = "";

  /**
   * Nothing read.
   *
   * @param progress hears of everything, too
   */
  ReadTally(RaidProgress progress) {
    this.progress = progress;
  }

  @Override
  public void encoded(long more) {
    progress.encoded(more);
  }

  @Override
  public void read(Distance distance, long more) {
    bytes.merge(distance, more, Long::sum);
    progress.read(distance, more);
  }

  @Override
  public void encodedIn(String application) {
    where = " in " + application;
    progress.encodedIn(application);
  }

  @Override
  public void spent(EncodingTimes times) {
    progress.spent(times);
  }

  /** For people, nearest first. */
  @Override
  public String toString() {
    return bytes.entrySet().stream()
        .map(
            entry ->
                "%d bytes %s"
                    .formatted(
                        entry.getValue(),
                        entry.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' ')))
        .collect(Collectors.joining(", ", "read ", where));
  }
}
