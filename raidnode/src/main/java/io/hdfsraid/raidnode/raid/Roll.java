package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityFile;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The members of a parity file as HDFS shows them now; asked anew for each decision.
 *
 * @param intact closed, and of exactly the recorded blocks; by inode id
 * @param changed of other blocks, or open for writing
 * @param gone inode ids that do not live; their blocks may
 */
record Roll(
    ParityFile parity, Map<Long, FileState> intact, Map<Long, FileState> changed, Set<Long> gone) {

  /** One question to the NameNode for each member. */
  static Roll call(Namespace namespace, ParityFile parity) throws IOException {
    Map<Long, FileState> intact = new LinkedHashMap<>();
    Map<Long, FileState> changed = new LinkedHashMap<>();
    Set<Long> gone = new LinkedHashSet<>();
    for (Member member : parity.manifest().members()) {
      namespace
          .file(member.inode())
          .ifPresentOrElse(
              file -> (isIntact(file, parity) ? intact : changed).put(file.inode(), file),
              () -> gone.add(member.inode()));
    }
    return new Roll(parity, intact, changed, gone);
  }

  private static boolean isIntact(FileState file, ParityFile parity) {
    return !file.underConstruction() && SourceCheck.matches(file, parity.manifest());
  }

  /** Every member is as it was encoded, and nobody wants to leave. */
  boolean isComplete() {
    return changed.isEmpty()
        && gone.isEmpty()
        && intact.keySet().stream().noneMatch(parity.leaving()::contains);
  }

  /** Intact, and not to leave. */
  Map<Long, FileState> staying() {
    Map<Long, FileState> staying = new LinkedHashMap<>(intact);
    staying.keySet().removeAll(parity.leaving());
    return staying;
  }

  /** Alive, whatever became of it. */
  Map<Long, FileState> living() {
    Map<Long, FileState> living = new LinkedHashMap<>(intact);
    living.putAll(changed);
    return living;
  }
}
