package io.hdfsraid.offline.demo;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.offline.workspace.Workspace;
import io.hdfsraid.raidnode.HdfsWiring;
import io.hdfsraid.raidnode.RaidNode;
import io.hdfsraid.raidnode.RunningRaidNode;
import io.hdfsraid.raidnode.StartException;
import io.hdfsraid.raidnode.config.RaidNodeConfiguration;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/** The daemon itself, on the HDFS of the demo and with its catalog, until somebody interrupts. */
final class Serving {
  private final Workspace workspace;
  private final Story story;
  private final Clock clock;

  Serving(Workspace workspace, Story story, Clock clock) {
    this.workspace = workspace;
    this.story = story;
    this.clock = clock;
  }

  void serve(EmbeddedHdfs hdfs) throws IOException {
    HdfsWiring wiring =
        new HdfsWiring(
            (parity, clockOfNode) ->
                HdfsCluster.connect(hdfs.uri(), hdfs.configuration(), parity, clockOfNode));
    try (RunningRaidNode node = RaidNode.start(settings(), wiring, clock)) {
      story.step("A RaidNode guards it now; Ctrl-C ends it and removes everything");
      story.say("REST       %s/api/v1/status".formatted(node.address()));
      story.say("Metrics    %s/metrics".formatted(node.adminAddress()));
      story.say("Shell      bin/raidshell --url %s status".formatted(node.address()));
      story.say("HDFS       %s".formatted(hdfs.uri()));
      story.say(
          "Break it   delete or change blk_ files below %s/data: what is lost is found and rebuilt"
              .formatted(hdfs.directory()));
      story.say("           within a minute");
      node.join();
    } catch (StartException e) {
      throw new DemoFailure(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // that is how it ends
    }
  }

  private Settings settings() throws IOException {
    Path file = workspace.file("raidnode.yml");
    try (InputStream resource = Serving.class.getResourceAsStream("raidnode.yml")) {
      String text =
          new String(resource.readAllBytes(), StandardCharsets.UTF_8)
              .replace("${port}", usualOrAny(RaidNodeConfiguration.DEFAULT_PORT))
              .replace("${adminPort}", usualOrAny(RaidNodeConfiguration.DEFAULT_ADMIN_PORT));
      Files.writeString(file, text);
      return SettingsFiles.read(file, clock);
    } catch (SettingsException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The port where the shell looks, or 0 for any, when somebody else listens there. */
  private static String usualOrAny(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(probe.getLocalPort());
    } catch (IOException taken) {
      return "0";
    }
  }
}
