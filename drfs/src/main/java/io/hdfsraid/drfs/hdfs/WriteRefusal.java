// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.parity.Obstacle;
import java.util.Optional;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Classifies a refusal of the NameNode. The client unwraps some exceptions and not others, and some
 * wrap others. So the names of exceptions are compared, not their types.
 */
final class WriteRefusal {
  private static final int DEEPEST = 16;

  private WriteRefusal() {}

  static Optional<Obstacle> obstacle(Throwable failure) {
    Throwable at = failure;
    for (int depth = 0; at != null && depth < DEEPEST; depth++) {
      String name =
          at instanceof RemoteException remote ? remote.getClassName() : at.getClass().getName();
      String text = name + ": " + at.getMessage();
      if (text.contains("SafeModeException") || text.contains("StandbyException")) {
        return Optional.of(Obstacle.READ_ONLY);
      }
      if (name.contains("QuotaExceeded") || name.contains("QuotaByStorageTypeExceeded")) {
        return Optional.of(Obstacle.QUOTA);
      }
      if (text.contains("could only be written to 0 of the")) {
        return Optional.of(Obstacle.SPACE);
      }
      at = at.getCause();
    }
    return Optional.empty();
  }
}
