// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.recency.index.ColdFileVisitor;
import io.hdfsraid.recency.index.NamespaceIndex;
import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the bench calls recency is what the product does. */
class IndexOrderTest {
  private static final int PERCENT = 20;

  @TempDir private Path folder;

  @Test
  void recencyRaidsTheSameFilesInTheSameOrderAsTheIndexOfTheProduct() throws IOException {
    Trace trace = Trace.of(new Workload(150, 1, 2, 200, 0.8, 30, 50, 11));
    List<Integer> expected = raided(trace, RankingCandidate.recency(trace));
    try (NamespaceIndex index = NamespaceIndex.open(folder, Clock.systemUTC())) {
      IndexOrder order = new IndexOrder(index, trace);
      order.bootstrap();
      List<Integer> raided =
          raided(
              trace, new RankingCandidate("index", order, () -> order, EnumSet.allOf(Use.class)));
      assertThat(raided).hasSizeGreaterThan(150).isEqualTo(expected);
    }
  }

  private static List<Integer> raided(Trace trace, RankingCandidate candidate) {
    List<Integer> raided = new ArrayList<>();
    Replay replay = new Replay(trace, candidate);
    replay.with(PERCENT, raided::add);
    replay.run(uses -> {});
    return raided;
  }

  /** Goes by the index, and tells it of all uses as its sources do. */
  private static final class IndexOrder implements Temperature, Ranking {
    private static final String FOLDER = "/warehouse";
    private static final int RAIDED = 1;
    private static final long FIRST = 30_000;

    /** The index knows times since 1970. */
    private static final long START = 1_700_000_000_000L;

    private final NamespaceIndex index;
    private final Trace trace;
    private long transaction = 1;

    IndexOrder(NamespaceIndex index, Trace trace) {
      this.index = index;
      this.trace = trace;
    }

    void bootstrap() throws IOException {
      index.rebuild(
          new Image() {
            @Override
            public long transaction() {
              return transaction;
            }

            @Override
            public long inodes() {
              return 2L + trace.workload().files();
            }

            @Override
            public void read(Visitor visitor) {
              visitor.inode(new Inode.Directory(Inode.ROOT, "", "u", "g", 0, Inode.Snapshots.NONE));
              visitor.inode(
                  new Inode.Directory(
                      20_000, FOLDER.substring(1), "u", "g", 0, Inode.Snapshots.NONE));
              visitor.place(20_000, Inode.ROOT);
              for (int i = 0; i < trace.workload().files(); i++) {
                visitor.inode(new Inode.File(FIRST + i, name(i), attributes(i)));
                visitor.place(FIRST + i, 20_000);
              }
            }
          },
          (phase, done) -> {});
    }

    private FileAttributes attributes(int file) {
      long written = START + trace.written(file);
      return new FileAttributes(
          trace.size(file), 1L << 27, 1, 3, written, written, "u", "g", 0, Set.of());
    }

    private static String name(int file) {
      return "f%05d".formatted(file);
    }

    private static String path(int file) {
      return FOLDER + "/" + name(file);
    }

    @Override
    public void used(int file, long at, int position) {
      if (position == BEFORE) {
        return;
      }
      long time = START + at;
      transaction++;
      Watermark watermark = new Watermark("trace", Long.toString(transaction));
      if (index.at(path(file)).isPresent()) {
        index.accessed(List.of(new Access(path(file), time)), watermark, (access, inode) -> {});
      } else {
        index.apply(
            List.of(
                new NamespaceEvent.FileCreated(path(file), time, "u", "g", 3, 1L << 27, false),
                new NamespaceEvent.Closed(path(file), time, trace.size(file))),
            transaction,
            watermark);
      }
    }

    @Override
    public double of(int file) {
      return index.at(path(file)).orElseThrow().lastUsed().toEpochMilli();
    }

    @Override
    public void add(int file) {
      index.unskip(index.at(path(file)).orElseThrow().inode());
    }

    @Override
    public void used(int file) {}

    @Override
    public int removeColdest() {
      List<Integer> coldest = new ArrayList<>();
      index.coldestFirst(
          file -> {
            if (!coldest.isEmpty()) {
              return ColdFileVisitor.stop();
            }
            coldest.add(Integer.parseInt(file.path().substring(FOLDER.length() + 2)));
            return ColdFileVisitor.skip(RAIDED);
          });
      return coldest.get(0);
    }
  }
}
