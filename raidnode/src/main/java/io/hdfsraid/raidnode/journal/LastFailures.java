// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.journal;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers how work failed last, so that retries with the same result need not be written down.
 * Forgets first what was not tried for longest. Safe for concurrent use.
 */
final class LastFailures {
  private static final int MOST = 10_000;

  private final Map<String, String> messages =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > MOST;
        }
      };

  /** Remembers a failure. Returns whether the work has not failed like this just before. */
  synchronized boolean isNews(String work, String message) {
    return !message.equals(messages.put(work, message));
  }

  /** Forgets the failures of work that has had a result. */
  synchronized void forget(String work) {
    messages.remove(work);
  }
}
