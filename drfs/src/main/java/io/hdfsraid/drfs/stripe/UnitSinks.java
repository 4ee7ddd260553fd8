package io.hdfsraid.drfs.stripe;

import java.io.IOException;
import java.util.Map;

/**
 * Opens the sinks of a rebuild when it is about to read, which may be long after it was asked for:
 * whoever takes the bytes does not wait for them that long.
 */
@FunctionalInterface
public interface UnitSinks {
  /** One for each unit that is rebuilt. */
  Map<Integer, UnitSink> open() throws IOException;
}
