// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.Inode.Snapshots;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The image of a real NameNode tells what its clients see, however it is written. */
@Tag("full")
class FsImageOfHdfsTest {
  private static final String COMPRESS = "dfs.image.compress";
  private static final String CODEC = "dfs.image.compression.codec";
  private static final Map<String, String> IN_PIECES =
      Map.of(
          "dfs.image.parallel.load", "true",
          "dfs.image.parallel.target.sections", "3",
          "dfs.image.parallel.inode.threshold", "1");

  private static final Map<String, String> DEFLATED =
      Map.of(COMPRESS, "true", CODEC, "org.apache.hadoop.io.compress.DefaultCodec");
  private static final Map<String, String> GZIPPED =
      Map.of(COMPRESS, "true", CODEC, "org.apache.hadoop.io.compress.GzipCodec");

  static final List<Map<String, String>> SETTINGS = List.of(Map.of(), joined(IN_PIECES, GZIPPED));

  static final List<Map<String, String>> OTHER_SETTINGS =
      List.of(IN_PIECES, DEFLATED, GZIPPED, joined(IN_PIECES, DEFLATED));

  private static Map<String, String> joined(Map<String, String> one, Map<String, String> other) {
    Map<String, String> all = new TreeMap<>(one);
    all.putAll(other);
    return all;
  }

  @Tag("full")
  @ParameterizedTest
  @FieldSource("OTHER_SETTINGS")
  void anImageWrittenOtherwiseTellsTheSame(Map<String, String> settings) throws IOException {
    anImageTellsWhatClientsSee(settings);
  }

  @ParameterizedTest
  @FieldSource("SETTINGS")
  void anImageTellsWhatClientsSee(Map<String, String> settings) throws IOException {
    try (LivedInHdfs lived = new LivedInHdfs(settings)) {
      java.nio.file.Path file = lived.saveImage();
      assertThat(text(file).contains("INODE_SUB"))
          .as("written in pieces")
          .isEqualTo(settings.containsKey("dfs.image.parallel.load"));
      ReadImage image = ReadImage.of(file);

      Map<String, String> seen = new TreeMap<>();
      seen.put("", describe(lived.fs.getClient().getFileInfo("/"), 0));
      list(lived.fs, "", seen);
      Map<String, Inode> told = image.byPath();
      Map<String, String> described = new TreeMap<>();
      told.forEach((path, inode) -> described.put(path, describe(inode)));
      assertThat(described).isEqualTo(seen).hasSizeGreaterThan(80);

      assertThat(file.getFileName()).hasToString("fsimage_%019d".formatted(image.transaction()));
      assertThat(traits(told, "/open")).containsExactly(Trait.UNDER_CONSTRUCTION);
      assertThat(traits(told, "/striped/f")).containsExactly(Trait.STRIPED);
      assertThat(traits(told, "/zone/secret")).containsExactly(Trait.ENCRYPTED);
      assertThat(traits(told, "/hot")).isEmpty();
      assertThat(attributes(told, "/hot").storagePolicy()).isEqualTo(12);
      assertThat(((Inode.Directory) told.get("/cold")).storagePolicy()).isEqualTo(2);
      assertThat(image.marks())
          .containsOnly(
              Map.entry(
                  told.get("/.raid/parity").id(),
                  Map.of(
                      "user.raid.manifest.0", 16_000,
                      "user.raid.manifest.1", 3,
                      "user.raid.phase", 7)),
              Map.entry(told.get("/hot").id(), Map.of("user.raid.group", 4)));
      told.forEach(
          (path, inode) -> {
            if (inode instanceof Inode.Directory directory) {
              assertThat(directory.snapshots())
                  .as(path)
                  .isEqualTo(
                      switch (path) {
                        case "/snap/one" -> Snapshots.TAKEN;
                        case "/snap/never" -> Snapshots.NONE;
                        default -> Snapshots.FORBIDDEN;
                      });
            }
          });
      assertThat(image.inodes())
          .as("with what only snapshots hold")
          .hasSizeGreaterThan(told.size());
    }
  }

  private static String text(java.nio.file.Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }

  private static Set<Trait> traits(Map<String, Inode> told, String path) {
    return attributes(told, path).traits();
  }

  private static FileAttributes attributes(Map<String, Inode> told, String path) {
    return ((Inode.File) told.get(path)).attributes();
  }

  private static void list(DistributedFileSystem fs, String directory, Map<String, String> seen)
      throws IOException {
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    while (true) {
      DirectoryListing listing =
          fs.getClient().listPaths(directory.isEmpty() ? "/" : directory, after, true);
      for (HdfsFileStatus status : listing.getPartialListing()) {
        String path = directory + "/" + status.getLocalName();
        int blocks =
            status instanceof HdfsLocatedFileStatus located && located.getLocatedBlocks() != null
                ? located.getLocatedBlocks().locatedBlockCount()
                : 0;
        seen.put(path, describe(status, blocks));
        if (status.isDirectory()) {
          list(fs, path, seen);
        }
      }
      if (!listing.hasMore()) {
        return;
      }
      after = listing.getLastName();
    }
  }

  private static String describe(HdfsFileStatus status, int blocks) {
    if (status.isSymlink()) {
      return "link %d".formatted(status.getFileId());
    }
    if (status.isDirectory()) {
      return "directory %d %s:%s"
          .formatted(status.getFileId(), status.getOwner(), status.getGroup());
    }
    boolean striped = status.getErasureCodingPolicy() != null;
    return "file %d %s:%s length=%d blocks=%d of %d replication=%d modified=%d accessed=%d%s"
        .formatted(
            status.getFileId(),
            status.getOwner(),
            status.getGroup(),
            status.getLen(),
            blocks,
            status.getBlockSize(),
            striped ? 0 : status.getReplication(),
            status.getModificationTime(),
            status.getAccessTime(),
            flags(striped, status.getFileEncryptionInfo() != null));
  }

  private static Set<Trait> flags(boolean striped, boolean encrypted) {
    Set<Trait> flags = EnumSet.noneOf(Trait.class);
    if (striped) {
      flags.add(Trait.STRIPED);
    }
    if (encrypted) {
      flags.add(Trait.ENCRYPTED);
    }
    return flags;
  }

  private static String describe(Inode inode) {
    if (inode instanceof Inode.File file) {
      FileAttributes is = file.attributes();
      return "file %d %s:%s length=%d blocks=%d of %d replication=%d modified=%d accessed=%d%s"
          .formatted(
              file.id(),
              is.owner(),
              is.group(),
              is.length(),
              is.blocks(),
              is.blockSize(),
              is.replication(),
              is.modified(),
              is.accessed(),
              flags(is.traits().contains(Trait.STRIPED), is.traits().contains(Trait.ENCRYPTED)));
    }
    if (inode instanceof Inode.Directory directory) {
      return "directory %d %s:%s".formatted(directory.id(), directory.owner(), directory.group());
    }
    return "link %d".formatted(inode.id());
  }
}
