// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.rocksdb;

import java.nio.file.Path;

/**
 * A database on the local disk cannot be used. The message says what to do and needs no stack
 * trace. The databases hold only what can be read from HDFS again, so their loss costs work and
 * never data.
 */
public final class DatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public DatabaseException(String message) {
    super(message);
  }

  public DatabaseException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Says that the folder may be deleted.
   *
   * @param name what the folder holds, such as "catalog"
   * @param reason why it cannot be read
   */
  public static DatabaseException unreadable(String name, Path folder, String reason) {
    return new DatabaseException(
        "The %s in %s cannot be read: %s. Delete the folder: it will be rebuilt from HDFS."
            .formatted(name, folder, reason));
  }
}
