// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.recency.fsimage.FsImageWriter;
import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.Inode.Snapshots;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.tools.offlineImageViewer.OfflineImageViewerPB;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images that we write are such as Hadoop itself reads. */
class FsImageForHadoopTest {
  private static final long BLOCK = 1 << 20;

  @TempDir Path directory;

  @Test
  void hadoopsOwnViewerShowsWhatWasWritten() throws Exception {
    Path image = directory.resolve("fsimage_1");
    List<String> expected = new ArrayList<>();
    try (FsImageWriter writer = new FsImageWriter(image, 1)) {
      long id = Inode.ROOT;
      writer.inode(new Inode.Directory(id, "", "hdfs", "supergroup", 0, Snapshots.NONE));
      expected.add("/ 0 0 0 0 hdfs supergroup");
      for (int d = 0; d < 20; d++) {
        long in = ++id;
        Snapshots snapshots = d % 5 == 0 ? Snapshots.TAKEN : Snapshots.FORBIDDEN;
        writer.inode(
            new Inode.Directory(in, "größe " + d, "user" + d, "g", d % 2 == 0 ? 0 : 2, snapshots));
        writer.place(in, Inode.ROOT);
        expected.add("/größe %d 0 0 0 0 user%d g".formatted(d, d));
        for (int f = 0; f < 300; f++) {
          FileAttributes is = attributes(d, f);
          Inode.File file = new Inode.File(++id, "f" + f, is);
          if (f % 7 == 0) {
            writer.inode(file, Map.of("user.raid.group", new byte[] {'1'}));
          } else {
            writer.inode(file);
          }
          writer.place(id, in);
          expected.add(
              "/größe %d/f%d %d %d %d %d %s %s"
                  .formatted(
                      d,
                      f,
                      is.replication(),
                      is.blockSize(),
                      is.blocks(),
                      is.length(),
                      is.owner(),
                      is.group()));
        }
      }
      writer.inode(new Inode.Symlink(++id, "link"));
      writer.place(id, Inode.ROOT);
      expected.add("/link 0 0 0 0 hdfs hdfs");
      writer.finish();
    }

    Path shown = directory.resolve("shown");
    int status =
        OfflineImageViewerPB.run(
            new String[] {"-p", "Delimited", "-i", image.toString(), "-o", shown.toString()});

    assertThat(status).isZero();
    Set<String> lines = new TreeSet<>();
    for (String line : Files.readAllLines(shown)) {
      String[] columns = line.split("\t", -1);
      lines.add(
          String.join(
              " ",
              columns[0],
              columns[1],
              columns[4],
              columns[5],
              columns[6],
              columns[10],
              columns[11]));
    }
    expected.add("Path Replication PreferredBlockSize BlocksCount FileSize UserName GroupName");
    assertThat(lines).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static FileAttributes attributes(int directory, int file) {
    boolean striped = file % 11 == 0;
    long length = (long) directory * file * 4_096;
    int blocks = Math.toIntExact((length + BLOCK - 1) / BLOCK);
    return new FileAttributes(
        length,
        BLOCK,
        length > 0 && striped ? 1 : blocks,
        striped ? 0 : 1 + file % 3,
        1_700_000_000_000L,
        0,
        "owner" + file % 5,
        "group" + directory % 3,
        0,
        striped ? Set.of(Trait.STRIPED) : Set.of());
  }
}
