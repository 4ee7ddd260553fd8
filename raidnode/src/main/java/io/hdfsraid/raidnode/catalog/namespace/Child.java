package io.hdfsraid.raidnode.catalog.namespace;

import java.util.ArrayList;
import java.util.List;

/** An entry as its directory knows it. */
record Child(long id, Entry.Type type) {

  static Child of(Entry entry) {
    return new Child(entry.id(), entry.type());
  }

  /** Those of one place: one, but for names whose hashes are the same. */
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
