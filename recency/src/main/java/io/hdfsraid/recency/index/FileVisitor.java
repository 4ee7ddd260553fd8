// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

/** Receives files one after another. */
@FunctionalInterface
public interface FileVisitor {
  /**
   * Receives a file.
   *
   * @return whether the visit goes on
   */
  boolean look(IndexedFile file);
}
