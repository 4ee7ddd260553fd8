package io.hdfsraid.tests.simulation;

import io.hdfsraid.raidnode.namespace.DirectoryListing;
import io.hdfsraid.raidnode.namespace.Image;
import io.hdfsraid.raidnode.recency.AccessTimes;
import io.hdfsraid.raidnode.recency.EditLog;
import io.hdfsraid.raidnode.recency.Edits;
import io.hdfsraid.raidnode.recency.NamespaceSources;
import io.hdfsraid.raidnode.recency.ReadLocality;
import io.hdfsraid.raidnode.recency.source.OwnReads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

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
  public AccessTimes accessTimes() {
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
      public Edits after(long transaction) throws IOException {
        throw unread();
      }
    };
  }

  @Override
  public OwnReads ownReads() {
    return () -> {
      throw unread();
    };
  }

  @Override
  public ReadLocality readLocality() {
    return (inode, readers) -> {
      throw unread();
    };
  }

  @Override
  public Image image(Path folder) throws IOException {
    throw unread();
  }
}
