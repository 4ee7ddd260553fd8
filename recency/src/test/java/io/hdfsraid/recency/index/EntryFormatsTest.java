// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.recency.namespace.Inode.Snapshots;
import io.hdfsraid.recency.rocksdb.RecordReader;
import io.hdfsraid.recency.rocksdb.RecordWriter;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Golden bytes: who changes them changes the version, or the number of the whole format. */
class EntryFormatsTest {
  private static final SharedAttributes KIND =
      new SharedAttributes(
          128 << 20, 3, "hive", "hadoop", 0, Set.of(Trait.STRIPED, Trait.ENCRYPTED));

  @TempDir private Path folder;

  private static String hex(String text) {
    return hex(text.getBytes(UTF_8));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void aFileIsWrittenInFewBytes() {
    Generation generation = Generation.open(folder, Generation.KEPT);
    try {
      check(
          generation,
          new FileEntry(
              16_500,
              16_499,
              "part-0",
              1000,
              1,
              1_700_000_000_000L,
              1_700_000_000_000L,
              KIND,
              0,
              false,
              0,
              0),
          "20" + "02" + "00" + "80a0abfef962" + "e807" + hex("part-0"));
      check(
          generation,
          new FileEntry(
              -3,
              16_499,
              "x",
              300L << 20,
              5,
              1_700_000_000_000L,
              1_700_000_001_000L,
              KIND,
              2.5f,
              true,
              7,
              4),
          "3f"
              + "eb8102"
              + "00"
              + "80a0abfef962"
              + "d00f"
              + "8080809601"
              + "05"
              + "8005"
              + "07"
              + "04"
              + "78");
    } finally {
      generation.leave();
    }
  }

  private static void check(Generation generation, FileEntry file, String expected) {
    RecordWriter out = new RecordWriter();
    EntryFormats.write(file, generation.dictionary(), out);
    assertThat(hex(out.toBytes())).isEqualTo(expected);
    assertThat(generation.decodeFile(file.id(), out.toBytes())).isEqualTo(file);
    assertThatThrownBy(
            () ->
                EntryFormats.readFile(
                    1, new RecordReader(new byte[] {0x40}), generation.dictionary()))
        .hasMessage("expected version 1 of a record, but found 2");
  }

  @Test
  void theOthersAre() {
    DirectoryEntry directory =
        new DirectoryEntry(16_400, 16_385, "dt=1", "hive", "hadoop", 7, Snapshots.TAKEN);
    assertThat(hex(EntryFormats.encode(directory)))
        .isEqualTo(
            "01"
                + "828002"
                + "08"
                + hex("hive")
                + "0c"
                + hex("hadoop")
                + "07"
                + "02"
                + hex("dt=1"));
    assertThat(EntryFormats.readDirectory(16_400, new RecordReader(EntryFormats.encode(directory))))
        .isEqualTo(directory);
    LinkEntry link = new LinkEntry(16_401, -2, "l");
    assertThat(hex(EntryFormats.encode(link))).isEqualTo("01036c");
    assertThat(EntryFormats.readLink(16_401, new RecordReader(EntryFormats.encode(link))))
        .isEqualTo(link);
    assertThat(hex(AttributeDictionary.encode(KIND)))
        .isEqualTo(
            "01"
                + "80808040"
                + "03"
                + "08"
                + hex("hive")
                + "0c"
                + hex("hadoop")
                + "00"
                + "12"
                + hex("ENCRYPTED")
                + "0e"
                + hex("STRIPED"));
    assertThat(AttributeDictionary.decode(AttributeDictionary.encode(KIND))).isEqualTo(KIND);
    IndexCounters state = new IndexCounters(-1, 300, 2, -5, 3, 1);
    assertThat(hex(state.encode())).isEqualTo("0101ac0202090301");
    assertThat(IndexCounters.decode(state.encode())).isEqualTo(state);
    List<Child> children =
        List.of(new Child(16_400, Entry.Type.DIRECTORY), new Child(-1, Entry.Type.FILE));
    assertThat(hex(Child.encode(children))).isEqualTo("81810804");
    assertThat(Child.decode(Child.encode(children))).isEqualTo(children);
  }

  @Test
  void keysAreInTheOrderOfWhatTheyStandFor() {
    assertThat(hex(Keys.inode(-1))).isEqualTo("7fffffffffffffff");
    assertThat(hex(Keys.inode(16_385))).isEqualTo("8000000000004001");
    assertThat(hex(Keys.place(16_385, "part-0"))).isEqualTo("800000000000400165b75aaa");
    assertThat(hex(Keys.rank(1, 1_700_000_000_000L, 16_385)))
        .isEqualTo("000000018000018bcfe568008000000000004001");
    DeferredTask task = new DeferredTask(DeferredTask.Task.UNSKIP_FILES, 16_385);
    assertThat(hex(task.key())).isEqualTo("028000000000004001");
    assertThat(DeferredTask.ofKey(task.key())).isEqualTo(task);
  }
}
