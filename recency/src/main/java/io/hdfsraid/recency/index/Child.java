// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.rocksdb.RecordReader;
import io.hdfsraid.recency.rocksdb.RecordWriter;
import java.util.ArrayList;
import java.util.List;

/** A reference from a directory to one of its entries. */
record Child(long id, Entry.Type type) {

  static Child of(Entry entry) {
    return new Child(entry.id(), entry.type());
  }

  /** Encodes the entries of one place: usually one, more if the hashes of their names are equal. */
  static byte[] encode(List<Child> children) {
    RecordWriter out = new RecordWriter();
    children.forEach(child -> child.write(out));
    return out.toBytes();
  }

  void write(RecordWriter out) {
    out.unsigned((((id << 1) ^ (id >> 63)) << 2) | type.tag());
  }

  static List<Child> decode(byte[] bytes) {
    RecordReader in = new RecordReader(bytes);
    List<Child> children = new ArrayList<>(1);
    while (in.hasMore()) {
      long number = in.unsigned();
      long id = number >>> 2;
      children.add(new Child((id >>> 1) ^ -(id & 1), Entry.Type.ofTag((int) number & 3)));
    }
    return children;
  }
}
