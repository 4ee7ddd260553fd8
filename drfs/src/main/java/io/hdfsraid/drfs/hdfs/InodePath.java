// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The path under which HDFS resolves an inode id. It can resolve to another inode, so callers check
 * the inode of the result.
 */
public final class InodePath {
  private static final String NOT_IN_THE_TREE = IllegalArgumentException.class.getName();

  private InodePath() {}

  /** A call of the NameNode with a path. */
  public interface Call<T> {
    T answer(String path) throws IOException;
  }

  public static String of(long inode) {
    return "/.reserved/.inodes/" + inode;
  }

  /**
   * Calls the NameNode with the path of the inode.
   *
   * @throws FileNotFoundException if the inode is gone. For a file that was renamed after a
   *     snapshot was taken, and then deleted, the NameNode says so with an
   *     IllegalArgumentException: {@code INodesInPath#resolve} finds that its path does not begin
   *     at the root.
   */
  public static <T> T ask(long inode, Call<T> call) throws IOException {
    try {
      return call.answer(of(inode));
    } catch (RemoteException e) {
      if (!NOT_IN_THE_TREE.equals(e.getClassName())) {
        throw e;
      }
      FileNotFoundException gone =
          new FileNotFoundException("Inode %d is in snapshots only".formatted(inode));
      gone.initCause(e);
      throw gone;
    }
  }
}
