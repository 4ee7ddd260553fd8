package io.hdfsraid.drfs.parity;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.FileState;
import java.util.Objects;

/**
 * A committed parity file: where it is, what its blocks look like now, what it protects, and how
 * far it has come.
 */
public record ParityFile(FileState file, Manifest manifest, ParityPhase phase) {
  public ParityFile {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(manifest, "manifest");
    Objects.requireNonNull(phase, "phase");
  }
}
