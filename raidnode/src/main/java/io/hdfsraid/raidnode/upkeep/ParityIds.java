package io.hdfsraid.raidnode.upkeep;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * A set of ids of parity for hundreds of millions of them. Inode ids are given out one after the
 * other, so it takes about a bit for each file of the namespace; a group takes some 100 bytes. Not
 * safe for concurrent use.
 */
public final class ParityIds {
  private static final int PAGE_BITS = 16;
  private static final int IN_PAGE = (1 << PAGE_BITS) - 1;

  private final Map<Long, BitSet> pages = new HashMap<>();

  public void add(long id) {
    pages.computeIfAbsent(id >>> PAGE_BITS, page -> new BitSet()).set((int) (id & IN_PAGE));
  }

  public boolean contains(long id) {
    BitSet page = pages.get(id >>> PAGE_BITS);
    return page != null && page.get((int) (id & IN_PAGE));
  }
}
