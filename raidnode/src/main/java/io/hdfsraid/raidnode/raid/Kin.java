package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.parity.ParityStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Files that may share parity: nobody learns from it what he could not read anyway. */
final class Kin {
  private Kin() {}

  /** The files by kinship, in the order given; what is gone meanwhile is in none. */
  static Collection<List<FileState>> of(List<FileState> files, ParityStore parity)
      throws IOException {
    Map<Long, String> kinship = parity.kinship(files.stream().map(FileState::inode).toList());
    Map<String, List<FileState>> kin = new LinkedHashMap<>();
    for (FileState file : files) {
      String word = kinship.get(file.inode());
      if (word != null) {
        kin.computeIfAbsent(
                "replication %d, encrypted %s, %s"
                    .formatted(file.replication(), file.encrypted(), word),
                key -> new ArrayList<>())
            .add(file);
      }
    }
    return kin.values();
  }

  /** The largest part of the files that are akin; empty when there are none. */
  static List<FileState> most(List<FileState> files, ParityStore parity) throws IOException {
    return of(files, parity).stream().max(Comparator.comparingInt(List::size)).orElse(List.of());
  }
}
