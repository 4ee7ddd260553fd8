package io.hdfsraid.raidnode.namespace;

/**
 * A change of a namespace, by paths, as the NameNode's edit log tells it to those who follow. Times
 * are milliseconds since 1970, of the NameNode's clock.
 */
public sealed interface NamespaceEvent {
  /** The path whose entry changes; of a rename, where it was. */
  String path();

  /** A file was begun. Whatever file was at the path is gone. */
  record FileCreated(
      String path,
      long at,
      String owner,
      String group,
      int replication,
      long blockSize,
      boolean striped)
      implements NamespaceEvent {}

  /** A directory was made. */
  record DirectoryCreated(String path, long at, String owner, String group)
      implements NamespaceEvent {}

  /** A symbolic link was made. */
  record SymlinkCreated(String path, long at) implements NamespaceEvent {}

  /**
   * A file that was open for writing was closed.
   *
   * @param length in bytes; -1 where the NameNode does not say
   */
  record Closed(String path, long at, long length) implements NamespaceEvent {}

  /** A file was opened for more to be written. */
  record Appended(String path) implements NamespaceEvent {}

  /** A file was cut to a length. */
  record Truncated(String path, long at, long length) implements NamespaceEvent {}

  /** A file or a directory, with all below it, is elsewhere now. A file that was there is gone. */
  record Renamed(String path, String to, long at) implements NamespaceEvent {}

  /** A file or a directory, with all below it, is gone. */
  record Deleted(String path, long at) implements NamespaceEvent {}

  /**
   * Times were set: by a read, or by a user.
   *
   * @param modified -1 where it stays
   * @param accessed -1 where it stays
   */
  record TimesSet(String path, long modified, long accessed) implements NamespaceEvent {}

  /** The replication was set. */
  record ReplicationSet(String path, int replication) implements NamespaceEvent {}

  /** Owner or group were set; null where it stays. */
  record OwnerSet(String path, String owner, String group) implements NamespaceEvent {}
}
