// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;

/**
 * The {@link DistributedRaidFileSystem} for {@code FileContext} and paths with the scheme {@code
 * raid}. Enabled by {@code fs.AbstractFileSystem.raid.impl}. Passes on what Hadoop's {@link
 * DelegateToFileSystem} does not, or does in a weaker way than HDFS.
 */
public final class RaidSchemeFs extends DelegateToFileSystem {
  private final DistributedRaidFileSystem raid;

  /** Called by Hadoop, by reflection. */
  public RaidSchemeFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    this(uri, new DistributedRaidFileSystem(), conf);
  }

  private RaidSchemeFs(URI uri, DistributedRaidFileSystem raid, Configuration conf)
      throws IOException, URISyntaxException {
    super(uri, raid, conf, uri.getScheme(), true);
    this.raid = raid;
  }

  /** In one step, also if it overwrites: the target is never missing. */
  @Override
  public void renameInternal(Path from, Path to, boolean overwrite) throws IOException {
    raid.rename(from, to, overwrite ? Options.Rename.OVERWRITE : Options.Rename.NONE);
  }

  @Override
  public void access(Path path, FsAction action) throws IOException {
    raid.access(path, action);
  }

  @Override
  public void msync() throws IOException {
    raid.msync();
  }

  @Override
  public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
    return raid.listStatusIterator(path);
  }

  @Override
  public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
    return raid.listLocatedStatus(path);
  }

  @Override
  public RemoteIterator<Path> listCorruptFileBlocks(Path path) throws IOException {
    return raid.listCorruptFileBlocks(path);
  }

  @Override
  public void modifyAclEntries(Path path, List<AclEntry> entries) throws IOException {
    raid.modifyAclEntries(path, entries);
  }

  @Override
  public void removeAclEntries(Path path, List<AclEntry> entries) throws IOException {
    raid.removeAclEntries(path, entries);
  }

  @Override
  public void removeDefaultAcl(Path path) throws IOException {
    raid.removeDefaultAcl(path);
  }

  @Override
  public void removeAcl(Path path) throws IOException {
    raid.removeAcl(path);
  }

  @Override
  public void setAcl(Path path, List<AclEntry> entries) throws IOException {
    raid.setAcl(path, entries);
  }

  @Override
  public AclStatus getAclStatus(Path path) throws IOException {
    return raid.getAclStatus(path);
  }

  @Override
  public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flags)
      throws IOException {
    raid.setXAttr(path, name, value, flags);
  }

  @Override
  public byte[] getXAttr(Path path, String name) throws IOException {
    return raid.getXAttr(path, name);
  }

  @Override
  public Map<String, byte[]> getXAttrs(Path path) throws IOException {
    return raid.getXAttrs(path);
  }

  @Override
  public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
    return raid.getXAttrs(path, names);
  }

  @Override
  public List<String> listXAttrs(Path path) throws IOException {
    return raid.listXAttrs(path);
  }

  @Override
  public void removeXAttr(Path path, String name) throws IOException {
    raid.removeXAttr(path, name);
  }

  @Override
  public Path createSnapshot(Path path, String snapshot) throws IOException {
    return raid.createSnapshot(path, snapshot);
  }

  @Override
  public void renameSnapshot(Path path, String snapshot, String to) throws IOException {
    raid.renameSnapshot(path, snapshot, to);
  }

  @Override
  public void deleteSnapshot(Path path, String snapshot) throws IOException {
    raid.deleteSnapshot(path, snapshot);
  }

  @Override
  public void satisfyStoragePolicy(Path path) throws IOException {
    raid.satisfyStoragePolicy(path);
  }

  @Override
  public void setStoragePolicy(Path path, String policy) throws IOException {
    raid.setStoragePolicy(path, policy);
  }

  @Override
  public void unsetStoragePolicy(Path path) throws IOException {
    raid.unsetStoragePolicy(path);
  }

  @Override
  public BlockStoragePolicySpi getStoragePolicy(Path path) throws IOException {
    return raid.getStoragePolicy(path);
  }

  @Override
  public Collection<? extends BlockStoragePolicySpi> getAllStoragePolicies() throws IOException {
    return raid.getAllStoragePolicies();
  }
}
