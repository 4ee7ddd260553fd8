// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FsImageTest {
  @TempDir Path directory;

  private Path image(Consumer<Image.Visitor> namespace) throws IOException {
    Path file = directory.resolve("fsimage_0000000000000004711");
    try (FsImageWriter writer = new FsImageWriter(file, Samples.TRANSACTION)) {
      namespace.accept(writer);
      writer.finish();
    }
    return file;
  }

  @Test
  void everythingThatIsWrittenIsToldAgain() throws IOException {
    FsImage image = FsImage.open(image(Samples::everything));
    RecordingVisitor told = RecordingVisitor.by(image);
    Map<Long, Inode> inodes = new TreeMap<>();
    Map<Long, Long> places = new TreeMap<>();
    Samples.everything(
        new Image.Visitor() {
          @Override
          public void inode(Inode inode) {
            inodes.put(inode.id(), inode);
          }

          @Override
          public void place(long child, long parent) {
            places.put(child, parent);
          }
        });
    assertThat(told.inodes()).isEqualTo(inodes);
    assertThat(told.places()).isEqualTo(places);
    assertThat(told.marks())
        .isEqualTo(
            Map.of(
                Inode.ROOT + 10,
                Map.of(
                    "user.raid.manifest.0", "first",
                    "user.raid.manifest.1", "second",
                    "user.raid.phase", "reduced")));
    assertThat(image.transaction()).isEqualTo(Samples.TRANSACTION);
    assertThat(image.inodes()).isEqualTo(inodes.size());
    assertThat(directory.toFile().list()).hasSize(1);
  }
}
