// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import io.hdfsraid.recency.editlog.EditLog;
import io.hdfsraid.recency.listing.DirectoryListing;
import io.hdfsraid.recency.listing.FileLookup;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.source.AccessTimeSetting;
import io.hdfsraid.recency.source.ProbeRead;
import java.io.IOException;
import java.nio.file.Path;

/** The sources of one cluster from which the index is built. */
public interface NamespaceSources {
  /** Returns the listing of its directories. */
  DirectoryListing directories();

  /** Returns look-ups of single files. */
  FileLookup files();

  /** Returns how the NameNode records access times. */
  AccessTimeSetting accessTimes();

  /** Returns the edit log. */
  EditLog editLog();

  /** Returns a read that must appear in the audit log. */
  ProbeRead ownReads();

  /**
   * Fetches the latest image.
   *
   * @param folder the folder for the image; the caller removes it
   * @param origin which NameNode is to send it
   * @throws IOException if the image cannot be fetched or is damaged
   */
  Image image(Path folder, ImageOrigin origin) throws IOException;
}
