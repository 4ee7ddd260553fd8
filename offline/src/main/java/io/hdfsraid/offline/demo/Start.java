package io.hdfsraid.offline.demo;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.offline.output.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts the HDFS, and shows how far that is by what appears on the disk. */
final class Start {
  private static final long INTERVAL_MILLIS = 200;

  private Start() {}

  static EmbeddedHdfs hdfs(DemoSettings settings, Path directory, Story story) throws IOException {
    ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor();
    try (Progress progress = story.items("DataNodes started", settings.dataNodes())) {
      var unused =
          looking.scheduleWithFixedDelay(
              () -> progress.stepTo(started(directory)),
              INTERVAL_MILLIS,
              INTERVAL_MILLIS,
              TimeUnit.MILLISECONDS);
      EmbeddedHdfs hdfs =
          EmbeddedHdfs.builder()
              .dataNodes(settings.dataNodes())
              .racks(DemoSettings.RACKS)
              .blockSize(settings.data().blockSize())
              .directory(directory)
              // Ctrl-C ends the demo in order; Hadoop would close under it what it still uses.
              .set("fs.automatic.close", "false")
              .start();
      looking.shutdownNow();
      progress.stepTo(settings.dataNodes());
      return hdfs;
    } finally {
      looking.shutdownNow();
    }
  }

  /** A DataNode writes its version when it has met the NameNode. */
  private static long started(Path directory) {
    try (Stream<Path> storages = Files.list(directory.resolve("data"))) {
      return storages.filter(path -> Files.exists(path.resolve("current/VERSION"))).count();
    } catch (IOException e) {
      return 0; // there is nothing yet
    }
  }
}
