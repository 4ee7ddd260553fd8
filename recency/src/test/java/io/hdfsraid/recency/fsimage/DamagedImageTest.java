// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A damaged image leads to an error that says where, or to what the image has told before it was
 * damaged; or, of a plain image without an MD5 sum, to what can be told of the bytes that were
 * touched: see {@link #requireDifferencesOnlyWhereTouched}.
 */
class DamagedImageTest {
  private static final int RUNS = 3_000;
  private static final int MANY_RUNS = 200_000;

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("fsimage_0000000000000004711");
  }

  private Path image(Consumer<Image.Visitor> namespace) throws IOException {
    try (FsImageWriter writer = new FsImageWriter(file, Samples.TRANSACTION)) {
      namespace.accept(writer);
      writer.finish();
    }
    return file;
  }

  @Test
  void aPlainImageNeverTellsMoreWrongThanWhatWasTouched() throws IOException {
    fuzz(RUNS, Samples::everything);
    fuzz(RUNS, plain -> Samples.plain(plain, 3, 40));
  }

  @Test
  @Tag("full")
  void aPlainImageNeverTellsMoreWrongThanWhatWasTouchedInManyRuns() throws IOException {
    fuzz(MANY_RUNS, Samples::everything);
    fuzz(MANY_RUNS, plain -> Samples.plain(plain, 3, 40));
  }

  private void fuzz(int runs, Consumer<Image.Visitor> namespace) throws IOException {
    byte[] image = Files.readAllBytes(image(namespace));
    RecordingVisitor whole = RecordingVisitor.by(FsImage.open(file));
    List<ImageSection> sections = sections();
    int noticed = 0;
    for (long seed = 0; seed < runs; seed++) {
      Random random = new Random(seed);
      Damage damage = Damage.any(random);
      Damage.Damaged damaged = damage.of(image, random);
      damaged.write(file);
      String run =
          "seed %d: %s of bytes %d to %d".formatted(seed, damage, damaged.from(), damaged.to());
      Optional<RecordingVisitor> told = told(run);
      if (told.isEmpty()) {
        noticed++;
      } else {
        requireDifferencesOnlyWhereTouched(run, whole, told.get(), sections, damaged);
      }
    }
    assertThat(noticed).as("runs of %d that ended in an error", runs).isGreaterThan(runs / 2);
  }

  private List<ImageSection> sections() throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return List.copyOf(ImageSummary.of(file, channel).sections().values());
    }
  }

  /** Empty when the damage was noticed. */
  private Optional<RecordingVisitor> told(String run) {
    try {
      return Optional.of(RecordingVisitor.by(FsImage.open(file)));
    } catch (DamagedImageException e) {
      assertThat(e)
          .as(run)
          .hasMessageContaining(file.toString())
          .hasMessageMatching("(?s).*(offset|cannot be read|section).*");
      return Optional.empty();
    } catch (IOException | RuntimeException | Error e) {
      throw new AssertionError(run, e);
    }
  }

  /**
   * What the format cannot know: of inodes, as many may differ as the touched range has; of places
   * those that it has; of strings, the owners and marks; of snapshots, which directories have some.
   * The rest is as it was.
   */
  private static void requireDifferencesOnlyWhereTouched(
      String run,
      RecordingVisitor whole,
      RecordingVisitor told,
      List<ImageSection> sections,
      Damage.Damaged damaged) {
    Set<String> touched = new HashSet<>();
    for (ImageSection section : sections) {
      if (section.offset() < damaged.to() && section.end() > damaged.from()) {
        touched.add(section.name());
      }
    }
    assertThat(told.inodes()).as(run).hasSameSizeAs(whole.inodes());
    assertThat(told.inodes().keySet()).as(run).containsAll(told.places().keySet());
    assertThat(told.inodes().keySet()).as(run).containsAll(told.places().values());
    if (!touched.contains(ImageSection.DIRECTORIES) && !touched.contains(ImageSection.REFERENCES)) {
      assertThat(told.places()).as(run).isEqualTo(whole.places());
    }
    if (!touched.contains(ImageSection.INODES)
        && !touched.contains(ImageSection.STRINGS)
        && !touched.contains(ImageSection.SNAPSHOTS)) {
      assertThat(told.inodes()).as(run).isEqualTo(whole.inodes());
      assertThat(told.marks()).as(run).isEqualTo(whole.marks());
    }
    if (touched.equals(Set.of(ImageSection.INODES))) {
      // The shortest inode here has 40 bytes: one of two neighbours at each end of the range.
      int most = 2 + (damaged.to() - damaged.from()) / 40;
      long different =
          whole.inodes().entrySet().stream()
              .filter(one -> !Objects.equals(told.inodes().get(one.getKey()), one.getValue()))
              .count();
      assertThat(different).as(run).isLessThanOrEqualTo(most);
    }
    if (touched.equals(Set.of(ImageSection.STRINGS))) {
      whole
          .inodes()
          .forEach(
              (id, inode) ->
                  assertThat(told.inodes().get(id).name()).as(run).isEqualTo(inode.name()));
    }
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void withItsSumBesideItNothingWrongIsEverTold(Damage damage) throws IOException {
    byte[] image = Files.readAllBytes(image(Samples::everything));
    ImageDigest.of(file).writeBeside(file);
    RecordingVisitor whole = RecordingVisitor.by(FsImage.open(file));
    for (long seed = 0; seed < 200; seed++) {
      Damage.Damaged damaged = damage.of(image, new Random(seed));
      damaged.write(file);
      String run =
          "seed %d: %s of bytes %d to %d".formatted(seed, damage, damaged.from(), damaged.to());
      Optional<RecordingVisitor> told = told(run);
      assertThat(told.isPresent()).as(run).isEqualTo(damaged.isSameAs(image));
      told.ifPresent(same -> assertThat(same).as(run).isEqualTo(whole));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"ZLIB", "GZIP"})
  void aCompressedImageIsReadOrDamagedButNeverWrong(Compression compression) throws IOException {
    RecordingVisitor whole = RecordingVisitor.by(FsImage.open(image(Samples::everything)));
    byte[] image = Repacked.of(Files.readAllBytes(file), compression);
    Files.write(file, image);
    assertThat(RecordingVisitor.by(FsImage.open(file))).isEqualTo(whole);
    int noticed = 0;
    for (long seed = 0; seed < RUNS; seed++) {
      Random random = new Random(seed);
      Damage damage = Damage.any(random);
      Damage.Damaged damaged = damage.of(image, random);
      damaged.write(file);
      String run =
          "seed %d: %s of bytes %d to %d".formatted(seed, damage, damaged.from(), damaged.to());
      Optional<RecordingVisitor> told = told(run);
      noticed += told.isEmpty() ? 1 : 0;
      told.ifPresent(same -> assertThat(same).as(run).isEqualTo(whole));
    }
    assertThat(noticed).isGreaterThan(RUNS / 2);
  }

  @Test
  void whatIsNoImageOfTheseDaysIsNamed() throws IOException {
    refused(new byte[0], "it is empty");
    refused(
        "HDFS".getBytes(StandardCharsets.US_ASCII),
        "begins with HDFSIMG1, but this file with HDFS");
    refused("HDFSIMG1".getBytes(StandardCharsets.US_ASCII), "ends there without a summary");
    refused(
        new byte[] {-1, -1, -1, -47, 0, 0, 0, 0, 0, 0},
        "layout version -47, which is older than HDFS 2.4");
    refused(
        "Not found, says the proxy".getBytes(StandardCharsets.US_ASCII),
        "but this file with Not foun");
    assertThatThrownBy(() -> FsImage.open(directory.resolve("none")))
        .isInstanceOf(IOException.class);
  }

  private void refused(byte[] bytes, String why) throws IOException {
    Files.write(file, bytes);
    assertThatThrownBy(() -> FsImage.open(file))
        .isInstanceOf(DamagedImageException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(why);
  }

  @Test
  void aCodecThatCannotBeReadIsNamedWithThoseThatCan() throws IOException {
    byte[] image = Files.readAllBytes(image(Samples::everything));
    Files.write(file, Repacked.named(image, "org.apache.hadoop.io.compress.SnappyCodec"));
    assertThatThrownBy(() -> FsImage.open(file))
        .isInstanceOf(DamagedImageException.class)
        .hasMessageContaining("compressed by 'org.apache.hadoop.io.compress.SnappyCodec'")
        .hasMessageContaining("org.apache.hadoop.io.compress.DefaultCodec")
        .hasMessageContaining("dfs.image.compression.codec");
  }

  @Test
  void aStringThatDoesNotExistIsNamedWithThePlace() throws IOException {
    byte[] image = Files.readAllBytes(image(Samples::everything));
    Files.write(
        file,
        Repacked.without(
            image, ImageSection.STRINGS, new MessageWriter().number(1, 0).number(2, 3)));
    assertThatThrownBy(() -> RecordingVisitor.by(FsImage.open(file)))
        .isInstanceOf(DamagedImageException.class)
        .hasMessageMatching("(?s).*section INODE, offset \\d+: user 1 is meant.*STRING_TABLE.*");
  }

  @Test
  void aChildThatIsNoInodeIsNamedWithThePlace() throws IOException {
    long root = Inode.ROOT;
    image(
        image -> {
          Samples.plain(image, 2, 2);
          image.place(root + 1_000, root);
        });
    assertThatThrownBy(() -> RecordingVisitor.by(FsImage.open(file)))
        .isInstanceOf(DamagedImageException.class)
        .hasMessageMatching(
            "(?s).*section INODE_DIR, offset \\d+: 17385 is .*no inode of.*INODE.*");
  }

  @Test
  void aChildOfTwoDirectoriesIsNamedWithThePlace() throws IOException {
    image(
        image -> {
          Samples.plain(image, 2, 2);
          image.place(Inode.ROOT + 2, Inode.ROOT);
        });
    assertThatThrownBy(() -> RecordingVisitor.by(FsImage.open(file)))
        .isInstanceOf(DamagedImageException.class)
        .hasMessageContaining("inode 16387 cannot be in directory 16385");
  }

  @Test
  void aChildThatIsMissingIsNoticedUnlessTheSumSaysThatHdfsWroteIt() throws IOException {
    image(
        image ->
            Samples.plain(
                new Image.Visitor() {
                  @Override
                  public void inode(Inode inode) {
                    image.inode(inode);
                  }

                  @Override
                  public void place(long child, long parent) {
                    if (child != Inode.ROOT + 3) {
                      image.place(child, parent);
                    }
                  }
                },
                2,
                2));
    assertThatThrownBy(() -> RecordingVisitor.by(FsImage.open(file)))
        .isInstanceOf(DamagedImageException.class)
        .hasMessageContaining("1 of 7 inodes are in no directory");
    ImageDigest.of(file).writeBeside(file);
    assertThat(RecordingVisitor.by(FsImage.open(file)).places()).hasSize(5);
  }

  @Test
  void theSumBesideItMustBeOfThisImage() throws IOException {
    image(Samples::everything);
    Path beside = directory.resolve(file.getFileName() + ".md5");
    for (String text :
        List.of(
            "", "x", "0".repeat(32) + " *fsimage_1", "0".repeat(31) + " *" + file.getFileName())) {
      Files.writeString(beside, text);
      assertThatThrownBy(() -> RecordingVisitor.by(FsImage.open(file)))
          .as(text)
          .isInstanceOf(DamagedImageException.class)
          .hasMessageContaining(beside.toString());
    }
    Files.writeString(beside, "0".repeat(32) + " *" + file.getFileName());
    assertThatThrownBy(() -> RecordingVisitor.by(FsImage.open(file)))
        .isInstanceOf(DamagedImageException.class)
        .hasMessageContaining("its MD5 sum is " + ImageDigest.of(file).hex());
  }

  @Test
  void whatALaterHdfsAddsIsPassedBy() throws IOException {
    RecordingVisitor whole = RecordingVisitor.by(FsImage.open(image(Samples::everything)));
    byte[] image =
        Repacked.ofLayout(
            Files.readAllBytes(file),
            ImageSummary.KNOWN_LAYOUT - 1,
            Map.of("NOVELTY", new byte[] {1, 2, 3}));
    Files.write(file, image);
    assertThat(RecordingVisitor.by(FsImage.open(file))).isEqualTo(whole);
  }
}
