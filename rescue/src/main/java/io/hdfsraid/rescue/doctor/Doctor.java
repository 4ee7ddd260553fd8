// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import io.hdfsraid.blockfixer.plan.RackLimit;
import io.hdfsraid.drfs.hdfs.HdfsParityStore;
import io.hdfsraid.drfs.hdfs.RootCheck;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.StorageState;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.hdfs.ExternalAuthorizer;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.rescue.doctor.ClusterFacts.Keys;
import io.hdfsraid.rescue.doctor.ClusterFacts.NameNode;
import io.hdfsraid.rescue.doctor.ClusterFacts.Pinning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Judges the facts of a cluster. It asks nothing and changes nothing. */
final class Doctor {
  private static final String ATTRIBUTES = "extended attributes";
  private static final int TESTED_MAJOR_VERSION = 3;

  /** Below this share of free space, HDFS itself begins to have trouble to place blocks. */
  private static final double LITTLE_ROOM = 0.05;

  private final List<ErasureCodec> codecs;
  private final Map<String, List<String>> policiesByCodec;

  /**
   * @param policiesByCodec the names of the policies that name a codec
   */
  Doctor(List<ErasureCodec> codecs, Map<String, List<String>> policiesByCodec) {
    this.codecs = List.copyOf(codecs);
    this.policiesByCodec = Map.copyOf(policiesByCodec);
  }

  DoctorReport examine(ClusterFacts facts) {
    List<CheckResult> findings = new ArrayList<>();
    Optional<String> wrongAddress = facts.wrongAddress().value().orElse(Optional.empty());
    if (wrongAddress.isPresent()) {
      findings.add(
          CheckResult.fail(
              "address",
              wrongAddress.get(),
              "Set HADOOP_CONF_DIR to a folder whose fs.defaultFS is one nameservice; each has a"
                  + " RaidNode of its own."));
      return DoctorReport.of(facts.hdfs(), facts.user(), findings, List.of());
    }
    findings.add(
        facts
            .wrongAddress()
            .judged(
                "address",
                none -> CheckResult.ok("address", facts.hdfs() + " is a NameNode, no router")));
    findings.add(facts.nameNodes().judged("NameNodes", now -> nameNodes(now, facts)));
    findings.add(facts.safeMode().judged("safe mode", Doctor::safeMode));
    findings.add(superuser(facts));
    findings.add(facts.keys().judged("block tokens", Doctor::blockTokens));
    findings.add(versions(facts));
    findings.add(facts.settings().judged(ATTRIBUTES, Doctor::attributes));
    findings.add(facts.settings().judged("replication", Doctor::replication));
    findings.add(facts.settings().judged("access times", Doctor::accessTimes));
    findings.add(facts.settings().judged("authorizer", Doctor::authorizer));
    findings.add(
        facts.settings().judged("root: protection", now -> protectionOfRoot(now, facts.root())));
    findings.add(facts.checksumType().judged("checksums", Doctor::checksums));
    findings.add(facts.pinning().judged("block pinning", Doctor::pinning));
    findings.add(facts.view().judged("root", view -> root(view, facts.root())));
    findings.add(facts.view().judged("root: encryption zone", view -> zoneOfRoot(view, facts)));
    findings.add(facts.view().judged("root: snapshots", view -> snapshotsOfRoot(view, facts)));
    findings.add(facts.quotas().judged("root: quota", Doctor::quotas));
    findings.add(facts.holder().judged("owner file", Doctor::holder));
    findings.add(facts.zones().judged("encryption zones", Doctor::zones));
    findings.add(facts.snapshotted().judged("snapshots", Doctor::snapshots));
    findings.add(facts.nodes().judged("DataNodes", Doctor::dataNodes));
    findings.add(facts.nodes().judged("racks", Doctor::racks));
    findings.add(facts.nodes().judged("storage types", Doctor::storageTypes));
    findings.add(facts.nodes().judged("free space", Doctor::freeSpace));
    List<CodecFit> fits =
        facts
            .nodes()
            .value()
            .map(nodes -> codecs.stream().map(c -> fit(c, nodes)).toList())
            .orElse(List.of());
    findings.add(facts.nodes().judged("codecs", nodes -> codecs(fits)));
    return DoctorReport.of(facts.hdfs(), facts.user(), findings, fits);
  }

  private static CheckResult nameNodes(List<NameNode> nameNodes, ClusterFacts facts) {
    String states =
        nameNodes.stream().map(n -> n.name() + " " + n.state()).collect(Collectors.joining(", "));
    if (nameNodes.stream().noneMatch(n -> n.state().equals("active"))) {
      return CheckResult.fail(
          "NameNodes",
          states + ": none is active, so nothing can be changed",
          "Look at their logs; with automatic failover, at the failover controllers, too.");
    }
    boolean observers = nameNodes.stream().anyMatch(n -> n.state().equals("observer"));
    String reads =
        facts.readsObservers() || observers
            ? "; observers may lag, so whatever decides something is asked of the active one"
            : "";
    return CheckResult.ok("NameNodes", states + reads);
  }

  private static CheckResult safeMode(boolean on) {
    return on
        ? CheckResult.fail(
            "safe mode",
            "The NameNode is in safe mode: nothing can be written, nothing can be raided",
            "'hdfs dfsadmin -safemode get' says why; raiding goes on by itself when it is left.")
        : CheckResult.ok("safe mode", "off");
  }

  private static CheckResult superuser(ClusterFacts facts) {
    return facts
        .keys()
        .value()
        .map(keys -> CheckResult.ok("superuser", facts.user() + " has the rights of the superuser"))
        .orElseGet(
            () ->
                facts
                        .keys()
                        .unknownBecause()
                        .toLowerCase(java.util.Locale.ROOT)
                        .contains("superuser")
                    ? CheckResult.fail(
                        "superuser",
                        "%s is no superuser, as the daemon must be to get the keys of blocks and to"
                                .formatted(facts.user())
                            + " read any file; what only the superuser may ask is unknown below",
                        "Run as the user of the NameNode, or add %s to the group that"
                                .formatted(facts.user())
                            + " dfs.permissions.superusergroup names.")
                    : CheckResult.unknown("superuser", facts.keys().unknownBecause()));
  }

  private static CheckResult blockTokens(Keys keys) {
    return CheckResult.ok(
        "block tokens",
        keys.blockTokens()
            ? "on; the daemon makes its own from the NameNode's keys"
            : "off; DataNodes ask for none");
  }

  private static CheckResult versions(ClusterFacts facts) {
    String check = "versions";
    if (facts.keys().value().isEmpty()) {
      return CheckResult.unknown(check, facts.keys().unknownBecause());
    }
    String nameNode = facts.keys().value().get().version();
    Map<String, Integer> dataNodes = new TreeMap<>(facts.versions().value().orElse(Map.of()));
    String seen =
        "NameNode %s, DataNodes %s, client %s"
            .formatted(nameNode, dataNodes.isEmpty() ? "unknown" : dataNodes, facts.client());
    if (major(nameNode) < TESTED_MAJOR_VERSION) {
      return CheckResult.fail(
          check, seen + "; Hadoop %d is needed".formatted(TESTED_MAJOR_VERSION), "Upgrade HDFS.");
    }
    if (dataNodes.size() > 1) {
      return CheckResult.warn(
          check, seen, "Finish the upgrade of the DataNodes before files are raided.");
    }
    return CheckResult.ok(check, seen);
  }

  private static int major(String version) {
    String digits = version.split("\\D", 2)[0];
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }

  private static CheckResult attributes(Map<String, String> settings) {
    if (!Boolean.parseBoolean(settings.getOrDefault("dfs.namenode.xattrs.enabled", "true"))) {
      return CheckResult.fail(
          ATTRIBUTES,
          "off, but the record of what parity protects is kept in them",
          "Set dfs.namenode.xattrs.enabled to true on the NameNodes.");
    }
    long count = number(settings, "dfs.namenode.fs-limits.max-xattrs-per-inode", 32);
    long bytes = number(settings, "dfs.namenode.fs-limits.max-xattr-size", 16_384);
    String seen = "on, %d for an inode, %d bytes each".formatted(count, bytes);
    boolean enough =
        count >= HdfsParityStore.ATTRIBUTES_NEEDED
            && bytes >= HdfsParityStore.ATTRIBUTE_BYTES_NEEDED;
    return enough
        ? CheckResult.ok(ATTRIBUTES, seen)
        : CheckResult.fail(
            ATTRIBUTES,
            seen
                + "; the record of what parity protects needs %d of %d bytes"
                    .formatted(
                        HdfsParityStore.ATTRIBUTES_NEEDED, HdfsParityStore.ATTRIBUTE_BYTES_NEEDED),
            "Take dfs.namenode.fs-limits.max-xattrs-per-inode and"
                + " dfs.namenode.fs-limits.max-xattr-size back to their defaults.");
  }

  private static CheckResult replication(Map<String, String> settings) {
    long least = number(settings, "dfs.namenode.replication.min", 1);
    return least > 1
        ? CheckResult.fail(
            "replication",
            "HDFS keeps at least %d replicas of every file, so nothing could be saved"
                .formatted(least),
            "Set dfs.namenode.replication.min to 1 on the NameNodes.")
        : CheckResult.ok("replication", "files of one replica are allowed");
  }

  private static CheckResult accessTimes(Map<String, String> settings) {
    String key = "dfs.namenode.accesstime.precision";
    long precision = number(settings, key, 3_600_000);
    return precision == 0
        ? CheckResult.warn(
            "access times",
            "off, so cold files cannot be told apart: policies raid nothing unless their"
                + " coldAfter is 0",
            "Set " + key + " to 3600000 or more on the NameNodes.")
        : CheckResult.ok("access times", "recorded to %d s".formatted(precision / 1000));
  }

  private static CheckResult authorizer(Map<String, String> settings) {
    String provider = settings.getOrDefault(ExternalAuthorizer.PROVIDER, "").strip();
    return provider.isEmpty()
        ? CheckResult.ok("authorizer", "HDFS alone decides who may read a file")
        : CheckResult.warn(
            "authorizer",
            "%s may refuse what mode and ACL of a file allow. So parity is readable by the daemon alone, and DRFS rebuilds lost blocks for the daemon's user only"
                .formatted(provider),
            "Nothing has to be done. Applications wait for the repair instead of reading through a"
                + " loss.");
  }

  private static CheckResult protectionOfRoot(Map<String, String> settings, String root) {
    String key = "fs.protected.directories";
    List<String> directories =
        Arrays.stream(settings.getOrDefault(key, "").split(",")).map(String::strip).toList();
    return directories.contains(root)
        ? CheckResult.ok("root: protection", "%s contains %s".formatted(key, root))
        : CheckResult.warn(
            "root: protection",
            "a superuser may delete or move %s, and all parity with it".formatted(root),
            "Add %s to %s in the core-site.xml of the NameNodes.".formatted(root, key));
  }

  private static long number(Map<String, String> settings, String key, long usual) {
    try {
      return Long.parseLong(settings.getOrDefault(key, "").strip());
    } catch (NumberFormatException e) {
      return usual; // not set, or with a unit, which none of these defaults has
    }
  }

  private static CheckResult checksums(String type) {
    return type.equals("CRC32C")
        ? CheckResult.ok("checksums", "CRC32C, which DataNodes compare without reading a block")
        : CheckResult.warn(
            "checksums",
            "%s: files written so are left with OTHER_CHECKSUM".formatted(type),
            "Set dfs.checksum.type to CRC32C; files that are written anew then can be raided.");
  }

  private static CheckResult pinning(Pinning pinning) {
    String check = "block pinning";
    int answered = pinning.asked() - pinning.silent();
    if (answered == 0) {
      return CheckResult.unknown(
          check,
          pinning.asked() == 0
              ? "there is no DataNode to ask"
              : "none of %d DataNodes shows its settings over HTTP".formatted(pinning.asked()));
    }
    String silent =
        pinning.silent() == 0 ? "" : " (%d more did not answer)".formatted(pinning.silent());
    return pinning.pinning() == 0
        ? CheckResult.ok(check, "off on all of %d DataNodes asked%s".formatted(answered, silent))
        : CheckResult.warn(
            check,
            "on for %d of %d DataNodes asked%s: data that was written to favoured nodes (as HBase does) cannot be moved, so their stripes may stay crowded; parity is written so that it stays movable"
                .formatted(pinning.pinning(), answered, silent),
            "'raidshell placement' names units that could not be moved. To be able to move all, set"
                + " dfs.datanode.block-pinning.enabled to false.");
  }

  private static CheckResult root(RootCheck view, String root) {
    if (view.occupant().isPresent()) {
      return CheckResult.fail("root", view.occupant().get(), "");
    }
    return CheckResult.ok("root", root + (view.exists() ? " is ours" : " is free to be made"));
  }

  private static CheckResult zoneOfRoot(RootCheck view, ClusterFacts facts) {
    return view.zone()
        .map(zone -> CheckResult.fail("root: encryption zone", zone, ""))
        .orElseGet(
            () -> CheckResult.ok("root: encryption zone", facts.root() + " lies outside of any"));
  }

  private static CheckResult snapshotsOfRoot(RootCheck view, ClusterFacts facts) {
    return view.snapshots()
        .map(snapshots -> CheckResult.fail("root: snapshots", snapshots, ""))
        .orElseGet(
            () ->
                CheckResult.ok(
                    "root: snapshots",
                    "nothing at, above or below " + facts.root() + " allows them"));
  }

  private static CheckResult quotas(List<String> quotas) {
    return quotas.isEmpty()
        ? CheckResult.ok("root: quota", "none")
        : CheckResult.warn(
            "root: quota",
            String.join(", ", quotas) + ": parity counts against it",
            "Leave room for the parity, or clear the quota.");
  }

  private static CheckResult holder(Optional<String> holder) {
    return CheckResult.ok(
        "owner file",
        holder
            .map(process -> "held by " + process)
            .orElse("held by nobody: no RaidNode works here"));
  }

  private static CheckResult zones(int zones) {
    return CheckResult.ok(
        "encryption zones",
        zones == 0 ? "none" : "%d; their files are raided over their ciphertext".formatted(zones));
  }

  private static CheckResult snapshots(List<String> directories) {
    if (directories.isEmpty()) {
      return CheckResult.ok("snapshots", "none");
    }
    String some = directories.stream().limit(3).collect(Collectors.joining(", "));
    return CheckResult.warn(
        "snapshots",
        "%d directories have some (%s%s); files in a snapshot keep its replicas, so they are left with IN_SNAPSHOT"
            .formatted(directories.size(), some, directories.size() > 3 ? ", …" : ""),
        "Delete old snapshots, or let a policy say raidSnapshotted: true; the space is then freed"
            + " when the snapshots go.");
  }

  private static CheckResult dataNodes(List<NodeState> nodes) {
    long inService = nodes.stream().filter(NodeState::inService).count();
    String seen =
        "%d live and in service, %d live and leaving or in maintenance"
            .formatted(inService, nodes.size() - inService);
    return inService == 0
        ? CheckResult.fail("DataNodes", seen, "Start DataNodes.")
        : CheckResult.ok("DataNodes", seen);
  }

  private static CheckResult racks(List<NodeState> nodes) {
    Map<String, Long> racks =
        nodes.stream()
            .filter(NodeState::inService)
            .collect(
                Collectors.groupingBy(n -> n.node().rack(), TreeMap::new, Collectors.counting()));
    if (racks.size() > 1) {
      return CheckResult.ok(
          "racks",
          "%d, of %d to %d nodes"
              .formatted(
                  racks.size(),
                  racks.values().stream().min(Long::compare).orElse(0L),
                  racks.values().stream().max(Long::compare).orElse(0L)));
    }
    return CheckResult.warn(
        "racks",
        "only one, %s: when it goes, everything goes, and which nodes fail together is not known"
            .formatted(racks.keySet()),
        "If there are more, tell the NameNode: net.topology.script.file.name.");
  }

  private static CheckResult storageTypes(List<NodeState> nodes) {
    Map<String, Long> types =
        nodes.stream()
            .filter(NodeState::inService)
            .flatMap(node -> node.storages().stream().map(StorageState::type).distinct())
            .collect(Collectors.groupingBy(type -> type, TreeMap::new, Collectors.counting()));
    return CheckResult.ok("storage types", types + " (nodes that have each)");
  }

  private static CheckResult freeSpace(List<NodeState> nodes) {
    long free = 0;
    long used = 0;
    for (NodeState node : nodes) {
      if (node.inService()) {
        free += node.remaining();
        used += node.used();
      }
    }
    double share = free + used == 0 ? 0 : (double) free / (free + used);
    String seen = "%s (%.0f %%)".formatted(Screen.bytes(free), 100 * share);
    return share >= LITTLE_ROOM
        ? CheckResult.ok("free space", seen)
        : CheckResult.warn(
            "free space",
            seen + "; parity is written before replicas go, so little can be raided at once",
            "Begin with few workers and a small raiding.maxUnaudited.");
  }

  private CodecFit fit(ErasureCodec codec, List<NodeState> nodes) {
    int units = codec.shape().units();
    List<NodeState> inService = nodes.stream().filter(NodeState::inService).toList();
    long racks = inService.stream().map(node -> node.node().rack()).distinct().count();
    boolean fits = inService.size() >= units;
    int borne = codec.furtherLosses(UnitSet.none());
    int inARack = fits ? RackLimit.of(units, inService) : 0;
    long free = inService.stream().mapToLong(NodeState::remaining).sum();
    return new CodecFit(
        codec.name(),
        policiesByCodec.getOrDefault(codec.name(), List.of()),
        fits,
        units,
        fits ? borne : 0,
        fits && racks > 1 ? borne / inARack : 0,
        inARack,
        fits ? free / codec.shape().parityUnits() * codec.shape().dataUnits() : 0,
        fits ? "" : whyNot(codec, inService.size()));
  }

  private static String whyNot(ErasureCodec codec, int inService) {
    int fewest = codec.shape().parityUnits() + 1;
    String small =
        inService < fewest
            ? ""
            : "; files of at most %d blocks could be raided"
                .formatted(inService - codec.shape().parityUnits());
    return "needs %d nodes, one for each unit, but %d are in service%s"
        .formatted(codec.shape().units(), inService, small);
  }

  private static CheckResult codecs(List<CodecFit> fits) {
    List<CodecFit> wanted = fits.stream().filter(fit -> !fit.policies().isEmpty()).toList();
    Optional<CodecFit> unfit = wanted.stream().filter(fit -> !fit.fits()).findFirst();
    if (unfit.isPresent()) {
      return CheckResult.fail(
          "codecs",
          "%s of %s %s"
              .formatted(unfit.get().codec(), unfit.get().policies(), unfit.get().whyNot()),
          "Let the policy name a smaller codec; those below with YES fit.");
    }
    List<String> rackBound =
        wanted.stream().filter(fit -> fit.rackLosses() == 0).map(CodecFit::codec).toList();
    if (!rackBound.isEmpty()) {
      return CheckResult.warn(
          "codecs",
          "The loss of a whole rack would lose data raided with %s".formatted(rackBound),
          "Choose a codec that bears a rack loss below, or keep two replicas (targetReplication:"
              + " 2).");
    }
    long fitting = fits.stream().filter(CodecFit::fits).count();
    return fitting == 0
        ? CheckResult.fail("codecs", "none fits", "Add DataNodes.")
        : CheckResult.ok("codecs", "%d of %d fit".formatted(fitting, fits.size()));
  }
}
