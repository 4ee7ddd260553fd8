package io.hdfsraid.raidnode.recency.source;

import io.hdfsraid.raidnode.namespace.Watermark;
import java.io.IOException;
import java.util.Optional;

/** Takes in when files are read. */
public interface AccessSink {
  /** How far a source was taken in; empty for one that never was. */
  Optional<Watermark> watermark(String source);

  /**
   * Takes in accesses and remembers how far they go, both or neither.
   *
   * @return how many were of paths at which there is no file by now, or none that is known
   */
  long accessed(Accesses accesses, Watermark watermark) throws IOException;
}
