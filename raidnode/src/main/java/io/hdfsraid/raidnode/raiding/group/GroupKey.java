// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.group;

import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides which files may share parity. A reader of shared parity must not learn from it what the
 * reader may not read otherwise.
 */
final class GroupKey {
  private GroupKey() {}

  /** Returns the files by group key, in the order given, without files that are gone by now. */
  static Collection<List<LocatedFile>> of(List<LocatedFile> files, ParityStore parity)
      throws IOException {
    Map<Long, String> groupKeys = parity.groupKeys(files.stream().map(LocatedFile::inode).toList());
    Map<String, List<LocatedFile>> byKey = new LinkedHashMap<>();
    for (LocatedFile file : files) {
      String word = groupKeys.get(file.inode());
      if (word != null) {
        byKey
            .computeIfAbsent(
                "replication %d, encrypted %s, %s"
                    .formatted(file.replication(), file.encrypted(), word),
                key -> new ArrayList<>())
            .add(file);
      }
    }
    return byKey.values();
  }

  /** The largest part of the files that are akin; empty when there are none. */
  static List<LocatedFile> most(List<LocatedFile> files, ParityStore parity) throws IOException {
    return of(files, parity).stream().max(Comparator.comparingInt(List::size)).orElse(List.of());
  }
}
