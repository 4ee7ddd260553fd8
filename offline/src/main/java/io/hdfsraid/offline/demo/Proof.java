package io.hdfsraid.offline.demo;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.offline.output.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.security.UserGroupInformation;

/** Whether all is well, asked of everybody. Each answer lists what is wrong. */
final class Proof {
  private static final int TIMEOUT_MILLIS = 30_000;

  private final Scene scene;

  Proof(Scene scene) {
    this.scene = scene;
  }

  /** Files whose bytes, as a plain client reads them, are not the loaded ones. */
  List<String> wrongBytes(Map<String, Long> checksums) {
    List<String> wrong = new ArrayList<>();
    try (Progress progress =
        scene.story().bytes("Read by a plain client", scene.settings().data().bytes())) {
      checksums.forEach(
          (path, crc) -> {
            try {
              if (Checksum.of(scene.hdfs().fileSystem(), path, progress) != crc) {
                wrong.add(path + " has other bytes");
              }
            } catch (IOException e) {
              wrong.add(path + " cannot be read: " + e.getMessage());
            }
          });
    }
    return wrong;
  }

  /** What the NameNode's own fsck complains about. */
  List<String> fsck() throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    var connection =
        URI.create(
                scene.hdfs().httpUri()
                    + "/fsck?path=%2F&ugi="
                    + URLEncoder.encode(user, StandardCharsets.UTF_8))
            .toURL()
            .openConnection();
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    try (InputStream in = connection.getInputStream()) {
      String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return answer.contains("is HEALTHY")
          ? List.of()
          : List.of(
              answer.lines().filter(line -> line.contains("blk_")).findFirst().orElse(answer));
    }
  }

  /** Stripes that do not have all their units, by the word of NameNode and DataNodes. */
  List<String> unhealthy() throws IOException {
    List<String> unhealthy = new ArrayList<>();
    for (Scene.Guarded file : scene.guarded()) {
      for (StripeHealth health : scene.rounds().check().check(file.parity())) {
        if (health.state() != StripeHealth.State.HEALTHY) {
          unhealthy.add(file.path() + ": " + health.message());
        }
      }
    }
    return unhealthy;
  }

  /** Stripes of which two units lie on one DataNode. */
  List<String> crowded() throws IOException {
    List<String> crowded = new ArrayList<>();
    for (Scene.Guarded file : scene.guarded()) {
      for (LocatedStripe stripe : file.stripes()) {
        List<DataNode> holders =
            stripe.units().stream()
                .flatMap(unit -> unit.located().stream())
                .flatMap(block -> block.live().stream())
                .map(Replica::node)
                .toList();
        Set<DataNode> different = new HashSet<>(holders);
        if (different.size() < holders.size()) {
          crowded.add(
              "%s: %s has %d units on %d nodes"
                  .formatted(file.path(), stripe, holders.size(), different.size()));
        }
      }
    }
    return crowded;
  }
}
