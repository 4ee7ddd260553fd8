package io.hdfsraid.drfs.hdfs;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * What speaks against keeping parity below a root, as far as looking tells; nothing was changed to
 * find it out. Each is a sentence with what to do.
 *
 * @param exists the root is there already
 * @param zone it is inside an encryption zone
 * @param snapshots it, or a directory above or below it, allows snapshots
 * @param occupant what is there is not ours
 */
public record RootView(
    boolean exists, Optional<String> zone, Optional<String> snapshots, Optional<String> occupant) {

  /** The first of the reasons not to use it. */
  Optional<String> refusal() {
    return Stream.of(zone, snapshots, occupant).flatMap(Optional::stream).findFirst();
  }
}
