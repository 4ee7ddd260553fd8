// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.Inode.Snapshots;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A namespace as objects that point to each other, which changes at random and tells of it as a
 * NameNode does; beside each inode, what an index that was told everything would know of it.
 */
final class ModelNamespace {
  static final long BLOCK = 1 << 20;
  static final long HOUR = 3_600_000;
  static final long HALF_LIFE = 30 * 24 * HOUR;

  final Random random;
  final Node root = new Node(Inode.ROOT, Entry.Type.DIRECTORY, "", null);
  long clock = 1_700_000_000_000L;
  long transaction = 1000;
  private final boolean eachIsReported;
  private long lastId = Inode.ROOT;

  /** Accesses count when they are told, or also when HDFS has recorded them. */
  ModelNamespace(long seed, boolean eachIsReported) {
    random = new Random(seed);
    this.eachIsReported = eachIsReported;
    root.identified = true;
  }

  static final class Node {
    final long id;
    final Entry.Type type;
    final Map<String, Node> children = new TreeMap<>();
    String name;
    Node parent;
    String owner = "hive";
    String group = "hadoop";
    int replication = 3;
    long length;
    long modified;
    long accessed;
    boolean open;
    Snapshots snapshots = Snapshots.NONE;

    /** What the index knows. */
    boolean identified;

    boolean stale;
    long seenAccess;
    double counted;
    int tag;

    Node(long id, Entry.Type type, String name, Node parent) {
      this.id = id;
      this.type = type;
      this.name = name;
      this.parent = parent;
    }

    String path() {
      return parent == null ? "" : parent.path() + "/" + name;
    }

    boolean isFile() {
      return type == Entry.Type.FILE;
    }

    long lastUsed() {
      return Math.max(modified, seenAccess);
    }

    Inode inode() {
      return switch (type) {
        case FILE ->
            new Inode.File(
                id,
                name,
                new FileAttributes(
                    length,
                    BLOCK,
                    (int) ((length + BLOCK - 1) / BLOCK),
                    replication,
                    modified,
                    accessed,
                    owner,
                    group,
                    0,
                    open ? Set.of(Trait.UNDER_CONSTRUCTION) : Set.of()));
        case DIRECTORY -> new Inode.Directory(id, name, owner, group, 0, snapshots);
        case LINK -> new Inode.Symlink(id, name);
      };
    }

    void read(long at) {
      counted =
          at > seenAccess
              ? 1 + counted * Math.pow(2, -(double) (at - seenAccess) / HALF_LIFE)
              : counted + Math.pow(2, -(double) (seenAccess - at) / HALF_LIFE);
      seenAccess = Math.max(seenAccess, at);
    }

    void recorded(long at, boolean eachIsReported) {
      if (at <= seenAccess || eachIsReported) {
        return;
      }
      if (counted > 0 && at - seenAccess < HOUR) {
        counted *= Math.pow(2, -(double) (at - seenAccess) / HALF_LIFE);
        seenAccess = at;
      } else {
        read(at);
      }
    }
  }

  List<Node> all() {
    List<Node> nodes = new ArrayList<>();
    visit(root, nodes::add);
    return nodes;
  }

  List<Node> files() {
    return all().stream().filter(Node::isFile).toList();
  }

  static void visit(Node node, Consumer<Node> visitor) {
    visitor.accept(node);
    node.children.values().forEach(child -> visit(child, visitor));
  }

  private Node any(List<Node> nodes) {
    return nodes.get(random.nextInt(nodes.size()));
  }

  private Optional<Node> anyFile() {
    List<Node> files = files();
    return files.isEmpty() ? Optional.empty() : Optional.of(any(files));
  }

  private Node anyDirectory() {
    return any(all().stream().filter(node -> node.type == Entry.Type.DIRECTORY).toList());
  }

  /** Few names, so that they meet again. */
  private String anyName() {
    return "n" + random.nextInt(12);
  }

  private long nextId() {
    lastId += 1 + random.nextInt(3);
    return lastId;
  }

  /** What happened: told as an event, or as an access. */
  record Happening(Optional<NamespaceEvent> event, Optional<Access> access) {}

  private Happening event(NamespaceEvent event) {
    transaction++;
    return new Happening(Optional.of(event), Optional.empty());
  }

  /** Lets something happen; empty when it could not. */
  Optional<Happening> step() {
    clock += 1 + random.nextInt((int) HOUR / 2);
    return switch (random.nextInt(16)) {
      case 0, 1, 2 -> create();
      case 3, 4 -> makeDirectory();
      case 5 -> Optional.of(linkOrNothing());
      case 6, 7 -> close();
      case 8 -> append();
      case 9, 10 -> rename();
      case 11 -> random.nextInt(3) == 0 ? delete(all()) : delete(files());
      case 12 -> replicate();
      case 13 -> own();
      case 14 -> times();
      default -> read();
    };
  }

  private Node put(Entry.Type type, Node parent, String name) {
    Node node = new Node(nextId(), type, name, parent);
    node.modified = clock;
    node.accessed = clock;
    node.seenAccess = clock;
    parent.children.put(name, node);
    return node;
  }

  private Optional<Happening> create() {
    Node parent = anyDirectory();
    String name = anyName();
    Node there = parent.children.get(name);
    if (there != null && !there.isFile()) {
      return Optional.empty();
    }
    Node node = put(Entry.Type.FILE, parent, name);
    node.open = true;
    node.stale = true;
    return Optional.of(
        event(
            new NamespaceEvent.FileCreated(
                node.path(), clock, node.owner, node.group, node.replication, BLOCK, false)));
  }

  private Optional<Happening> makeDirectory() {
    Node parent = anyDirectory();
    String name = anyName();
    if (parent.children.containsKey(name) || parent.path().length() > 25) {
      return Optional.empty();
    }
    Node node = put(Entry.Type.DIRECTORY, parent, name);
    return Optional.of(
        event(new NamespaceEvent.DirectoryCreated(node.path(), clock, node.owner, node.group)));
  }

  private Happening linkOrNothing() {
    Node parent = anyDirectory();
    String name = anyName();
    if (parent.children.containsKey(name)) {
      return new Happening(Optional.empty(), Optional.empty());
    }
    return event(
        new NamespaceEvent.SymlinkCreated(put(Entry.Type.LINK, parent, name).path(), clock));
  }

  private Optional<Happening> close() {
    List<Node> open = files().stream().filter(node -> node.open).toList();
    if (open.isEmpty()) {
      return Optional.empty();
    }
    Node node = any(open);
    node.open = false;
    node.modified = clock;
    node.length = random.nextInt((int) (5 * BLOCK));
    node.tag = 0;
    boolean told = random.nextBoolean();
    node.stale |= !told;
    return Optional.of(
        event(new NamespaceEvent.Closed(node.path(), clock, told ? node.length : -1)));
  }

  private Optional<Happening> append() {
    return anyFile()
        .filter(node -> !node.open)
        .map(
            node -> {
              node.open = true;
              node.stale = true;
              node.tag = 0;
              return event(new NamespaceEvent.Appended(node.path()));
            });
  }

  private Optional<Happening> rename() {
    List<Node> nodes = all().stream().filter(node -> node != root).toList();
    if (nodes.isEmpty()) {
      return Optional.empty();
    }
    Node node = any(nodes);
    Node parent = anyDirectory();
    String name = anyName();
    for (Node above = parent; above != null; above = above.parent) {
      if (above == node) {
        return Optional.empty();
      }
    }
    Node there = parent.children.get(name);
    if (there == node
        || (there != null && (!there.isFile() || !node.isFile()))
        || node.path().length() + parent.path().length() > 60) {
      return Optional.empty();
    }
    String from = node.path();
    node.parent.children.remove(node.name);
    node.parent = parent;
    node.name = name;
    parent.children.put(name, node);
    visit(node, below -> below.tag = 0);
    return Optional.of(event(new NamespaceEvent.Renamed(from, node.path(), clock)));
  }

  private Optional<Happening> delete(List<Node> nodes) {
    List<Node> removable = nodes.stream().filter(node -> node != root).toList();
    if (removable.isEmpty()) {
      return Optional.empty();
    }
    Node node = any(removable);
    node.parent.children.remove(node.name);
    return Optional.of(event(new NamespaceEvent.Deleted(node.path(), clock)));
  }

  private Optional<Happening> replicate() {
    return anyFile()
        .map(
            node -> {
              node.replication = 1 + random.nextInt(4);
              node.tag = 0;
              return event(new NamespaceEvent.ReplicationSet(node.path(), node.replication));
            });
  }

  private Optional<Happening> own() {
    List<Node> nodes =
        all().stream().filter(node -> node != root && node.type != Entry.Type.LINK).toList();
    if (nodes.isEmpty()) {
      return Optional.empty();
    }
    Node node = any(nodes);
    String owner = random.nextBoolean() ? "u" + random.nextInt(5) : null;
    node.owner = owner == null ? node.owner : owner;
    node.group = owner == null ? "g" + random.nextInt(3) : node.group;
    node.tag = 0;
    return Optional.of(
        event(new NamespaceEvent.OwnerSet(node.path(), owner, owner == null ? node.group : null)));
  }

  private Optional<Happening> times() {
    return anyFile()
        .map(
            node -> {
              node.accessed = clock;
              node.recorded(clock, eachIsReported);
              return event(new NamespaceEvent.TimesSet(node.path(), -1, clock));
            });
  }

  private Optional<Happening> read() {
    return anyFile()
        .map(
            node -> {
              long at = clock - random.nextInt(1000);
              node.read(at);
              return new Happening(Optional.empty(), Optional.of(new Access(node.path(), at)));
            });
  }

  /** The namespace as it is now. */
  Image image() {
    List<Node> nodes = new ArrayList<>(all());
    Collections.shuffle(nodes, random);
    List<Inode> inodes = nodes.stream().map(Node::inode).toList();
    List<long[]> places = new ArrayList<>();
    nodes.stream()
        .filter(node -> node != root)
        .forEach(node -> places.add(new long[] {node.id, node.parent.id}));
    long now = transaction;
    return new Image() {
      @Override
      public long transaction() {
        return now;
      }

      @Override
      public long inodes() {
        return inodes.size();
      }

      @Override
      public void read(Visitor visitor) {
        inodes.forEach(visitor::inode);
        places.forEach(place -> visitor.place(place[0], place[1]));
      }
    };
  }

  /** An index has been told of all of it, by itself and not by events. */
  void identifyAll() {
    all().stream().filter(node -> node.type == Entry.Type.DIRECTORY).forEach(this::identifyIn);
  }

  /** All that is in a directory is told of by HDFS; what is above it has been. */
  void identifyIn(Node directory) {
    for (Node node : directory.children.values()) {
      // Doubtful facts, and others than before, are judged anew.
      if (node.stale || !node.identified) {
        node.tag = 0;
      }
      if (!node.identified) {
        node.children.values().forEach(child -> child.tag = 0);
      }
      node.identified = true;
      node.stale = false;
      if (node.isFile() && node.accessed > node.seenAccess) {
        node.recorded(node.accessed, eachIsReported);
      }
      if (node.isFile() && !eachIsReported && node.counted == 0 && node.accessed > node.modified) {
        node.counted = 1;
      }
    }
  }
}
