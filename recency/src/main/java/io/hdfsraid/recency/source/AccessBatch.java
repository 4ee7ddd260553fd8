// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.source;

import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.InodeAccess;
import java.util.List;

/** Accesses by path and by inode id, each in the order of the log. */
public record AccessBatch(List<Access> byPath, List<InodeAccess> byInode) {
  public AccessBatch {
    byPath = List.copyOf(byPath);
    byInode = List.copyOf(byInode);
  }
}
