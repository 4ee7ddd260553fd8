// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;

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

  /** Returns all ids, in no particular order, without a copy of them. */
  PrimitiveIterator.OfLong iterator() {
    return new Ids();
  }

  long size() {
    return pages.values().stream().mapToLong(BitSet::cardinality).sum();
  }

  public boolean contains(long id) {
    BitSet page = pages.get(id >>> PAGE_BITS);
    return page != null && page.get((int) (id & IN_PAGE));
  }

  private final class Ids implements PrimitiveIterator.OfLong {
    private final Iterator<Map.Entry<Long, BitSet>> rest = pages.entrySet().iterator();
    private long firstOfPage;
    private BitSet page = new BitSet();
    private int next = -1;

    @Override
    public boolean hasNext() {
      while (next < 0 && rest.hasNext()) {
        Map.Entry<Long, BitSet> entry = rest.next();
        firstOfPage = entry.getKey() << PAGE_BITS;
        page = entry.getValue();
        next = page.nextSetBit(0);
      }
      return next >= 0;
    }

    @Override
    public long nextLong() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      long id = firstOfPage + next;
      next = page.nextSetBit(next + 1);
      return id;
    }
  }
}
