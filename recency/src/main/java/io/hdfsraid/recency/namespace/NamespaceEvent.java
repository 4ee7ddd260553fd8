// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.namespace;

/**
 * A change of the namespace by path, as the NameNode's edit log reports it. Times are milliseconds
 * since 1970, by the clock of the NameNode.
 */
public sealed interface NamespaceEvent {
  /** Returns the path of the entry that changes; the old path for a rename. */
  String path();

  /** A file was created. An earlier file at the path is gone. */
  record FileCreated(
      String path,
      long at,
      String owner,
      String group,
      int replication,
      long blockSize,
      boolean striped)
      implements NamespaceEvent {}

  /** A directory was created. */
  record DirectoryCreated(String path, long at, String owner, String group)
      implements NamespaceEvent {}

  /** A symbolic link was created. */
  record SymlinkCreated(String path, long at) implements NamespaceEvent {}

  /**
   * A file that was open for writing was closed.
   *
   * @param length in bytes; -1 if the NameNode does not say
   */
  record Closed(String path, long at, long length) implements NamespaceEvent {}

  /** A file was opened for append. */
  record Appended(String path) implements NamespaceEvent {}

  /** A file was truncated. */
  record Truncated(String path, long at, long length) implements NamespaceEvent {}

  /**
   * A file or a directory with all below it was renamed. An earlier file at the new path is gone.
   */
  record Renamed(String path, String to, long at) implements NamespaceEvent {}

  /** A file or a directory with all below it was deleted. */
  record Deleted(String path, long at) implements NamespaceEvent {}

  /**
   * Times were set, by a read or by a user.
   *
   * @param modified -1 if unchanged
   * @param accessed -1 if unchanged
   */
  record TimesSet(String path, long modified, long accessed) implements NamespaceEvent {}

  /** The replication was set. */
  record ReplicationSet(String path, int replication) implements NamespaceEvent {}

  /** Owner or group were set; null if unchanged. */
  record OwnerSet(String path, String owner, String group) implements NamespaceEvent {}

  /** Permissions or access control entries were set. The index does not keep them. */
  record AccessSet(String path) implements NamespaceEvent {}
}
