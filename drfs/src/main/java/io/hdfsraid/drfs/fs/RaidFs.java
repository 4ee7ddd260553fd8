package io.hdfsraid.drfs.fs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;

/**
 * The {@link DistributedRaidFileSystem} for {@code FileContext}. Enabled by {@code
 * fs.AbstractFileSystem.hdfs.impl} or {@code fs.AbstractFileSystem.raid.impl}.
 */
public final class RaidFs extends DelegateToFileSystem {

  /** Called by Hadoop, by reflection. */
  public RaidFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(uri, new DistributedRaidFileSystem(), conf, uri.getScheme(), true);
  }
}
