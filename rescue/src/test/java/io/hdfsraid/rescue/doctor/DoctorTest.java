// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.hdfs.RootCheck;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.rescue.doctor.ClusterFacts.Keys;
import io.hdfsraid.rescue.doctor.ClusterFacts.NameNode;
import io.hdfsraid.rescue.doctor.ClusterFacts.Pinning;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each thing that can be wrong with a cluster alone, on one that is sound in all else. */
class DoctorTest {
  private static final long FREE = 1L << 40;

  /** A sound cluster of nine nodes in three racks, to be spoilt. */
  private static final class Patient {
    private Answer<Optional<String>> wrongAddress = Answer.of(Optional.empty());
    private Answer<List<NameNode>> nameNodes = Answer.of(List.of(new NameNode("nn1", "active")));
    private boolean readsObservers;
    private Answer<Boolean> safeMode = Answer.of(false);
    private Answer<Keys> keys = Answer.of(new Keys("3.5.0", true));
    private Map<String, String> settings = Map.of();
    private Answer<List<NodeState>> nodes = Answer.of(nodes(9, 3, FREE));
    private Map<String, Integer> versions = Map.of("3.5.0", 9);
    private Pinning pinning = new Pinning(9, 0, 0);
    private RootCheck view =
        new RootCheck(false, Optional.empty(), Optional.empty(), Optional.empty());
    private int zones;
    private List<String> snapshotted = List.of();
    private String checksumType = "CRC32C";
    private List<String> quotas = List.of();
    private Map<String, List<String>> policies = Map.of("rs-3-2", List.of("cold"));

    private Map<String, String> allSettings() {
      Map<String, String> all = new HashMap<>(Map.of("fs.protected.directories", "/user,/.raid"));
      all.putAll(settings);
      return all;
    }

    private DoctorReport examined() {
      return new Doctor(Codecs.all(), policies)
          .examine(
              new ClusterFacts(
                  "hdfs://nn1:8020",
                  "hdfs",
                  "/.raid",
                  "3.5.0",
                  wrongAddress,
                  nameNodes,
                  readsObservers,
                  safeMode,
                  keys,
                  Answer.of(allSettings()),
                  nodes,
                  Answer.of(versions),
                  Answer.of(pinning),
                  Answer.of(view),
                  Answer.of(Optional.empty()),
                  Answer.of(zones),
                  Answer.of(snapshotted),
                  Answer.of(checksumType),
                  Answer.of(quotas)));
    }
  }

  private static List<NodeState> nodes(int count, int racks, long free) {
    List<NodeState> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      DataNode node =
          new DataNode("uuid-" + i, "10.0.0." + i + ":9866", "host-" + i, "/rack" + i % racks);
      nodes.add(new NodeState(node, true, free, FREE));
    }
    return nodes;
  }

  /**
   * One thing that is wrong.
   *
   * @param check which must find it, and no other
   * @param said some of what it says
   */
  private record Trouble(String check, Grade grade, String said, Consumer<Patient> cause) {
    @Override
    public String toString() {
      return check + ": " + said;
    }
  }

  static Stream<Trouble> troubles() {
    return Stream.of(
        new Trouble(
            "address",
            Grade.FAIL,
            "it is a router",
            patient -> patient.wrongAddress = Answer.of(Optional.of("it is a router"))),
        new Trouble(
            "address",
            Grade.UNKNOWN,
            "because it did not say",
            patient -> patient.wrongAddress = Answer.unknown("it did not say")),
        new Trouble(
            "NameNodes",
            Grade.FAIL,
            "none is active",
            patient ->
                patient.nameNodes =
                    Answer.of(
                        List.of(new NameNode("nn1", "standby"), new NameNode("nn2", "observer")))),
        new Trouble(
            "NameNodes",
            Grade.UNKNOWN,
            "because nobody answers",
            patient -> patient.nameNodes = Answer.unknown("nobody answers")),
        new Trouble(
            "safe mode",
            Grade.FAIL,
            "nothing can be written",
            patient -> patient.safeMode = Answer.of(true)),
        new Trouble(
            "versions",
            Grade.FAIL,
            "Hadoop 3 is needed",
            patient -> patient.keys = Answer.of(new Keys("2.10.2", true))),
        new Trouble(
            "versions",
            Grade.WARN,
            "{3.3.6=1, 3.5.0=8}",
            patient -> patient.versions = Map.of("3.5.0", 8, "3.3.6", 1)),
        new Trouble(
            "extended attributes",
            Grade.FAIL,
            "off",
            patient -> patient.settings = Map.of("dfs.namenode.xattrs.enabled", "false")),
        new Trouble(
            "extended attributes",
            Grade.FAIL,
            "31 for an inode",
            patient ->
                patient.settings = Map.of("dfs.namenode.fs-limits.max-xattrs-per-inode", "31")),
        new Trouble(
            "extended attributes",
            Grade.FAIL,
            "8192 bytes each",
            patient -> patient.settings = Map.of("dfs.namenode.fs-limits.max-xattr-size", "8192")),
        new Trouble(
            "replication",
            Grade.FAIL,
            "at least 2 replicas",
            patient -> patient.settings = Map.of("dfs.namenode.replication.min", "2")),
        new Trouble(
            "access times",
            Grade.WARN,
            "cold files cannot be told apart",
            patient -> patient.settings = Map.of("dfs.namenode.accesstime.precision", "0")),
        new Trouble(
            "authorizer",
            Grade.WARN,
            "parity is readable by the daemon alone",
            patient ->
                patient.settings =
                    Map.of(
                        "dfs.namenode.inode.attributes.provider.class", "org.ranger.Authorizer")),
        new Trouble(
            "root: protection",
            Grade.WARN,
            "a superuser may delete or move /.raid",
            patient -> patient.settings = Map.of("fs.protected.directories", "/user, /data")),
        new Trouble(
            "checksums",
            Grade.WARN,
            "CRC32: files written so are left with OTHER_CHECKSUM",
            patient -> patient.checksumType = "CRC32"),
        new Trouble(
            "block pinning",
            Grade.WARN,
            "on for 1 of 8 DataNodes asked (1 more did not answer)",
            patient -> patient.pinning = new Pinning(9, 1, 1)),
        new Trouble(
            "block pinning",
            Grade.UNKNOWN,
            "none of 9 DataNodes shows",
            patient -> patient.pinning = new Pinning(9, 0, 9)),
        new Trouble(
            "root",
            Grade.FAIL,
            "full of others' files",
            patient ->
                patient.view =
                    new RootCheck(
                        true,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of("full of others' files"))),
        new Trouble(
            "root: encryption zone",
            Grade.FAIL,
            "in a zone",
            patient ->
                patient.view =
                    new RootCheck(
                        true, Optional.of("in a zone"), Optional.empty(), Optional.empty())),
        new Trouble(
            "root: snapshots",
            Grade.FAIL,
            "allows snapshots",
            patient ->
                patient.view =
                    new RootCheck(
                        true, Optional.empty(), Optional.of("allows snapshots"), Optional.empty())),
        new Trouble(
            "root: quota",
            Grade.WARN,
            "/ may hold 1 GiB: parity counts",
            patient -> patient.quotas = List.of("/ may hold 1 GiB")),
        new Trouble(
            "snapshots",
            Grade.WARN,
            "4 directories have some (/a, /b, /c, …)",
            patient -> patient.snapshotted = List.of("/a", "/b", "/c", "/d")),
        new Trouble(
            "racks",
            Grade.WARN,
            "only one",
            patient -> {
              patient.nodes = Answer.of(nodes(9, 1, FREE));
              patient.policies = Map.of();
            }),
        new Trouble(
            "free space",
            Grade.WARN,
            "little can be raided at once",
            patient -> patient.nodes = Answer.of(nodes(9, 3, FREE / 20))),
        new Trouble(
            "codecs",
            Grade.FAIL,
            "rs-10-4 of [cold] needs 14 nodes, one for each unit, but 9 are in service; files of at"
                + " most 5 blocks",
            patient -> patient.policies = Map.of("rs-10-4", List.of("cold"))),
        new Trouble(
            "codecs",
            Grade.FAIL,
            "none fits",
            patient -> {
              patient.nodes = Answer.of(nodes(2, 2, FREE));
              patient.policies = Map.of();
            }),
        new Trouble(
            "codecs",
            Grade.WARN,
            "loss of a whole rack would lose data raided with [rs-3-2]",
            patient -> patient.nodes = Answer.of(nodes(8, 2, FREE))));
  }

  @Test
  void nothingIsWrongWithASoundCluster() {
    DoctorReport checkup = new Patient().examined();

    assertThat(checkup.findings()).allSatisfy(f -> assertThat(f.grade()).isEqualTo(Grade.OK));
    assertThat(checkup.grade()).isEqualTo(Grade.OK);
    assertThat(checkup.codecs()).hasSize(Codecs.all().size());
  }

  @ParameterizedTest
  @MethodSource("troubles")
  void eachTroubleIsFoundByItsCheckAndByNoOther(Trouble trouble) {
    Patient patient = new Patient();
    trouble.cause.accept(patient);

    DoctorReport checkup = patient.examined();

    assertThat(checkup.findings())
        .filteredOn(finding -> finding.grade() != Grade.OK)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.check()).isEqualTo(trouble.check);
              assertThat(finding.grade()).isEqualTo(trouble.grade);
              assertThat(finding.seen()).contains(trouble.said);
            });
    assertThat(checkup.grade()).isEqualTo(trouble.grade);
  }

  @Test
  void withoutTheRightsOfTheSuperuserItIsSaidAndTheRestIsUnknown() {
    Patient patient = new Patient();
    patient.keys = Answer.unknown("Access denied for user alice. Superuser privilege is required");

    assertThat(patient.examined().findings())
        .filteredOn(finding -> finding.grade() != Grade.OK)
        .extracting(CheckResult::check, CheckResult::grade)
        .containsExactly(
            tuple("superuser", Grade.FAIL),
            tuple("block tokens", Grade.UNKNOWN),
            tuple("versions", Grade.UNKNOWN));
  }

  @Test
  void withoutAnyDataNodeThereIsNothingToRaidOn() {
    Patient patient = new Patient();
    patient.nodes = Answer.of(List.of());

    assertThat(patient.examined().findings())
        .filteredOn(finding -> finding.grade() == Grade.FAIL)
        .extracting(CheckResult::check)
        .containsExactly("DataNodes", "codecs");
  }

  @Test
  void observersAreNamedBecauseTheyMayLag() {
    Patient patient = new Patient();
    patient.readsObservers = true;

    assertThat(patient.examined().findings())
        .filteredOn(finding -> finding.check().equals("NameNodes"))
        .extracting(CheckResult::seen)
        .first()
        .asString()
        .contains("observers may lag");
  }

  @Test
  void zonesAreNoTrouble() {
    Patient patient = new Patient();
    patient.zones = 2;

    assertThat(patient.examined().grade()).isEqualTo(Grade.OK);
  }
}
