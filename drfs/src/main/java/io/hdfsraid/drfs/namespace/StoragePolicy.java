package io.hdfsraid.drfs.namespace;

import java.util.List;
import java.util.Objects;

/**
 * A storage policy of HDFS, as far as it concerns blocks of one replica.
 *
 * @param name e.g. {@code COLD}; empty for what HDFS does where nothing was asked for
 * @param media where the replica goes, by HDFS's names, the wanted one first, then what the
 *     NameNode falls back to
 */
public record StoragePolicy(String name, List<String> media) {
  /** What HDFS does where nothing was asked for: blocks on disks. */
  public static final StoragePolicy UNSPECIFIED = new StoragePolicy("", List.of("DISK"));

  public StoragePolicy {
    Objects.requireNonNull(name, "name");
    media = List.copyOf(media);
    if (media.isEmpty()) {
      throw new IllegalArgumentException(
          "Storage policy %s names no medium for a block of one replica".formatted(name));
    }
  }

  /** Somebody asked for it, so that files beside it have to be told, too. */
  public boolean specified() {
    return !name.isEmpty();
  }
}
