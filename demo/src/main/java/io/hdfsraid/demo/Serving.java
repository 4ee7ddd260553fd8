// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidnode.HdfsWiring;
import io.hdfsraid.raidnode.RaidNode;
import io.hdfsraid.raidnode.RunningRaidNode;
import io.hdfsraid.raidnode.StartException;
import io.hdfsraid.raidnode.config.RaidNodeConfiguration;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.rescue.workspace.Workspace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/** Runs a RaidNode on the HDFS of the demo, with its catalog, until the process is interrupted. */
final class Serving {
  private final Workspace workspace;
  private final Console console;
  private final Clock clock;

  Serving(Workspace workspace, Console console, Clock clock) {
    this.workspace = workspace;
    this.console = console;
    this.clock = clock;
  }

  void serve(EmbeddedHdfs hdfs) throws IOException {
    HdfsWiring wiring =
        new HdfsWiring(
            (parity, clockOfNode) ->
                HdfsCluster.connect(hdfs.uri(), hdfs.configuration(), parity, clockOfNode));
    try (RunningRaidNode node = RaidNode.start(settings(), wiring, clock)) {
      console.step("A RaidNode guards it now; Ctrl-C ends it and removes everything");
      console.line("Web page   %s/".formatted(node.address()));
      console.line("REST       %s/api/v1/status".formatted(node.address()));
      console.line("Metrics    %s/metrics".formatted(node.adminAddress()));
      console.line("Shell      bin/raidshell --url %s status".formatted(node.address()));
      console.line("HDFS       %s".formatted(hdfs.uri()));
      console.line(
          "Break it   delete or change blk_ files below %s/data: what is lost is found and rebuilt"
              .formatted(hdfs.directory()));
      console.line("           within two minutes");
      node.join();
    } catch (StartException e) {
      throw DemoCluster.failure(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // that is how it ends
    }
  }

  private Settings settings() throws IOException {
    Path file = workspace.file("raidnode.yml");
    Files.writeString(
        file,
        DemoCluster.resource("raidnode.yml")
            .replace("${port}", usualOrAny(RaidNodeConfiguration.DEFAULT_PORT))
            .replace("${adminPort}", usualOrAny(RaidNodeConfiguration.DEFAULT_ADMIN_PORT)));
    try {
      return SettingsFiles.read(file, clock);
    } catch (SettingsException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the default port, or 0 (any port) if another process listens there. */
  private static String usualOrAny(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(probe.getLocalPort());
    } catch (IOException taken) {
      return "0";
    }
  }
}
