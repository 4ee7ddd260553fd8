// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.editlog;

/** Requests a new image of the namespace. Another thread reads it later. */
@FunctionalInterface
public interface ImageRequest {
  /**
   * Requests an image and returns at once. After it was read, the watermark of the source is the
   * transaction of the image.
   */
  void ask(String because);
}
