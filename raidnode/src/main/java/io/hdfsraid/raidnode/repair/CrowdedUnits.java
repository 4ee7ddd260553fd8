// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the parity whose units a repair had to place on a node or in a rack with other units,
 * and has them moved later. Safe for concurrent use.
 */
public final class CrowdedUnits {
  private static final Logger LOG = LoggerFactory.getLogger(CrowdedUnits.class);

  /** The audit of all placements finds those that are not remembered. */
  private static final int MOST = 10_000;

  private final Spreading spreading;
  private final KnownTrouble trouble;

  /** Ids of parity. */
  private final Set<Long> crowded = ConcurrentHashMap.newKeySet();

  /** Moves the units of one parity file, given by its id, to better places. */
  @FunctionalInterface
  public interface Spreading {
    void spread(long id) throws IOException;
  }

  public CrowdedUnits(Spreading spreading) {
    this(spreading, KnownTrouble.NONE);
  }

  /**
   * @param trouble tells failures after which it is tried again, without a line of the log
   */
  public CrowdedUnits(Spreading spreading, KnownTrouble trouble) {
    this.spreading = spreading;
    this.trouble = trouble;
  }

  void add(long id) {
    if (crowded.size() < MOST) {
      crowded.add(id);
    }
  }

  /** Moves the remembered units if there are better places by now. May take as long as raiding. */
  void spread() throws IOException {
    for (long id : List.copyOf(crowded)) {
      try {
        spreading.spread(id);
        crowded.remove(id);
      } catch (FileInWorkException e) {
        LOG.atDebug().addKeyValue("id", id).log("another task works on the file; spread later");
      } catch (IOException | RuntimeException e) {
        if (trouble.explains(e)) {
          return; // the others would fail, too
        }
        LOG.atWarn()
            .addKeyValue("id", id)
            .setCause(e)
            .log("crowded units could not be spread; the placement audit will find them");
        crowded.remove(id);
      }
    }
  }
}
