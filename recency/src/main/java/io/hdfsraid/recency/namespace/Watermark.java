// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.namespace;

import java.util.Objects;

/**
 * The position up to which a source has been taken in. It is stored together with the changes, so
 * that no event is lost or applied twice.
 *
 * @param source the name of the source
 * @param position where to continue, in a format of the source
 */
public record Watermark(String source, String position) {
  public Watermark {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(position, "position");
  }
}
