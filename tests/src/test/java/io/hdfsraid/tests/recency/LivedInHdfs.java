// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/** A real HDFS in which has been done most of what can be done to a namespace. */
final class LivedInHdfs implements AutoCloseable {
  static final int BLOCK = 1 << 20;
  static final String KEY = "key";

  final EmbeddedHdfs hdfs;
  final DistributedFileSystem fs;
  private final java.nio.file.Path keys;
  private final FSDataOutputStream open;

  /** With these settings of the NameNode. */
  LivedInHdfs(Map<String, String> settings) throws IOException {
    keys = Files.createTempDirectory("lived-in-keys-");
    String store = "jceks://file" + keys.resolve("keys.jceks");
    makeKey(store);
    EmbeddedHdfs.Builder builder =
        EmbeddedHdfs.builder()
            .dataNodes(3)
            .blockSize(BLOCK)
            .set("hadoop.security.key.provider.path", store);
    settings.forEach(builder::set);
    hdfs = builder.start();
    fs = hdfs.fileSystem();
    FileSystem.enableSymlinks();
    plain();
    policies();
    snapshots();
    open = fs.create(new Path("/open"));
    open.write(new byte[BLOCK + 100]);
    ((HdfsDataOutputStream) open).hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
  }

  private static void makeKey(String store) throws IOException {
    Configuration conf = new Configuration();
    conf.set("hadoop.security.key.provider.path", store);
    try (KeyProvider provider = KeyProviderFactory.getProviders(conf).get(0)) {
      provider.createKey(KEY, KeyProvider.options(conf));
      provider.flush();
    } catch (NoSuchAlgorithmException e) {
      throw new IOException(e);
    }
  }

  private void plain() throws IOException {
    write("/a/file of three blocks", 2 * BLOCK + 7);
    write("/a/whole blocks", 2 * BLOCK);
    write("/a/empty", 0);
    write("/a/größe 大きさ 📦 \uFFFD %2F \"quoted\"", 3);
    write("/a/" + "n".repeat(255), 4);
    write("/a/renamed before", 5);
    mkdir("/b/c/d");
    boolean renamed = fs.rename(new Path("/a/renamed before"), new Path("/b/c/renamed after"));
    fs.setReplication(new Path("/a/whole blocks"), (short) 2);
    fs.setOwner(new Path("/a/whole blocks"), "alice", "analysts");
    fs.setOwner(new Path("/b/c"), "bob", "étage");
    fs.setPermission(new Path("/b/c"), new FsPermission("1777"));
    fs.setTimes(new Path("/a/empty"), 1_000, 0);
    fs.modifyAclEntries(new Path("/a"), AclEntry.parseAclSpec("user:carol:rwx", true));
    fs.createSymlink(new Path("/a/empty"), new Path("/b/link"), false);
    for (int i = 0; i < 3; i++) {
      write("/concat/part" + i, BLOCK + i);
    }
    fs.concat(
        new Path("/concat/part0"),
        new Path[] {new Path("/concat/part1"), new Path("/concat/part2")});
    write("/truncated", 2 * BLOCK);
    boolean done = fs.truncate(new Path("/truncated"), BLOCK);
    write("/overwritten", 1);
    write("/overwritten", 2);
    write("/deleted", 1);
    boolean deleted = fs.delete(new Path("/deleted"), false);
    if (!renamed || !done || !deleted) {
      throw new IOException("%s %s %s".formatted(renamed, done, deleted));
    }
    for (int i = 0; i < 40; i++) {
      write("/many/in" + i % 4 + "/f" + i, i);
    }
  }

  private void policies() throws IOException {
    mkdir("/quota");
    fs.setQuota(new Path("/quota"), 100, HdfsConstants.QUOTA_DONT_SET);
    fs.setQuotaByStorageType(new Path("/quota"), StorageType.SSD, 1L << 40);
    write("/quota/f", 9);
    mkdir("/cold");
    fs.setStoragePolicy(new Path("/cold"), "COLD");
    write("/hot", 10);
    fs.setStoragePolicy(new Path("/hot"), "ALL_SSD");
    mkdir("/striped");
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.setErasureCodingPolicy(new Path("/striped"), "XOR-2-1-1024k");
    write("/striped/f", BLOCK + 11);
    write("/striped/longer", 5 * BLOCK + 12);
    mkdir("/zone");
    new HdfsAdmin(hdfs.uri(), hdfs.configuration())
        .createEncryptionZone(
            new Path("/zone"), KEY, EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
    write("/zone/secret", 12);
    write("/.raid/parity", BLOCK);
    fs.setXAttr(
        new Path("/.raid/parity"), "user.raid.manifest.0", "M".repeat(16_000).getBytes(US_ASCII));
    fs.setXAttr(new Path("/.raid/parity"), "user.raid.manifest.1", "end".getBytes(US_ASCII));
    fs.setXAttr(new Path("/.raid/parity"), "user.raid.phase", "reduced".getBytes(US_ASCII));
    fs.setXAttr(new Path("/hot"), "user.raid.group", "4711".getBytes(US_ASCII));
    fs.setXAttr(new Path("/hot"), "user.other", "of somebody else".getBytes(US_ASCII));
    fs.setXAttr(new Path("/hot"), "trusted.other", "of root".getBytes(US_ASCII));
  }

  private static final java.nio.charset.Charset US_ASCII = StandardCharsets.US_ASCII;

  private void snapshots() throws IOException {
    mkdir("/snap/never");
    fs.allowSnapshot(new Path("/snap/never"));
    for (String name : new String[] {"kept", "deleted", "moved", "moved and back", "appended"}) {
      write("/snap/one/" + name, 20);
    }
    write("/snap/one/gone/below/file", 21);
    write("/snap/one/directory/file", 22);
    write("/snap/one/directory/other", 23);
    write("/snap/one/left/file", 24);
    fs.allowSnapshot(new Path("/snap/one"));
    Path first = fs.createSnapshot(new Path("/snap/one"), "first");
    boolean done =
        fs.delete(new Path("/snap/one/deleted"), false)
            && fs.delete(new Path("/snap/one/gone"), true)
            && fs.rename(new Path("/snap/one/moved"), new Path("/a/moved out"))
            && fs.rename(new Path("/snap/one/moved and back"), new Path("/a/there"))
            && fs.rename(new Path("/a/there"), new Path("/snap/one/back under another name"))
            && fs.rename(new Path("/snap/one/directory"), new Path("/snap/one/directory2"))
            && fs.rename(new Path("/snap/one/left"), new Path("/b/left"))
            && fs.delete(new Path("/snap/one/directory2/file"), false);
    try (FSDataOutputStream more = fs.append(new Path("/snap/one/appended"))) {
      more.write(new byte[30]);
    }
    write("/snap/one/after", 25);
    Path second = fs.createSnapshot(new Path("/snap/one"), "second");
    done &= fs.delete(new Path("/snap/one/after"), false);
    done &= fs.delete(new Path("/b/left"), true);
    if (!done) {
      throw new IOException("after %s and %s".formatted(first, second));
    }
  }

  private void mkdir(String path) throws IOException {
    if (!fs.mkdirs(new Path(path))) {
      throw new IOException(path);
    }
  }

  private void write(String path, int length) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path))) {
      out.write(new byte[length]);
    }
  }

  /** Has the NameNode write an image; returns the file it has written. */
  java.nio.file.Path saveImage() throws IOException {
    boolean entered = fs.setSafeMode(SafeModeAction.ENTER);
    boolean saved = fs.saveNamespace(0, 0);
    boolean left = !fs.setSafeMode(SafeModeAction.LEAVE);
    if (!entered || !saved || !left) {
      throw new IOException("%s %s %s".formatted(entered, saved, left));
    }
    try (Stream<java.nio.file.Path> files = Files.walk(hdfs.directory())) {
      return files
          .filter(file -> file.getFileName().toString().matches("fsimage_\\d+"))
          .max(Comparator.comparing(file -> file.getFileName().toString()))
          .orElseThrow();
    }
  }

  @Override
  public void close() {
    try {
      open.close();
      hdfs.close();
      Files.delete(keys.resolve("keys.jceks"));
      Files.deleteIfExists(keys.resolve(".keys.jceks.crc"));
      Files.delete(keys);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
