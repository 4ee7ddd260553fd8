package io.hdfsraid.raidnode.recency.source;

import io.hdfsraid.raidnode.namespace.Access;
import io.hdfsraid.raidnode.namespace.InodeAccess;
import java.util.List;

/** Who reads by path, and who by number; each in the order of the log. */
public record Accesses(List<Access> byPath, List<InodeAccess> byInode) {
  public Accesses {
    byPath = List.copyOf(byPath);
    byInode = List.copyOf(byInode);
  }
}
