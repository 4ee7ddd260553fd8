// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.chaos;

import io.hdfsraid.drfs.fs.DistributedRaidFileSystem;
import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.tests.daemon.DaemonProcess;
import io.hdfsraid.tests.daemon.QuietDaemon;
import io.hdfsraid.tests.daemon.Relay;
import io.hdfsraid.tests.daemon.Until;
import io.hdfsraid.tests.daemon.WrongClock;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Two daemons, each with a network of its own to the NameNodes; the clock of one is four minutes
 * ahead: with ten it would raid nothing.
 */
final class Daemons implements AutoCloseable {
  static final int BLOCK = 64 << 10;
  static final int NAME_NODES = 3;
  static final int DATA_NODES = 16;
  private static final int RACKS = 4;

  /** Much more than all replicas need. */
  private static final int DISK_MEGABYTES = 64;

  private static final Duration AHEAD = Duration.ofMinutes(4);
  private static final Duration FAR = Duration.ofMillis(40);

  private final ProcessHdfs hdfs;
  private final Path folder;
  private final Map<String, DaemonProcess> daemons = new TreeMap<>();
  private final Map<String, List<Relay>> networks = new TreeMap<>();

  /** The one that suffers. */
  private volatile String victim = "";

  /** How often the other has become the active one before this one suffered. */
  private long formerStarts;

  Daemons(ProcessHdfs hdfs, Path folder) throws Exception {
    this.hdfs = hdfs;
    this.folder = folder;
    try {
      for (String name : List.of("a", "b")) {
        launch(name);
        DaemonProcess daemon = daemons.get(name);
        Until.holds(() -> daemon.starts() + daemon.standbys() > 0, daemon::output);
      }
    } catch (Exception | AssertionError e) {
      close();
      throw e;
    }
  }

  /**
   * @param withSmallDisks whether disks can be filled
   */
  static ProcessHdfs hdfs(boolean withSmallDisks) throws IOException {
    return ProcessHdfs.builder()
        .nameNodes(NAME_NODES)
        .dataNodes(DATA_NODES)
        .racks(RACKS)
        .blockSize(BLOCK)
        .heapMegabytes(96)
        .smallDisks(withSmallDisks ? DISK_MEGABYTES : 0)
        .staleAfter(Duration.ofSeconds(5))
        .deadAfter(Duration.ofSeconds(12))
        .set("dfs.namenode.fs-limits.min-block-size", "" + BLOCK)
        .start();
  }

  /** Returns a file system that reads through losses. */
  static FileSystem throughLosses(ProcessHdfs hdfs) throws IOException {
    Configuration conf = new Configuration(hdfs.configuration());
    conf.set("fs.hdfs.impl", DistributedRaidFileSystem.class.getName());
    return FileSystem.newInstance(hdfs.uri(), conf);
  }

  private void launch(String name) throws IOException {
    Path conf = folder.resolve(name).resolve("conf");
    if (!Files.exists(conf)) {
      Path unused =
          new QuietDaemon(conf)
              .busyWith(
                  """
                  raiding: {quarantine: 0s, maxUnaudited: 100000, retryAfter: 5s}
                  repair: {delay: 0s, retryAfter: 1s}
                  scrub: {presenceEvery: 30s, deepEvery: 1m}
                  placement: {triggerBlockReports: paced}
                  """);
    }
    Map<String, String> environment =
        name.equals("b") ? WrongClock.environment(folder.resolve(name), AHEAD) : Map.of();
    daemons.put(name, DaemonProcess.launch(conf, Optional.of(networkOf(name)), environment));
  }

  /** Returns a Hadoop configuration with NameNodes that are reached over a network of its own. */
  private Path networkOf(String name) throws IOException {
    Path own = folder.resolve(name).resolve("hadoop");
    if (!networks.containsKey(name)) {
      Files.createDirectories(own);
      String settings = Files.readString(hdfs.confDirectory().resolve("hdfs-site.xml"));
      List<Relay> relays = new ArrayList<>();
      for (int i = 0; i < NAME_NODES; i++) {
        URI nameNode = hdfs.rpcAddress(i);
        Relay relay = new Relay(nameNode.getPort());
        relays.add(relay);
        settings = settings.replace(nameNode.getAuthority(), "127.0.0.1:" + relay.port());
      }
      networks.put(name, relays);
      Files.writeString(own.resolve("hdfs-site.xml"), settings);
      Files.copy(hdfs.confDirectory().resolve("core-site.xml"), own.resolve("core-site.xml"));
    }
    return own;
  }

  private Optional<String> active() {
    return daemons.keySet().stream()
        .filter(name -> !name.equals(victim) && daemons.get(name).isActive())
        .findFirst();
  }

  /** Returns a client of the active daemon; empty while there is none. */
  Optional<RaidNodeClient> client() {
    return active().map(name -> daemons.get(name).client());
  }

  private DaemonProcess chooseVictim() throws Exception {
    Until.holds(() -> active().isPresent(), this::output);
    victim = active().orElseThrow();
    formerStarts = other().starts();
    return daemons.get(victim);
  }

  private DaemonProcess other() {
    return daemons.get(victim.equals("a") ? "b" : "a");
  }

  /** Waits until the other daemon has taken over. */
  void awaitSuccessor() throws Exception {
    Until.holds(() -> other().starts() > formerStarts, this::output);
  }

  /** Waits until the former active daemon knows whether it still is the active one. */
  private void awaitOneActive() throws Exception {
    DaemonProcess former = daemons.get(victim);
    Until.holds(() -> other().starts() == formerStarts || !former.isActive(), this::output);
    victim = "";
  }

  void kill() throws Exception {
    chooseVictim().kill();
  }

  void launchAgain() throws IOException {
    launch(victim);
    victim = "";
  }

  void freeze() throws Exception {
    chooseVictim().freeze();
  }

  void thaw() throws Exception {
    daemons.get(victim).thaw();
    awaitOneActive();
  }

  void cut() throws Exception {
    DaemonProcess unused = chooseVictim();
    networks.get(victim).forEach(Relay::cut);
  }

  void slow() throws Exception {
    Until.holds(() -> active().isPresent(), this::output);
    networks.get(active().orElseThrow()).forEach(network -> network.delay(FAR));
  }

  void mend() throws Exception {
    for (List<Relay> relays : networks.values()) {
      for (Relay relay : relays) {
        relay.mend();
      }
    }
    if (!victim.isEmpty()) {
      awaitOneActive();
    }
  }

  String output() {
    StringBuilder all = new StringBuilder();
    daemons.forEach((name, daemon) -> all.append(name).append(":\n").append(daemon.output()));
    return all.toString();
  }

  @Override
  public void close() throws IOException {
    daemons.values().forEach(DaemonProcess::kill);
    for (List<Relay> relays : networks.values()) {
      for (Relay relay : relays) {
        relay.close();
      }
    }
  }
}
