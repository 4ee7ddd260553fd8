// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.source;

import java.time.Instant;
import java.util.Optional;

/** Timestamps by name. They outlive a restart of the process. Safe for concurrent use. */
public interface Timestamps {
  /** The start of the time since which accesses have been recorded. */
  String TRACKING_START = "tracking-start";

  /** The time at which the reading of the last image began. */
  String LAST_IMAGE = "last-image";

  /** The time at which the last listing of the whole namespace began. */
  String LAST_LISTING = "last-listing";

  /** The time at which it was last noticed that the namespace was set back to an earlier state. */
  String LAST_SET_BACK = "last-set-back";

  /** Returns the timestamp; empty if it was never set. */
  Optional<Instant> instant(String name);

  /** Sets a timestamp. */
  void instant(String name, Instant value);

  /** Forgets a timestamp, if it was set. */
  void remove(String name);

  /**
   * Forgets that the namespace was ever read, because it was set back to an earlier state.
   *
   * @param noticed when that was noticed
   */
  default void setBack(Instant noticed) {
    instant(LAST_SET_BACK, noticed);
    remove(LAST_IMAGE);
    remove(LAST_LISTING);
  }

  /** Returns whether the namespace was read, and was not set back since. */
  default boolean isNamespaceRead() {
    return instant(LAST_IMAGE).isPresent() || instant(LAST_LISTING).isPresent();
  }

  /** Returns the time since which a source has missed no access. */
  default Optional<Instant> trackingStart(String source) {
    return instant(TRACKING_START + "/" + source);
  }

  /** Sets the time since which a source has missed no access. */
  default void trackingStart(String source, Instant start) {
    instant(TRACKING_START + "/" + source, start);
  }
}
