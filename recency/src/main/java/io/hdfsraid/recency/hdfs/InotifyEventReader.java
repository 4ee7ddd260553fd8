// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.hdfs;

import io.hdfsraid.recency.namespace.NamespaceEvent;
import java.util.Optional;
import org.apache.hadoop.hdfs.inotify.Event;

/** Converts inotify events of HDFS to {@link NamespaceEvent}s. */
final class InotifyEventReader {
  private InotifyEventReader() {}

  /** Converts an event. Empty if nobody needs it, such as that of an attribute. */
  static Optional<NamespaceEvent> read(Event event) {
    return switch (event.getEventType()) {
      case CREATE -> Optional.of(created((Event.CreateEvent) event));
      case CLOSE -> {
        Event.CloseEvent close = (Event.CloseEvent) event;
        yield Optional.of(
            new NamespaceEvent.Closed(close.getPath(), close.getTimestamp(), close.getFileSize()));
      }
      case APPEND ->
          Optional.of(new NamespaceEvent.Appended(((Event.AppendEvent) event).getPath()));
      case TRUNCATE -> {
        Event.TruncateEvent cut = (Event.TruncateEvent) event;
        yield Optional.of(
            new NamespaceEvent.Truncated(cut.getPath(), cut.getTimestamp(), cut.getFileSize()));
      }
      case RENAME -> renamed((Event.RenameEvent) event);
      case UNLINK -> {
        Event.UnlinkEvent unlink = (Event.UnlinkEvent) event;
        yield Optional.of(new NamespaceEvent.Deleted(unlink.getPath(), unlink.getTimestamp()));
      }
      case METADATA -> changed((Event.MetadataUpdateEvent) event);
    };
  }

  private static NamespaceEvent created(Event.CreateEvent event) {
    return switch (event.getiNodeType()) {
      case FILE -> {
        boolean striped = event.isErasureCoded().orElse(false);
        yield new NamespaceEvent.FileCreated(
            event.getPath(),
            event.getCtime(),
            event.getOwnerName(),
            event.getGroupName(),
            striped ? 0 : event.getReplication(), // HDFS says 1 of a striped file
            event.getDefaultBlockSize(),
            striped);
      }
      case DIRECTORY ->
          new NamespaceEvent.DirectoryCreated(
              event.getPath(), event.getCtime(), event.getOwnerName(), event.getGroupName());
      case SYMLINK -> new NamespaceEvent.SymlinkCreated(event.getPath(), event.getCtime());
    };
  }

  /** HDFS also reports a rename of a file to its own name, which would delete the file. */
  private static Optional<NamespaceEvent> renamed(Event.RenameEvent event) {
    return event.getSrcPath().equals(event.getDstPath())
        ? Optional.empty()
        : Optional.of(
            new NamespaceEvent.Renamed(
                event.getSrcPath(), event.getDstPath(), event.getTimestamp()));
  }

  private static Optional<NamespaceEvent> changed(Event.MetadataUpdateEvent event) {
    return switch (event.getMetadataType()) {
      case TIMES ->
          Optional.of(
              new NamespaceEvent.TimesSet(event.getPath(), event.getMtime(), event.getAtime()));
      case REPLICATION ->
          Optional.of(new NamespaceEvent.ReplicationSet(event.getPath(), event.getReplication()));
      case OWNER ->
          Optional.of(
              new NamespaceEvent.OwnerSet(
                  event.getPath(), event.getOwnerName(), event.getGroupName()));
      case PERMS, ACLS -> Optional.of(new NamespaceEvent.AccessSet(event.getPath()));
      case XATTRS -> Optional.empty();
    };
  }
}
