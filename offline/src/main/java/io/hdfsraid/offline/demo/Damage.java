package io.hdfsraid.offline.demo;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.offline.demo.Loss.Way;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Does what was planned, on the disks and to the processes; nobody is told. */
final class Damage {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Scene scene;
  private final DamagePlan plan;

  Damage(Scene scene, DamagePlan plan) {
    this.scene = scene;
    this.plan = plan;
  }

  void inflict() throws IOException {
    EmbeddedHdfs hdfs = scene.hdfs();
    for (Loss loss : plan.losses()) {
      if (loss.way() == Way.BYTES_FLIPPED) {
        hdfs.corruptReplica(loss.blockId(), loss.node());
      } else if (loss.way() == Way.FILES_DELETED) {
        hdfs.deleteReplica(loss.blockId(), loss.node());
      }
    }
    for (int node : plan.stopped()) {
      hdfs.stopDataNode(node);
      // Instead of waiting ten minutes: no heartbeat comes any more.
      hdfs.declareDead(node);
    }
    int running = hdfs.dataNodes().size() - plan.stopped().size();
    Scene.await(
        "the NameNode misses the stopped DataNodes",
        LIMIT,
        () -> scene.cluster().access().namespace().nodes().size() == running);
  }

  void show() {
    List<List<String>> rows = new ArrayList<>();
    for (Way way : Way.values()) {
      List<Loss> losses = plan.losses().stream().filter(loss -> loss.way() == way).toList();
      long parity = losses.stream().filter(Loss::isParity).count();
      rows.add(
          List.of(
              way == Way.NODE_STOPPED
                  ? "%s (%s)".formatted(way.words(), nodes(plan.stopped()))
                  : way.words(),
              Long.toString(losses.size() - parity),
              Long.toString(parity)));
    }
    scene.story().table(List.of("LOST", "DATA BLOCKS", "PARITY BLOCKS"), rows);
    String stripes =
        plan.stripesByLosses().entrySet().stream()
            .map(
                entry ->
                    "%d of %d units%s: %d"
                        .formatted(
                            entry.getKey(),
                            scene.settings().codec().shape().units(),
                            entry.getKey() == borne() ? ", all they are certain to bear" : "",
                            entry.getValue()))
            .collect(Collectors.joining("; "));
    scene.story().say("Stripes that lost " + stripes);
  }

  private int borne() {
    return scene.settings().codec().furtherLosses(UnitSet.none());
  }

  private static String nodes(Set<Integer> indexes) {
    return indexes.isEmpty()
        ? "none can be spared"
        : "dn" + String.join(", dn", indexes.stream().sorted().map(String::valueOf).toList());
  }
}
