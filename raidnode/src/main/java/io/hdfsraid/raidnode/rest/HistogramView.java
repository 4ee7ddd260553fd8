package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.FileHistogram;

/** How old, how large and how often replicated files are. */
@FunctionalInterface
public interface HistogramView {
  /**
   * Of the file at a path, or of all below it.
   *
   * @throws ApiFailure when it is not known yet what files there are
   */
  FileHistogram histogram(String below);
}
