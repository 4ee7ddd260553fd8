package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.policies.FileFacts.Trait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What files have in common, by number. Of these there are thousands where there are a hundred
 * million files: as many as owners, groups, block sizes and replications that occur together.
 */
final class Kinds {
  private static final int VERSION = 1;

  private final Database database;
  private final List<Kind> byCode = Collections.synchronizedList(new ArrayList<>());
  private final Map<Kind, Integer> codes = new ConcurrentHashMap<>();
  private volatile Kind[] known = new Kind[0];

  Kinds(Database database) {
    this.database = database;
    database.forEach(
        Column.KINDS,
        (key, value) -> {
          add(decode(value));
          return true;
        });
    known = byCode.toArray(Kind[]::new);
  }

  private int add(Kind kind) {
    byCode.add(kind);
    codes.put(kind, byCode.size() - 1);
    return byCode.size() - 1;
  }

  Kind of(int code) {
    Kind[] all = known;
    if (code >= all.length) {
      throw new IllegalArgumentException("there is no kind of files %d".formatted(code));
    }
    return all[code];
  }

  /** Its number. One that is new is written down before anything that refers to it. */
  int code(Kind kind) {
    Integer code = codes.get(kind);
    return code != null ? code : learn(kind);
  }

  private synchronized int learn(Kind kind) {
    Integer code = codes.get(kind);
    if (code != null) {
      return code;
    }
    database.put(Column.KINDS, Keys.inode(byCode.size()), encode(kind));
    int added = byCode.size();
    byCode.add(kind);
    known = byCode.toArray(Kind[]::new);
    codes.put(kind, added);
    return added;
  }

  static byte[] encode(Kind kind) {
    RecordWriter out =
        new RecordWriter()
            .octet(VERSION)
            .unsigned(kind.blockSize())
            .unsigned(kind.replication())
            .text(kind.owner())
            .text(kind.group())
            .unsigned(kind.storagePolicy());
    kind.traits().stream().map(Trait::name).sorted().forEach(out::text);
    return out.toBytes();
  }

  static Kind decode(byte[] bytes) {
    RecordReader in = new RecordReader(bytes);
    Versions.require(VERSION, in.octet());
    long blockSize = in.unsigned();
    int replication = in.small();
    String owner = in.text();
    String group = in.text();
    int policy = in.small();
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    while (in.hasMore()) {
      traits.add(Trait.valueOf(in.text()));
    }
    return new Kind(blockSize, replication, owner, group, policy, Set.copyOf(traits));
  }
}
