// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.recency.rocksdb.Database;
import io.hdfsraid.recency.rocksdb.RecordReader;
import io.hdfsraid.recency.rocksdb.RecordWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Numbers the combinations of attributes that files share. A namespace of a hundred million files
 * has thousands of them: combinations of owner, group, block size and replication.
 */
final class AttributeDictionary {
  private static final int VERSION = 1;

  private final Database database;
  private final List<SharedAttributes> byCode = Collections.synchronizedList(new ArrayList<>());
  private final Map<SharedAttributes, Integer> codes = new ConcurrentHashMap<>();
  private volatile SharedAttributes[] known = new SharedAttributes[0];

  AttributeDictionary(Database database) {
    this.database = database;
    database.forEach(
        Column.ATTRIBUTES,
        (key, value) -> {
          add(decode(value));
          return true;
        });
    known = byCode.toArray(SharedAttributes[]::new);
  }

  private int add(SharedAttributes shared) {
    byCode.add(shared);
    codes.put(shared, byCode.size() - 1);
    return byCode.size() - 1;
  }

  SharedAttributes of(int code) {
    SharedAttributes[] all = known;
    if (code >= all.length) {
      throw new IllegalArgumentException("the attributes number %d are unknown".formatted(code));
    }
    return all[code];
  }

  /**
   * Returns the number of the attributes. New attributes are written before any file refers to
   * them.
   */
  int code(SharedAttributes shared) {
    Integer code = codes.get(shared);
    return code != null ? code : learn(shared);
  }

  private synchronized int learn(SharedAttributes shared) {
    Integer code = codes.get(shared);
    if (code != null) {
      return code;
    }
    database.put(Column.ATTRIBUTES, Keys.inode(byCode.size()), encode(shared));
    int added = byCode.size();
    byCode.add(shared);
    known = byCode.toArray(SharedAttributes[]::new);
    codes.put(shared, added);
    return added;
  }

  static byte[] encode(SharedAttributes shared) {
    RecordWriter out =
        new RecordWriter()
            .octet(VERSION)
            .unsigned(shared.blockSize())
            .unsigned(shared.replication())
            .text(shared.owner())
            .text(shared.group())
            .unsigned(shared.storagePolicy());
    shared.traits().stream().map(Trait::name).sorted().forEach(out::text);
    return out.toBytes();
  }

  static SharedAttributes decode(byte[] bytes) {
    RecordReader in = new RecordReader(bytes);
    RecordReader.requireVersion(VERSION, in.octet());
    long blockSize = in.unsigned();
    int replication = in.unsignedInt();
    String owner = in.text();
    String group = in.text();
    int policy = in.unsignedInt();
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    while (in.hasMore()) {
      traits.add(Trait.valueOf(in.text()));
    }
    return new SharedAttributes(blockSize, replication, owner, group, policy, Set.copyOf(traits));
  }
}
