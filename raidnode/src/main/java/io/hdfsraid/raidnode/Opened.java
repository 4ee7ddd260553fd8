// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The resources that were opened. They are closed in the opposite order. */
public final class Opened implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Opened.class);

  private final Deque<AutoCloseable> things = new ArrayDeque<>();

  /** Takes it over and gives it back. */
  public synchronized <T extends AutoCloseable> T add(T thing) {
    things.push(thing);
    return thing;
  }

  /** Closes everything; one that cannot be closed does not keep the others open. */
  @Override
  public synchronized void close() {
    while (!things.isEmpty()) {
      AutoCloseable thing = things.pop();
      try {
        thing.close();
      } catch (Exception e) {
        LOG.warn("{} could not be closed", thing.getClass().getSimpleName(), e);
      }
    }
  }
}
