package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.raidnode.fsimage.FsImage;
import io.hdfsraid.raidnode.namespace.DirectoryListing;
import io.hdfsraid.raidnode.namespace.Image;
import io.hdfsraid.raidnode.recency.AccessTimes;
import io.hdfsraid.raidnode.recency.EditLog;
import io.hdfsraid.raidnode.recency.NamespaceSources;
import io.hdfsraid.raidnode.recency.ReadLocality;
import io.hdfsraid.raidnode.recency.ReplicaLocality;
import io.hdfsraid.raidnode.recency.source.OwnReads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** What an HDFS tells of its namespace to its superuser. */
final class HdfsNamespaceSources implements NamespaceSources {
  private final DirectoryListing directories;
  private final AccessTimes accessTimes;
  private final EditLog editLog;
  private final ImageFetch images;
  private final OwnReads ownReads;
  private final ReadLocality readLocality;

  HdfsNamespaceSources(
      DistributedFileSystem fs,
      Configuration conf,
      DirectoryListing directories,
      Namespace namespace,
      String root,
      Clock clock) {
    this.directories = directories;
    this.accessTimes = new NameNodeAccessTimes(fs);
    this.editLog = new InotifyEditLog(fs);
    this.images = new ImageFetch(fs.getUri(), conf);
    this.ownReads = () -> OwnerFile.leaveTrace(fs, root);
    this.readLocality = new ReplicaLocality(namespace, clock);
  }

  @Override
  public DirectoryListing directories() {
    return directories;
  }

  @Override
  public AccessTimes accessTimes() {
    return accessTimes;
  }

  @Override
  public EditLog editLog() {
    return editLog;
  }

  @Override
  public OwnReads ownReads() {
    return ownReads;
  }

  @Override
  public ReadLocality readLocality() {
    return readLocality;
  }

  @Override
  public Image image(Path folder) throws IOException {
    return FsImage.open(images.fetch(folder, (latest, received, all) -> {}).file());
  }
}
