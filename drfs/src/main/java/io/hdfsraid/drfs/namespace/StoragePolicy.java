// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.namespace;

import java.util.List;
import java.util.Objects;

/**
 * An HDFS storage policy, as far as it concerns blocks with one replica.
 *
 * @param name e.g. {@code COLD}; empty if no policy is set
 * @param media the media for the replica, by HDFS's names: the preferred medium first, then the
 *     fallbacks of the NameNode
 */
public record StoragePolicy(String name, List<String> media) {
  /** The behaviour of HDFS without a policy: blocks are on disks. */
  public static final StoragePolicy UNSPECIFIED = new StoragePolicy("", List.of("DISK"));

  public StoragePolicy {
    Objects.requireNonNull(name, "name");
    media = List.copyOf(media);
    if (media.isEmpty()) {
      throw new IllegalArgumentException(
          "Storage policy %s names no medium for a block of one replica".formatted(name));
    }
  }

  /** Whether a policy is set, so that parity files must be given the same policy. */
  public boolean specified() {
    return !name.isEmpty();
  }
}
