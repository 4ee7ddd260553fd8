// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MountTableTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String POOL = "BP-1";

  /** Returns the bean of a router in front of ns1, which is ours, and ns2. */
  private static ObjectNode bean(Map<String, List<String>> mounts) {
    ObjectNode nodes = JSON.createObjectNode();
    nodes.putObject("ns1-nn1").put("nameserviceId", "ns1").put("blockPoolId", POOL);
    nodes.putObject("ns1-nn2").put("nameserviceId", "ns1").put("blockPoolId", "");
    nodes.putObject("ns2-null").put("nameserviceId", "ns2").put("blockPoolId", "BP-2");
    ArrayNode table = JSON.createArrayNode();
    mounts.forEach(
        (source, destinations) -> {
          ArrayNode targets = table.addObject().put("sourcePath", source).putArray("destinations");
          destinations.forEach(targets::add);
        });
    return JSON.createObjectNode()
        .put("Namenodes", nodes.toString())
        .put("MountTable", table.toString());
  }

  private static Optional<String> shown(String path, Map<String, List<String>> mounts)
      throws IOException {
    return MountTable.of(bean(mounts), POOL).clientPath(path);
  }

  @ParameterizedTest
  @CsvSource({
    "/warehouse/a/b, /data/a/b",
    "/warehouse, /data",
    "/warehouses/a,",
  })
  void aFileIsShownBelowTheMountPointOfItsDirectory(String path, String client) throws Exception {
    assertThat(shown(path, Map.of("/data", List.of("ns1->/warehouse"))))
        .isEqualTo(Optional.ofNullable(client));
  }

  @Test
  void theRootMayShowADirectoryOrBeShown() throws Exception {
    assertThat(shown("/warehouse/a", Map.of("/", List.of("ns1->/warehouse")))).contains("/a");
    assertThat(shown("/a", Map.of("/", List.of("ns1->/")))).contains("/a");
    assertThat(shown("/tmp/a", Map.of("/whole", List.of("ns1->/")))).contains("/whole/tmp/a");
  }

  @Test
  void mountsOfOtherNameservicesShowNothingOfOurs() throws Exception {
    assertThat(shown("/warehouse/a", Map.of("/data", List.of("ns2->/warehouse")))).isEmpty();
    assertThat(shown("/m/a", Map.of("/many", List.of("ns2->/m", "ns1->/m")))).contains("/many/a");
  }

  @Test
  void theNearestDirectoryCountsAndThenTheShortestPath() throws Exception {
    assertThat(
            shown(
                "/warehouse/logs/a",
                Map.of(
                    "/data", List.of("ns1->/warehouse"),
                    "/deep/logs", List.of("ns1->/warehouse/logs"),
                    "/logs", List.of("ns1->/warehouse/logs"))))
        .contains("/logs/a");
  }

  @Test
  void whatAnotherMountPointHidesIsNotShown() throws Exception {
    Map<String, List<String>> hidden =
        Map.of("/data", List.of("ns1->/warehouse"), "/data/hot", List.of("ns2->/hot"));
    assertThat(shown("/warehouse/hot/a", hidden)).isEmpty();
    assertThat(shown("/warehouse/hotter/a", hidden)).contains("/data/hotter/a");
  }

  @Test
  void linesThatAreNoMountPointsAreLeftOut() throws Exception {
    Map<String, List<String>> damaged =
        Map.of("", List.of("ns1->/a"), "/b", List.of("", "ns1", "ns1->"), "/c", List.of("ns1->/c"));
    assertThat(shown("/a/x", damaged)).isEmpty();
    assertThat(shown("/c/x", damaged)).contains("/c/x");
  }

  @Test
  void pathsByInodeIdAreNotShown() throws Exception {
    Map<String, List<String>> whole = Map.of("/whole", List.of("ns1->/"));
    assertThat(shown("/.reserved/.inodes/5", whole)).isEmpty();
  }

  @Test
  void aTableOfManyMountPointsIsRead() throws Exception {
    Map<String, List<String>> many = new TreeMap<>();
    for (int i = 0; i < 100_000; i++) {
      many.put(
          "/a/directory/of/clients/that/has/a/long/path/" + "x".repeat(200) + i,
          List.of("ns1->/d" + i));
    }
    assertThat(shown("/d77/f", many).orElseThrow()).endsWith("x77/f");
  }

  @Test
  void anAnswerThatIsNotThatOfARouterIsRefused() {
    assertThatThrownBy(() -> MountTable.of(JSON.createObjectNode(), POOL))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("FederationState has no attribute Namenodes");
    assertThatThrownBy(() -> MountTable.of(bean(Map.of()), POOL))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has no mount point");
    assertThatThrownBy(() -> MountTable.of(bean(Map.of()), "BP-3"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("knows no NameNode with the block pool BP-3");
  }
}
