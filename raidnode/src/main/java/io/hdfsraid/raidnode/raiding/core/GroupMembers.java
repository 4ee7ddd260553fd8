// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityFile;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The members of a parity file as HDFS shows them now. They are looked up again for each decision.
 *
 * @param intact closed, and of exactly the recorded blocks; by inode id
 * @param changed of other blocks, or open for writing
 * @param gone inode ids that do not live; their blocks may
 */
public record GroupMembers(
    ParityFile parity,
    Map<Long, LocatedFile> intact,
    Map<Long, LocatedFile> changed,
    Set<Long> gone) {

  /** One question to the NameNode for each member. */
  public static GroupMembers lookUp(Namespace namespace, ParityFile parity) throws IOException {
    Map<Long, LocatedFile> intact = new LinkedHashMap<>();
    Map<Long, LocatedFile> changed = new LinkedHashMap<>();
    Set<Long> gone = new LinkedHashSet<>();
    for (Member member : parity.manifest().members()) {
      namespace
          .file(member.inode())
          .ifPresentOrElse(
              file -> (isIntact(file, parity) ? intact : changed).put(file.inode(), file),
              () -> gone.add(member.inode()));
    }
    return new GroupMembers(parity, intact, changed, gone);
  }

  private static boolean isIntact(LocatedFile file, ParityFile parity) {
    return !file.underConstruction() && SourceCheck.matches(file, parity.manifest());
  }

  /** Returns whether every member is as it was encoded and none is to leave. */
  public boolean isComplete() {
    return changed.isEmpty()
        && gone.isEmpty()
        && intact.keySet().stream().noneMatch(parity.leaving()::contains);
  }

  /** Intact, and not to leave. */
  public Map<Long, LocatedFile> staying() {
    Map<Long, LocatedFile> staying = new LinkedHashMap<>(intact);
    staying.keySet().removeAll(parity.leaving());
    return staying;
  }

  /** Alive, whatever became of it. */
  public Map<Long, LocatedFile> living() {
    Map<Long, LocatedFile> living = new LinkedHashMap<>(intact);
    living.putAll(changed);
    return living;
  }
}
