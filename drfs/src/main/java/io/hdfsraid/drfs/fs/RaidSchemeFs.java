package io.hdfsraid.drfs.fs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;

/**
 * The {@link DistributedRaidFileSystem} for {@code FileContext} and paths with the scheme {@code
 * raid}. Enabled by {@code fs.AbstractFileSystem.raid.impl}. It has no more than Hadoop's {@link
 * DelegateToFileSystem}: no ACLs, extended attributes and snapshots, and a rename that overwrites
 * is not atomic. {@link RaidFs} has all of that for paths with the scheme {@code hdfs}.
 */
public final class RaidSchemeFs extends DelegateToFileSystem {

  /** Called by Hadoop, by reflection. */
  public RaidSchemeFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(uri, new DistributedRaidFileSystem(), conf, uri.getScheme(), true);
  }
}
