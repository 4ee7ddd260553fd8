// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import java.io.IOException;
import java.util.Map;

/**
 * Opens the sinks of a rebuild right before it begins to read. A rebuild may wait long for memory,
 * and the receivers of the bytes should not wait with open connections.
 */
@FunctionalInterface
public interface UnitSinks {
  /** Opens one sink for each unit that is rebuilt. */
  Map<Integer, UnitSink> open() throws IOException;
}
