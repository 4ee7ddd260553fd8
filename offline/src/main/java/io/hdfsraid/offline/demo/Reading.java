package io.hdfsraid.offline.demo;

import io.hdfsraid.drfs.fs.DistributedRaidFileSystem;
import io.hdfsraid.offline.output.Progress;
import io.hdfsraid.raidshell.Screen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads damaged files as an application does that has DRFS for its file system. */
final class Reading {
  private final Scene scene;
  private final Map<String, Long> checksums;

  /**
   * A reading.
   *
   * @param checksums CRC32C of what was loaded, by path
   */
  Reading(Scene scene, Map<String, Long> checksums) {
    this.scene = scene;
    this.checksums = checksums;
  }

  /**
   * What came of it.
   *
   * @param degraded files of which something was rebuilt while they were read
   * @param wrong files whose bytes were not the loaded ones, or did not come
   */
  record Result(int degraded, List<String> wrong) {}

  Result read(Set<String> paths) throws IOException {
    int degraded = 0;
    List<String> wrong = new ArrayList<>();
    try (DistributedRaidFileSystem drfs = new DistributedRaidFileSystem()) {
      drfs.initialize(scene.hdfs().uri(), scene.hdfs().configuration());
      try (Progress progress = scene.story().bytes("Read through DRFS", bytes(paths))) {
        for (String path : paths) {
          long before = drfs.degradedReads().count();
          try {
            if (Checksum.of(drfs, path, progress) != checksums.get(path)) {
              wrong.add(path + " has other bytes");
            }
          } catch (IOException e) {
            wrong.add(path + " cannot be read: " + e.getMessage());
          }
          degraded += drfs.degradedReads().count() > before ? 1 : 0;
        }
      }
      scene
          .story()
          .say(
              "%d files, %d with lost blocks: %s were rebuilt on the way from %s of their stripes; %d wrong"
                  .formatted(
                      paths.size(),
                      degraded,
                      Screen.bytes(drfs.degradedReads().bytes()),
                      Screen.bytes(drfs.degradedReads().bytesRead()),
                      wrong.size()));
    }
    wrong.forEach(scene.story()::say);
    return new Result(degraded, wrong);
  }

  private long bytes(Set<String> paths) {
    return scene.settings().data().files().stream()
        .filter(file -> paths.contains(file.path()))
        .mapToLong(DemoFile::length)
        .sum();
  }
}
