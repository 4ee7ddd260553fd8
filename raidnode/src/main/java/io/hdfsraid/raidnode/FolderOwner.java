// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whose folder it is. What another user writes there, be it root, the daemon may not read or
 * replace.
 */
record FolderOwner(Path folder) {

  /**
   * Requires that the folder belongs to the user of this process, or does not exist.
   *
   * @throws IOException with what to do
   */
  void require() throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    String owner = Files.getOwner(folder).getName();
    String user = System.getProperty("user.name");
    if (!owner.equals(user)) {
      throw new IOException(
          "%s belongs to user %s, and this is user %s, whose files the daemon could not use. Run the command as its user: runuser -u %s -- raidnode …"
              .formatted(folder, owner, user, owner));
    }
  }
}
