// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import java.io.IOException;
import java.nio.file.Path;

/** An image that cannot be read: it is damaged, or has an unsupported format. */
public final class DamagedImageException extends IOException {
  private static final long serialVersionUID = 1L;

  private static final String FETCH_AGAIN =
      "Fetch it again; if it is the same at the NameNode, have another one written: hdfs dfsadmin"
          + " -saveNamespace";

  private DamagedImageException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * The image is damaged.
   *
   * @param where the part of the image, with an offset
   */
  static DamagedImageException damaged(Path file, String where, String what, Throwable cause) {
    return new DamagedImageException(
        "%s is damaged: %s: %s. %s".formatted(file, where, what, FETCH_AGAIN), cause);
  }

  static DamagedImageException damaged(Path file, String where, String what) {
    return damaged(file, where, what, null);
  }

  /** The image may be intact, but its format is not supported. */
  static DamagedImageException unreadable(Path file, String what, String advice) {
    return new DamagedImageException(
        "%s cannot be read: %s. %s".formatted(file, what, advice), null);
  }
}
