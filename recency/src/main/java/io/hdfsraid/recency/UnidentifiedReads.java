// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import io.hdfsraid.recency.index.NamespaceIndex;
import io.hdfsraid.recency.listing.FileLookup;
import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.InodeAccess;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads by the inode ids of files that the index does not know by their ids. The edit log names
 * paths and no ids, so a new file has no id before its directory is listed, with the next scan.
 * Such reads are kept until then. Meanwhile the NameNode is asked about a few of these files each
 * minute. Kept in memory only. Not safe for concurrent use.
 */
final class UnidentifiedReads {
  /** Enough for a daily scan. */
  private static final Duration KEPT = Duration.ofHours(25);

  private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(1);

  /** How many inode ids one look asks for. */
  private static final int MOST_ASKED = 100;

  /** For how many paths one look asks. */
  private static final int MOST_PATHS = 500;

  /** A file is created a moment before it is read, so the edit log reports it soon. */
  private static final int MOST_TRIES = 3;

  private static final int MOST_NEW_FILES = 1_000_000;

  private final int most;
  private final Clock clock;
  private final Map<Long, Waiting> byInode = new LinkedHashMap<>();
  private Instant lastLook = Instant.EPOCH;
  private long reads;
  private long givenUp;

  /** The reads of one file. */
  private static final class Waiting {
    private final Instant since;
    private final List<InodeAccess> reads = new ArrayList<>(1);
    private int tries;

    private Waiting(Instant since) {
      this.since = since;
    }
  }

  /**
   * @param most how many reads are kept
   */
  UnidentifiedReads(int most, Clock clock) {
    this.most = most;
    this.clock = clock;
  }

  void add(InodeAccess read) {
    byInode.computeIfAbsent(read.inode(), id -> new Waiting(clock.instant())).reads.add(read);
    reads++;
    if (reads > most) {
      giveUp(byInode.keySet().iterator().next());
    }
  }

  /** Returns how many reads were given up since the last call. */
  long takeGivenUp() {
    long taken = givenUp;
    givenUp = 0;
    return taken;
  }

  /** Returns whether there are reads, and the last look was a minute ago or longer. */
  boolean isDue() {
    Instant now = clock.instant();
    if (byInode.isEmpty() || Duration.between(lastLook, now).abs().compareTo(BETWEEN_LOOKS) < 0) {
      return false;
    }
    lastLook = now;
    return true;
  }

  /** Removes and returns the reads of files that the index knows by their ids by now. */
  List<Access> takeKnown(NamespaceIndex index) {
    List<Access> known = new ArrayList<>();
    Instant oldest = clock.instant().minus(KEPT);
    for (Long inode : List.copyOf(byInode.keySet())) {
      Optional<String> path = index.path(inode);
      if (path.isPresent()) {
        known.addAll(take(inode, path.get()));
      } else if (byInode.get(inode).since.isBefore(oldest)) {
        giveUp(inode);
      }
    }
    return known;
  }

  /**
   * Asks the NameNode which of the new files of the index have been read. The index must be
   * current.
   *
   * @return the reads of the files that were found; they are removed
   */
  List<Access> takeFound(NamespaceIndex index, FileLookup files) throws IOException {
    List<Long> asked =
        byInode.entrySet().stream()
            .filter(waiting -> waiting.getValue().tries < MOST_TRIES)
            .map(Map.Entry::getKey)
            .limit(MOST_ASKED)
            .toList();
    Set<Long> modified = new HashSet<>();
    for (long inode : asked) {
      files
          .find(inode)
          .ifPresentOrElse(file -> modified.add(file.attributes().modified()), () -> giveUp(inode));
    }
    Map<Long, String> paths = new HashMap<>();
    for (String path : newFiles(index, modified)) {
      files.find(path).ifPresent(file -> paths.put(file.id(), path));
    }
    asked.stream().map(byInode::get).filter(Objects::nonNull).forEach(waiting -> waiting.tries++);
    paths.keySet().retainAll(byInode.keySet());
    return paths.entrySet().stream()
        .flatMap(found -> take(found.getKey(), found.getValue()).stream())
        .toList();
  }

  /** Returns the paths of new files with these modification times, which few files share. */
  private static List<String> newFiles(NamespaceIndex index, Set<Long> modified) {
    List<String> paths = new ArrayList<>();
    if (!modified.isEmpty()) {
      OptionalLong unused =
          index.page(
              Long.MIN_VALUE,
              MOST_NEW_FILES,
              file -> {
                if (file.provisional() && modified.contains(file.attributes().modified())) {
                  paths.add(file.path());
                }
                return file.provisional() && paths.size() < MOST_PATHS;
              });
    }
    return paths;
  }

  private List<Access> take(long inode, String path) {
    List<InodeAccess> taken = byInode.remove(inode).reads;
    reads -= taken.size();
    return taken.stream().map(read -> read.at(path)).toList();
  }

  private void giveUp(long inode) {
    long lost = byInode.remove(inode).reads.size();
    reads -= lost;
    givenUp += lost;
  }
}
