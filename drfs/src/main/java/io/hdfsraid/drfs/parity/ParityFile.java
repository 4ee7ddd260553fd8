// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.LocatedFile;
import java.util.Objects;
import java.util.Set;

/**
 * A committed parity file: its blocks as HDFS shows them now, its manifest and its phase.
 *
 * @param leaving inode ids of the members that are to leave the group when it is encoded again
 * @param abandoned lost blocks that the parity need not wait for
 */
public record ParityFile(
    LocatedFile file,
    Manifest manifest,
    ParityPhase phase,
    Set<Long> leaving,
    AbandonedBlocks abandoned) {
  public ParityFile(LocatedFile file, Manifest manifest, ParityPhase phase) {
    this(file, manifest, phase, Set.of(), AbandonedBlocks.NONE);
  }

  public ParityFile {
    leaving = Set.copyOf(leaving);
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(manifest, "manifest");
    Objects.requireNonNull(phase, "phase");
    Objects.requireNonNull(abandoned, "abandoned");
  }
}
