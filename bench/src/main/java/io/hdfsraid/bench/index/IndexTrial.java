// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.index;

import io.hdfsraid.recency.fsimage.FsImage;
import io.hdfsraid.recency.fsimage.FsImageWriter;
import io.hdfsraid.recency.index.ColdFileVisitor;
import io.hdfsraid.recency.index.NamespaceIndex;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.Watermark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Measures the index in a process of its own with a limited heap. */
public final class IndexTrial {
  static final int PICKED = 10_000;
  static final int PICKS = 9;
  private static final int WARM_UP_BATCHES = 100;
  private static final int MEASURED_TOGETHER = 10;

  private final Path folder;
  private final HiveNamespace namespace;
  private final int batches;

  private IndexTrial(Path folder, HiveNamespace namespace, int batches) {
    this.folder = folder;
    this.namespace = namespace;
    this.batches = batches;
  }

  /** Arguments: a folder, files, a seed, and how many thousand events. */
  public static void main(String[] arguments) throws IOException {
    endWithStandardInput();
    HiveNamespace namespace =
        new HiveNamespace(Long.parseLong(arguments[1]), Long.parseLong(arguments[2]));
    new IndexTrial(Path.of(arguments[0]), namespace, Integer.parseInt(arguments[3])).run();
  }

  /** Ends this process when the one that started it has ended. */
  static void endWithStandardInput() {
    Thread watcher =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {}
              } catch (IOException e) {
                // As good as the end of it.
              }
              Runtime.getRuntime().halt(1);
            },
            "parent-watch");
    watcher.setDaemon(true);
    watcher.start();
  }

  /** Of the index alone; the image beside it goes when it has been read. */
  private void run() throws IOException {
    try (PeakHeap heap = PeakHeap.watched()) {
      Reply.say("files", (double) namespace.files());
      Reply.say("directories", (double) namespace.directories());
      bootstrap(image());
      Files.delete(imageFile());
      restart();
      Reply.say("heap", (double) heap.mebibytes());
    }
  }

  /** A file as a NameNode writes it; making it is not measured, reading it is. */
  private Image image() throws IOException {
    try (FsImageWriter writer = new FsImageWriter(imageFile(), namespace.transaction())) {
      namespace.read(writer);
      writer.finish();
    }
    return FsImage.open(imageFile());
  }

  private Path imageFile() {
    return folder.resolveSibling(folder.getFileName() + ".fsimage");
  }

  private void bootstrap(Image image) throws IOException {
    try (NamespaceIndex index = NamespaceIndex.open(folder, Clock.systemUTC())) {
      long start = System.nanoTime();
      index.rebuild(image, (phase, done) -> Reply.say(phase.name(), (double) done));
      Reply.say("bootstrap", seconds(start));
      index.compact();
      Reply.say("bytes", (double) index.bytes());
    }
  }

  private void restart() {
    long start = System.nanoTime();
    try (NamespaceIndex index = NamespaceIndex.open(folder, Clock.systemUTC())) {
      pick(index);
      Reply.say("restart", seconds(start));
      double[] picks = new double[PICKS];
      for (int i = 0; i < PICKS; i++) {
        long begin = System.nanoTime();
        pick(index);
        picks[i] = 1e3 * seconds(begin);
      }
      Reply.say("pick", picks);
      follow(index);
    }
  }

  private static void pick(NamespaceIndex index) {
    List<String> coldest = new ArrayList<>(PICKED);
    index.coldestFirst(
        file -> {
          coldest.add(file.path());
          return coldest.size() < PICKED ? ColdFileVisitor.keep() : ColdFileVisitor.stop();
        });
    if (coldest.size() != PICKED) {
      throw new IllegalStateException("Only %d files were picked".formatted(coldest.size()));
    }
  }

  private void follow(NamespaceIndex index) {
    EventStream stream = new EventStream(namespace, 1);
    List<Double> rates = new ArrayList<>();
    long transaction = index.transaction().orElseThrow();
    double took = 0;
    for (int batch = 1; batch <= WARM_UP_BATCHES + batches; batch++) {
      List<NamespaceEvent> events = stream.next();
      transaction += events.size();
      long start = System.nanoTime();
      index.apply(events, transaction, new Watermark("events", Long.toString(transaction)));
      took += seconds(start);
      if (batch % MEASURED_TOGETHER == 0) {
        if (batch > WARM_UP_BATCHES) {
          rates.add(MEASURED_TOGETHER * EventStream.BATCH / took);
        }
        took = 0;
        Reply.say("FOLLOWING", batch * (double) EventStream.BATCH);
      }
    }
    Reply.say("events", rates.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
