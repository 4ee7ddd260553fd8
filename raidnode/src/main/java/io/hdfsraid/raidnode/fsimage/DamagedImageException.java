package io.hdfsraid.raidnode.fsimage;

import java.io.IOException;
import java.nio.file.Path;

/** An image that cannot be used: it is not as a NameNode writes it, or not as we can read it. */
public final class DamagedImageException extends IOException {
  private static final long serialVersionUID = 1L;

  private static final String FETCH_AGAIN =
      "Fetch it again; if it is the same at the NameNode, have another one written: hdfs dfsadmin -saveNamespace";

  private DamagedImageException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * It is not as a NameNode has written it.
   *
   * @param where the part of it, with an offset
   */
  static DamagedImageException damaged(Path file, String where, String what, Throwable cause) {
    return new DamagedImageException(
        "%s is damaged: %s: %s. %s".formatted(file, where, what, FETCH_AGAIN), cause);
  }

  static DamagedImageException damaged(Path file, String where, String what) {
    return damaged(file, where, what, null);
  }

  /** It may be whole, but is none that we read. */
  static DamagedImageException unreadable(Path file, String what, String advice) {
    return new DamagedImageException(
        "%s cannot be read: %s. %s".formatted(file, what, advice), null);
  }
}
