package io.hdfsraid.drfs.parity;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.FileState;
import java.util.Objects;

/** A committed parity file: where it is, what its blocks look like now, and what it protects. */
public record ParityFile(FileState file, Manifest manifest) {
  public ParityFile {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(manifest, "manifest");
  }
}
