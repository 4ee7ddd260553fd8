// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.simulation;

import io.hdfsraid.recency.ImageOrigin;
import io.hdfsraid.recency.NamespaceSources;
import io.hdfsraid.recency.editlog.EditBatch;
import io.hdfsraid.recency.editlog.EditLog;
import io.hdfsraid.recency.listing.DirectoryListing;
import io.hdfsraid.recency.listing.FileLookup;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.source.AccessTimeSetting;
import io.hdfsraid.recency.source.ProbeRead;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A namespace that nobody looks into: what is raided here is said, not found. */
final class UnreadNamespace implements NamespaceSources {
  private static IOException unread() {
    return new IOException("No policies here, and no listings");
  }

  @Override
  public DirectoryListing directories() {
    return new DirectoryListing() {
      @Override
      public void read(Visitor visitor) throws IOException {
        throw unread();
      }

      @Override
      public void read(List<String> parentsFirst, Visitor visitor) throws IOException {
        throw unread();
      }
    };
  }

  @Override
  public FileLookup files() {
    return new FileLookup() {
      @Override
      public Optional<Inode.File> find(long inode) throws IOException {
        throw unread();
      }

      @Override
      public Optional<Inode.File> find(String path) throws IOException {
        throw unread();
      }
    };
  }

  @Override
  public AccessTimeSetting accessTimes() {
    return () -> {
      throw unread();
    };
  }

  @Override
  public EditLog editLog() {
    return new EditLog() {
      @Override
      public long newest() throws IOException {
        throw unread();
      }

      @Override
      public EditBatch after(long transaction) throws IOException {
        throw unread();
      }
    };
  }

  @Override
  public ProbeRead ownReads() {
    return () -> {
      throw unread();
    };
  }

  @Override
  public Image image(Path folder, ImageOrigin origin) throws IOException {
    throw unread();
  }
}
