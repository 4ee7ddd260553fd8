// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.hdfs;

import io.hdfsraid.recency.ImageOrigin;
import io.hdfsraid.recency.NamespaceSources;
import io.hdfsraid.recency.editlog.EditLog;
import io.hdfsraid.recency.fsimage.FsImage;
import io.hdfsraid.recency.listing.DirectoryListing;
import io.hdfsraid.recency.listing.FileLookup;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.source.AccessTimeSetting;
import io.hdfsraid.recency.source.ProbeRead;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The sources that an HDFS offers to its superuser. */
public final class HdfsNamespaceSources implements NamespaceSources {
  private final NamespaceListing listing;
  private final AccessTimeSetting accessTimes;
  private final EditLog editLog;
  private final ImageFetch images;
  private final ProbeRead ownReads;

  public HdfsNamespaceSources(
      DistributedFileSystem fs, Configuration conf, NamespaceListing listing, ProbeRead ownReads) {
    this.listing = listing;
    this.accessTimes = new NameNodeAccessTimeSetting(fs);
    this.editLog = new InotifyEditLog(fs);
    this.images = new ImageFetch(fs.getUri(), conf);
    this.ownReads = ownReads;
  }

  @Override
  public DirectoryListing directories() {
    return listing;
  }

  @Override
  public FileLookup files() {
    return listing;
  }

  @Override
  public AccessTimeSetting accessTimes() {
    return accessTimes;
  }

  @Override
  public EditLog editLog() {
    return editLog;
  }

  @Override
  public ProbeRead ownReads() {
    return ownReads;
  }

  @Override
  public Image image(Path folder, ImageOrigin origin) throws IOException {
    return FsImage.open(images.fetch(folder, origin, (latest, received, all) -> {}).file());
  }
}
