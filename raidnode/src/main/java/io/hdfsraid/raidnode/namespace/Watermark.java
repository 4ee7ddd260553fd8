package io.hdfsraid.raidnode.namespace;

import java.util.Objects;

/**
 * How far a source has been taken in; kept together with what it told, so that nothing is lost and
 * nothing is taken in twice.
 *
 * @param source its name
 * @param position where to go on, in the source's own words
 */
public record Watermark(String source, String position) {
  public Watermark {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(position, "position");
  }
}
