// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

/** A symbolic link. */
record LinkEntry(long id, long parent, String name) implements Entry {
  @Override
  public Type type() {
    return Type.LINK;
  }

  @Override
  public LinkEntry movedTo(long newParent, String newName) {
    return new LinkEntry(id, newParent, newName);
  }

  @Override
  public LinkEntry identified(long trueId) {
    return new LinkEntry(trueId, parent, name);
  }
}
