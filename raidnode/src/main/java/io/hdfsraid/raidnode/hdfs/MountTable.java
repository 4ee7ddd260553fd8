// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.fs.Path;

/**
 * Where the routers of a federation show the files of one nameservice. Immutable, so safe for
 * concurrent use.
 */
final class MountTable {
  static final MountTable EMPTY = new MountTable(Map.of(), Set.of());

  private static final ObjectMapper JSON = mapper(Integer.MAX_VALUE);

  /** Paths by inode id, which nobody mounts. */
  private static final String RESERVED = "/.reserved/";

  private static final Comparator<Path> SHORTEST_FIRST =
      Comparator.comparing(Path::depth).thenComparing(Comparator.naturalOrder());

  /** The mount points of each directory, the shortest first. */
  private final Map<Path, SortedSet<Path>> mountPoints;

  /** The mount points of all nameservices: one may hide a part of what another one shows. */
  private final Set<Path> all;

  /** Returns a mapper for texts that are as long as a large mount table. */
  static ObjectMapper mapper(int mostCharacters) {
    return new ObjectMapper(
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder().maxStringLength(mostCharacters).build())
            .build());
  }

  private MountTable(Map<Path, SortedSet<Path>> mountPoints, Set<Path> all) {
    this.mountPoints = mountPoints;
    this.all = all;
  }

  /**
   * Returns what a router says.
   *
   * @param bean its MBean {@code FederationState} (Hadoop's class {@code RBFMetrics}), whose
   *     attributes are JSON in texts
   * @param blockPool tells which nameservice: routers may call it by another name than clients
   * @throws IOException if the answer is incomplete, no NameNode has this block pool, or there is
   *     no mount point at all: so a router answers, too, that cannot read its own store
   */
  static MountTable of(JsonNode bean, String blockPool) throws IOException {
    Set<String> nameservices =
        elements(bean, "Namenodes")
            .filter(node -> node.path("blockPoolId").asText().equals(blockPool))
            .map(node -> node.path("nameserviceId").asText())
            .collect(Collectors.toSet());
    if (nameservices.isEmpty()) {
      throw new IOException("The router knows no NameNode with the block pool " + blockPool);
    }
    Map<Path, SortedSet<Path>> mountPoints = new HashMap<>();
    Set<Path> all = new TreeSet<>();
    for (JsonNode mount : (Iterable<JsonNode>) elements(bean, "MountTable")::iterator) {
      String name = mount.path("sourcePath").asText();
      if (!name.startsWith("/")) {
        continue;
      }
      Path source = new Path(name);
      all.add(source);
      for (JsonNode destination : mount.path("destinations")) {
        String[] target = destination.asText().split("->", 2); // nameservice->path
        if (target.length == 2 && target[1].startsWith("/") && nameservices.contains(target[0])) {
          mountPoints
              .computeIfAbsent(new Path(target[1]), none -> new TreeSet<>(SHORTEST_FIRST))
              .add(source);
        }
      }
    }
    if (all.isEmpty()) {
      throw new IOException("The router has no mount point");
    }
    return new MountTable(mountPoints, all);
  }

  private static Stream<JsonNode> elements(JsonNode bean, String attribute) throws IOException {
    JsonNode text = bean.path(attribute);
    if (!text.isTextual()) {
      throw new IOException("The router's FederationState has no attribute " + attribute);
    }
    return StreamSupport.stream(JSON.readTree(text.asText()).spliterator(), false);
  }

  /**
   * Returns the path by which clients of the routers find a file; the shortest, if there are
   * several, and empty if no mount point shows it. Clients that find it in the default nameservice
   * of a router do so by its own path. Takes a time that grows with its depth only.
   */
  Optional<String> clientPath(String path) {
    if (mountPoints.isEmpty() || path.startsWith(RESERVED)) {
      return Optional.empty();
    }
    Path file = new Path(path);
    for (Path target = file; target != null; target = target.getParent()) {
      String below = file.toString().substring(target.isRoot() ? 0 : target.toString().length());
      for (Path source : mountPoints.getOrDefault(target, Collections.emptySortedSet())) {
        Path shown = new Path((source.isRoot() ? "" : source) + below);
        if (isShownBy(source, shown)) {
          return Optional.of(shown.toString());
        }
      }
    }
    return Optional.empty();
  }

  private boolean isShownBy(Path source, Path shown) {
    Path nearest = shown;
    while (!all.contains(nearest)) {
      nearest = nearest.getParent();
    }
    return nearest.equals(source);
  }
}
