// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * The reasons against a root for parity, found without changing anything. Each reason is a sentence
 * with a remedy.
 *
 * @param exists whether the root exists
 * @param zone reason if the root is inside an encryption zone
 * @param snapshots reason if the root, or a directory above or below it, allows snapshots
 * @param occupant reason if the root belongs to another user or product
 */
public record RootCheck(
    boolean exists, Optional<String> zone, Optional<String> snapshots, Optional<String> occupant) {

  /** Returns the first reason not to use the root. */
  Optional<String> refusal() {
    return Stream.of(zone, snapshots, occupant).flatMap(Optional::stream).findFirst();
  }
}
