package io.hdfsraid.drfs.parity;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.FileState;
import java.util.Objects;
import java.util.Set;

/**
 * A committed parity file: where it is, what its blocks look like now, what it protects, and how
 * far it has come.
 *
 * @param leaving inode ids of the members that are to leave the group when it is encoded again
 */
public record ParityFile(FileState file, Manifest manifest, ParityPhase phase, Set<Long> leaving) {
  public ParityFile(FileState file, Manifest manifest, ParityPhase phase) {
    this(file, manifest, phase, Set.of());
  }

  public ParityFile {
    leaving = Set.copyOf(leaving);
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(manifest, "manifest");
    Objects.requireNonNull(phase, "phase");
  }
}
