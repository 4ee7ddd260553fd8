// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.contract;

import io.hdfsraid.drfs.fs.RaidFs;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FilterFs;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.impl.OpenFileParameters;

/** The same for {@code FileContext}. */
public final class DamagedFs extends FilterFs {
  /** Called by Hadoop, by reflection. */
  public DamagedFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(new RaidFs(uri, conf));
  }

  @Override
  public FSDataInputStream open(Path path) throws IOException {
    DamagedFileSystem.damage(getUriPath(path));
    return super.open(path);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    DamagedFileSystem.damage(getUriPath(path));
    return super.open(path, bufferSize);
  }

  @Override
  public CompletableFuture<FSDataInputStream> openFileWithOptions(
      Path path, OpenFileParameters parameters) throws IOException {
    DamagedFileSystem.damage(getUriPath(path));
    return super.openFileWithOptions(path, parameters);
  }
}
