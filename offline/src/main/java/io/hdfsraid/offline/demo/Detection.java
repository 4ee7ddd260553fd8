package io.hdfsraid.offline.demo;

import io.hdfsraid.blockfixer.detect.Source;
import io.hdfsraid.drfs.block.LocatedBlock;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Who noticed what. The NameNode knows two things: what was on nodes that are dead, and what
 * readers have told it. The two are told apart by asking it before anybody reads.
 */
final class Detection {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Map<Source, String> WORDS =
      Map.of(
          Source.NAMENODE, "the NameNode, whose DataNodes are dead",
          Source.READ, "a read that failed on it, reported to the NameNode",
          Source.DATANODE_CHECKSUM, "the integrity check, which asks every DataNode for checksums");

  private final Scene scene;
  private final DamagePlan plan;
  private Set<Long> knownBeforeReads = Set.of();

  Detection(Scene scene, DamagePlan plan) {
    this.scene = scene;
    this.plan = plan;
  }

  /** Waits until the NameNode has seen what dead nodes mean; it needs no read for that. */
  void beforeReads() throws IOException {
    Set<Long> onStopped =
        plan.losses().stream()
            .filter(loss -> loss.way() == Loss.Way.NODE_STOPPED)
            .map(Loss::blockId)
            .collect(Collectors.toSet());
    Scene.await(
        "the NameNode lists the blocks of its dead DataNodes as lost",
        LIMIT,
        () -> {
          knownBeforeReads = listedAsLost();
          return knownBeforeReads.containsAll(onStopped);
        });
  }

  private Set<Long> listedAsLost() throws IOException {
    Set<Long> lost = new HashSet<>();
    for (String path : scene.cluster().losses().files().keySet()) {
      scene.cluster().access().namespace().file(path).stream()
          .flatMap(file -> file.blocks().stream())
          .filter(LocatedBlock::isLost)
          .forEach(block -> lost.add(block.block().id()));
    }
    return lost;
  }

  /** Blocks that the damage took, by who noticed first. */
  SortedMap<String, Integer> bySource() {
    SortedMap<String, Integer> bySource = new TreeMap<>();
    scene
        .witness()
        .detections()
        .forEach(
            (block, source) -> {
              if (plan.blocks().contains(block)) {
                bySource.merge(first(block, source).name(), 1, Integer::sum);
              }
            });
    return bySource;
  }

  private Source first(long block, Source found) {
    return found == Source.NAMENODE && !knownBeforeReads.contains(block) ? Source.READ : found;
  }

  void show() {
    List<List<String>> rows =
        bySource().entrySet().stream()
            .map(
                entry ->
                    List.of(
                        entry.getKey(),
                        entry.getValue().toString(),
                        WORDS.get(Source.valueOf(entry.getKey()))))
            .toList();
    scene.story().table(List.of("NOTICED BY", "BLOCKS", "THAT IS"), rows);
  }
}
