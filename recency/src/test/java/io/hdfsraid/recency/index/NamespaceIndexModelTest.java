// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.hdfsraid.recency.index.ModelNamespace.Happening;
import io.hdfsraid.recency.index.ModelNamespace.Node;
import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories at random, against objects in memory. What fails names its seed and step. */
class NamespaceIndexModelTest {
  private static final int STEPS = 120;

  /** With so few in memory, what is kept goes again all the time. */
  private static final int FEW = 2;

  @TempDir private Path folder;

  private final List<NamespaceEvent> lastBatch = new ArrayList<>();
  private int kept;
  private boolean eachIsReported;
  private NamespaceIndex index;
  private ModelNamespace model;
  private Random random;
  private int audited;

  /** As many as there are ways to keep and to be told. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void anIndexKnowsWhatItWasToldWhateverHappened(long seed) throws IOException {
    assertKnowsWhatItWasTold(seed);
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(longs = {7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void soItDoesInMoreHistories(long seed) throws IOException {
    assertKnowsWhatItWasTold(seed);
  }

  private void assertKnowsWhatItWasTold(long seed) throws IOException {
    eachIsReported = seed % 3 == 0;
    model = new ModelNamespace(seed, eachIsReported);
    random = new Random(~seed);
    kept = seed % 2 == 0 ? Generation.KEPT : FEW;
    open();
    try {
      for (int step = 0; step < STEPS; step++) {
        String what = step();
        check("seed=%d step=%d after %s".formatted(seed, step, what));
      }
    } finally {
      index.close();
    }
  }

  private String step() throws IOException {
    return switch (random.nextInt(15)) {
      case 0 -> rebuild();
      case 1 -> rebuildOfThePast();
      case 2 -> rebuildAfterLoss();
      case 3 -> relist();
      case 4 -> {
        lose();
        yield "loss, " + relist();
      }
      case 5 -> reopen();
      case 6 -> skip();
      case 7 -> unskipAll();
      case 8 -> "a step of sweeping " + index.runDeferredTasks(1 + random.nextInt(5));
      case 9 -> repeat();
      case 10 -> identify();
      case 11 -> identifyAhead();
      default -> {
        deliver(happen(1 + random.nextInt(25)));
        yield "events";
      }
    };
  }

  private String reopen() {
    index.close();
    open();
    return "opening again";
  }

  private void open() {
    index =
        NamespaceIndex.open(
            folder,
            Clock.systemUTC(),
            AccessDecay.USUAL.reportingSince(eachIsReported ? 0 : AccessDecay.NEVER),
            kept);
  }

  private String unskipAll() {
    index.unskipAll();
    model.all().forEach(node -> node.tag = 0);
    return "restoring the order";
  }

  private List<Happening> happen(int steps) {
    List<Happening> happenings = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      model.step().ifPresent(happenings::add);
    }
    return happenings;
  }

  /** Runs of events, and of accesses, in the order in which they happened. */
  private void deliver(List<Happening> happenings) {
    List<NamespaceEvent> events = new ArrayList<>();
    List<Access> accesses = new ArrayList<>();
    long transaction = model.transaction;
    long left = happenings.stream().filter(happening -> happening.event().isPresent()).count();
    for (Happening happening : happenings) {
      if (happening.event().isPresent()) {
        deliverAccesses(accesses);
        events.add(happening.event().get());
        left--;
      } else if (happening.access().isPresent()) {
        deliverEvents(events, transaction - left);
        accesses.add(happening.access().get());
      }
    }
    deliverAccesses(accesses);
    deliverEvents(events, transaction);
  }

  private void deliverEvents(List<NamespaceEvent> events, long transaction) {
    if (events.isEmpty()) {
      return;
    }
    ApplyResult applied =
        index.apply(events, transaction, new Watermark("inotify", "" + transaction));
    assertThat(applied).isEqualTo(new ApplyResult(events.size(), 0, 0));
    assertThat(index.transaction()).hasValue(transaction);
    lastBatch.clear();
    lastBatch.addAll(events);
    events.clear();
  }

  private void deliverAccesses(List<Access> accesses) {
    if (!accesses.isEmpty()) {
      index.accessed(accesses, new Watermark("audit", "" + ++audited), (access, inode) -> {});
      accesses.clear();
    }
  }

  private String repeat() {
    index.apply(lastBatch, index.transaction().orElse(-1), new Watermark("inotify", "again"));
    if (audited > 0) {
      index.accessed(
          model.files().stream().map(node -> new Access(node.path(), model.clock)).toList(),
          new Watermark("audit", "" + audited),
          (access, inode) -> {});
    }
    return "what was told before";
  }

  private String rebuild() throws IOException {
    boolean knew = index.transaction().orElse(-1) >= model.transaction;
    RebuildResult rebuilt = index.rebuild(model.image(), (phase, inodes) -> {});
    assertThat(rebuilt.drift())
        .as("drift")
        .isEqualTo(knew ? Optional.of(new RebuildResult.Drift(0, 0, 0)) : Optional.empty());
    model.identifyAll();
    return "a rebuild";
  }

  private String rebuildOfThePast() throws IOException {
    if (index.transaction().orElse(-1) < model.transaction) {
      return rebuild();
    }
    Image image = model.image();
    List<Node> then = model.all();
    List<Happening> since = happen(20);
    deliver(since);
    RebuildResult rebuilt = index.rebuild(image, (phase, inodes) -> {});
    assertThat(rebuilt.drift()).as("drift").hasValue(new RebuildResult.Drift(0, 0, 0));
    // Accesses are not told again, and those to files that are new are known only to events.
    deliver(since.stream().filter(happening -> happening.event().isPresent()).toList());
    for (Node node : then) {
      if (!node.identified || node.stale) {
        node.tag = 0;
      }
      node.identified = true;
    }
    model.files().forEach(node -> node.tag = 0);
    index.unskipAll();
    // Facts that changed since come from events again; all of it is told by the next image.
    RebuildResult again = index.rebuild(model.image(), (phase, inodes) -> {});
    assertThat(again.drift()).as("drift of replay").hasValue(new RebuildResult.Drift(0, 0, 0));
    forgetCounts();
    model.identifyAll();
    return "a rebuild of the past";
  }

  /** What happened twice may count twice; the times must be right. */
  private void forgetCounts() {
    Map<String, IndexedFile> known = new HashMap<>();
    index.forEach(file -> known.put(file.path(), file) == null);
    for (Node node : model.files()) {
      IndexedFile file = known.get(node.path());
      if (file != null) {
        believe(file, node);
      }
    }
  }

  private void believe(IndexedFile file, Node node) {
    node.seenAccess = file.attributes().accessed();
    node.counted = file.accesses().counted();
    if (!eachIsReported) {
      assertThat(file.attributes().accessed()).isGreaterThanOrEqualTo(node.accessed);
    }
  }

  private String rebuildAfterLoss() throws IOException {
    lose();
    index.rebuild(model.image(), (phase, inodes) -> {});
    forgetCounts();
    model.identifyAll();
    return "a rebuild after a loss";
  }

  private void lose() {
    happen(15);
    // Of what was there and back again, nothing is found out.
    index.unskipAll();
    model.all().forEach(node -> node.tag = 0);
  }

  private String relist() {
    ListingUpdate relisting = index.relist();
    list(relisting, model.root);
    relisting.end();
    forgetCounts();
    model.identifyAll();
    ListingUpdate again = index.relist();
    list(again, model.root);
    ListingResult nothing = again.end();
    assertThat(
            nothing.added()
                + nothing.changed()
                + nothing.identified()
                + nothing.moved()
                + nothing.removed())
        .as("changes by a second listing: %s", nothing)
        .isZero();
    return "a listing";
  }

  private static void list(ListingUpdate relisting, Node node) {
    relisting.directory(
        (Inode.Directory) node.inode(),
        node.parent == null ? 0 : node.parent.id,
        node.children.values().stream().map(Node::inode).toList());
    for (Node child : node.children.values()) {
      if (child.type == Entry.Type.DIRECTORY) {
        list(relisting, child);
      }
    }
  }

  private void tell(Node directory) {
    index.identify(
        (Inode.Directory) directory.inode(),
        directory.parent == null ? 0 : directory.parent.id,
        directory.children.values().stream().map(Node::inode).toList());
  }

  /** The directories above anything, those above first. */
  private List<Node> above() {
    List<Node> nodes = model.all();
    List<Node> above = new ArrayList<>();
    for (Node each = nodes.get(random.nextInt(nodes.size()));
        each.parent != null;
        each = each.parent) {
      above.add(0, each.parent);
    }
    return above;
  }

  private String identify() {
    List<Node> above = above();
    for (Node directory : above) {
      tell(directory);
      for (Node child : directory.children.values()) {
        if (!child.identified || child.stale) {
          child.identified = true;
          child.stale = false;
          child.tag = 0;
          index.at(child.path()).ifPresent(file -> believe(file, child));
        }
      }
    }
    return "identifying what is in " + above.size() + " directories";
  }

  private String skip() {
    Map<String, Node> nodes = new HashMap<>();
    model.files().forEach(node -> nodes.put(node.path(), node));
    while (index.runDeferredTasks(1000) > 0) {}
    index.coldestFirst(
        file -> {
          if (random.nextInt(3) > 0) {
            return ColdFileVisitor.keep();
          }
          nodes.get(file.path()).tag = 7;
          return random.nextInt(20) == 0
              ? stopped(nodes.get(file.path()))
              : ColdFileVisitor.skip(7);
        });
    return "setting aside";
  }

  private static ColdFileVisitor.Step stopped(Node node) {
    node.tag = 0;
    return ColdFileVisitor.stop();
  }

  /** HDFS is asked when it is ahead of the events: what it says must not spoil what they tell. */
  private String identifyAhead() {
    List<Happening> late = happen(1 + random.nextInt(25));
    for (int i = 0; i < 3; i++) {
      above().forEach(this::tell);
    }
    deliver(late);
    Set<String> paths = new TreeSet<>();
    index.forEach(file -> paths.add(file.path()));
    assertThat(paths).isEqualTo(model.files().stream().map(Node::path).collect(Collectors.toSet()));
    model.files().forEach(node -> node.tag = 0);
    index.unskipAll();
    model.all().stream().filter(node -> node.type == Entry.Type.DIRECTORY).forEach(this::tell);
    model.identifyAll();
    // Accesses that no event told of are known of the new files only.
    model
        .files()
        .forEach(
            node -> {
              IndexedFile file = index.at(node.path()).orElseThrow();
              node.seenAccess = file.attributes().accessed();
              node.counted = file.accesses().counted();
            });
    return "identifying ahead of the events";
  }

  private void check(String when) {
    if (random.nextBoolean()) {
      while (index.runDeferredTasks(7) > 0) {}
      checkNoGhosts(when);
      checkOrder(when);
    }
    Map<String, IndexedFile> known = new TreeMap<>();
    index.forEach(
        file -> {
          assertThat(known.put(file.path(), file)).as(when).isNull();
          return true;
        });
    Map<String, Node> nodes = new TreeMap<>();
    model.files().forEach(node -> nodes.put(node.path(), node));
    assertThat(known.keySet()).as(when).isEqualTo(nodes.keySet());
    nodes.forEach((path, node) -> check(when + " " + path, node, known.get(path)));
    if (!nodes.isEmpty()) {
      Node some = model.files().get(random.nextInt(nodes.size()));
      IndexedFile file = known.get(some.path());
      assertThat(index.at(some.path())).as(when).hasValue(file);
      assertThat(index.file(file.inode())).as(when).hasValue(file);
      assertThat(index.path(file.inode())).as(when).hasValue(some.path());
      checkBelow(when, some.parent);
    }
    checkPages(when, known.size());
  }

  private void check(String when, Node node, IndexedFile file) {
    assertThat(file.provisional()).as(when).isEqualTo(!node.identified);
    assertThat(file.stale()).as(when).isEqualTo(node.stale);
    if (node.identified) {
      assertThat(file.inode()).as(when).isEqualTo(node.id);
    }
    assertThat(file.attributes().replication()).as(when).isEqualTo(node.replication);
    assertThat(file.attributes().owner()).as(when).isEqualTo(node.owner);
    assertThat(file.attributes().group()).as(when).isEqualTo(node.group);
    assertThat(file.attributes().modified()).as(when).isEqualTo(node.modified);
    assertThat(file.attributes().accessed()).as(when).isEqualTo(node.seenAccess);
    if (!node.stale) {
      assertThat(file.attributes().length()).as(when).isEqualTo(node.length);
    }
    assertThat(file.accesses().counted()).as(when).isCloseTo(node.counted, offset(0.05));
  }

  private void checkBelow(String when, Node directory) {
    List<String> below = new ArrayList<>();
    index.below(
        directory.path().isEmpty() ? "/" : directory.path(), file -> below.add(file.path()));
    List<String> expected = new ArrayList<>();
    ModelNamespace.visit(
        directory,
        node -> {
          if (node.isFile()) {
            expected.add(node.path());
          }
        });
    assertThat(below).as(when).containsExactlyInAnyOrderElementsOf(expected);
  }

  private void checkPages(String when, int files) {
    List<Long> seen = new ArrayList<>();
    long after = Long.MIN_VALUE;
    while (true) {
      var last = index.page(after, 5, file -> seen.add(file.inode()));
      if (last.isEmpty()) {
        break;
      }
      after = last.getAsLong();
    }
    assertThat(seen).as(when).hasSize(files).isSorted();
  }

  private void checkOrder(String when) {
    List<IndexedFile> order = new ArrayList<>();
    index.coldestFirst(
        file -> {
          order.add(file);
          return ColdFileVisitor.keep();
        });
    Comparator<IndexedFile> coldest =
        Comparator.comparing(IndexedFile::lastUsed).thenComparing(IndexedFile::inode);
    assertThat(order).as(when).isSortedAccordingTo(coldest);
    assertThat(order.stream().map(IndexedFile::path).toList())
        .as(when)
        .containsExactlyInAnyOrderElementsOf(
            model.files().stream().filter(node -> node.tag == 0).map(Node::path).toList());
    order.forEach(
        file ->
            assertThat(file.lastUsed().toEpochMilli())
                .isEqualTo(Math.max(file.attributes().modified(), file.attributes().accessed())));
  }

  /** After sweeping there is nothing but what there is. */
  private void checkNoGhosts(String when) {
    List<Node> all = model.all();
    long files = all.stream().filter(Node::isFile).count();
    long directories = all.stream().filter(node -> node.type == Entry.Type.DIRECTORY).count();
    long links = all.size() - files - directories;
    assertThat(index.files()).as(when).isEqualTo(files);
    Map<Column, Long> found =
        index.read(
            generation -> {
              Map<Column, Long> counts = new HashMap<>();
              for (Column column : Column.values()) {
                counts.put(column, 0L);
                generation
                    .database()
                    .forEach(
                        column,
                        (key, value) -> {
                          long more =
                              column == Column.PLACES
                                  ? generation.decodeChildren(value).size()
                                  : column == Column.DIRECTORIES && Keys.inode(key) == Inode.ROOT
                                      ? 0
                                      : 1;
                          counts.merge(column, more, Long::sum);
                          return true;
                        });
              }
              return counts;
            });
    assertThat(found.get(Column.FILES)).as(when).isEqualTo(files);
    assertThat(found.get(Column.ORDER)).as(when).isEqualTo(files);
    assertThat(found.get(Column.DIRECTORIES)).as(when).isEqualTo(directories - 1);
    assertThat(found.get(Column.LINKS)).as(when).isEqualTo(links);
    assertThat(found.get(Column.PLACES)).as(when).isEqualTo(all.size() - 1L);
    assertThat(found.get(Column.DEFERRED_TASKS)).as(when).isZero();
  }
}
