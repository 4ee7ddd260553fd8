package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.namespace.DirectoryListing;
import io.hdfsraid.raidnode.namespace.Image;
import io.hdfsraid.raidnode.recency.source.OwnReads;
import java.io.IOException;
import java.nio.file.Path;

/** All that a cluster tells of its namespace. */
public interface NamespaceSources {
  /** Every directory of it. */
  DirectoryListing directories();

  /** How it records access times. */
  AccessTimes accessTimes();

  /** Its changes, one after another. */
  EditLog editLog();

  /** Reads of ours that its NameNode tells of. */
  OwnReads ownReads();

  /** How far its files are from their readers. */
  ReadLocality readLocality();

  /**
   * Its latest image.
   *
   * @param folder where it is to be kept; the caller removes it
   * @throws IOException when it cannot be had or is damaged
   */
  Image image(Path folder) throws IOException;
}
