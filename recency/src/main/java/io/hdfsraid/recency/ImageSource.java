// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import io.hdfsraid.recency.index.NamespaceIndex;
import io.hdfsraid.recency.index.RebuildResult;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.source.Timestamps;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Rebuilds the index from the NameNode's latest image if a rebuild was requested and the last one
 * was not recent. If no image can be read, the problem is reported and the present index stays in
 * use. One thread reads; any thread may request.
 */
final class ImageSource {
  private static final Logger LOG = LoggerFactory.getLogger(ImageSource.class);
  private static final Duration AFTER_A_FAILURE = Duration.ofMinutes(5);

  /**
   * The NameNode usually writes an image every hour, so the next may close a gap that the last did
   * not.
   */
  private static final Duration AFTER_A_SUCCESS = Duration.ofHours(1);

  private final NamespaceIndex index;
  private final Timestamps timestamps;
  private final NamespaceSources cluster;
  private final Path scratch;
  private final Clock clock;

  /** The reason for the request; null if there is none. */
  private final AtomicReference<String> asked = new AtomicReference<>();

  private Instant notBefore = Instant.MIN;
  private volatile Optional<String> problem = Optional.empty();
  private volatile Optional<RebuildResult> lastRebuilt = Optional.empty();

  /**
   * @param scratch the folder for images until they are taken in
   */
  ImageSource(
      NamespaceIndex index,
      Timestamps timestamps,
      NamespaceSources cluster,
      Path scratch,
      Clock clock) {
    this.index = index;
    this.timestamps = timestamps;
    this.cluster = cluster;
    this.scratch = scratch;
    this.clock = clock;
  }

  /** Requests a rebuild; the reason of the first request is kept. */
  void ask(String because) {
    boolean unused = asked.compareAndSet(null, because);
  }

  /**
   * Reads an image if one was requested and the waiting time is over. After a failure the request
   * stays.
   */
  boolean readIfAsked(ImageOrigin origin, OptionalLong gap) throws InterruptedIOException {
    String because = asked.get();
    return because != null && read(because, origin, gap);
  }

  /**
   * Reads an image if the waiting time is over.
   *
   * @param origin which NameNode is to send it
   * @param gap the transaction at which the gap in the edit log begins that the image must close
   * @return whether the index was rebuilt
   */
  boolean read(String because, ImageOrigin origin, OptionalLong gap) throws InterruptedIOException {
    if (isPausing()) {
      return false;
    }
    try {
      rebuild(because, origin, gap);
      return true;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      notBefore = clock.instant().plus(AFTER_A_FAILURE);
      problem = Optional.of("No image of the namespace can be read: " + e.getMessage());
      LOG.atWarn()
          .addKeyValue("again", notBefore)
          .addKeyValue("because", e.getMessage())
          .log("No image can be read");
      LOG.debug("No image can be read", e);
      return false;
    }
  }

  /** A clock that was set back ends a pause, or it could last for ever. */
  private boolean isPausing() {
    Instant now = clock.instant();
    return now.isBefore(notBefore) && !notBefore.isAfter(now.plus(AFTER_A_SUCCESS));
  }

  private void rebuild(String because, ImageOrigin origin, OptionalLong gap) throws IOException {
    Instant began = clock.instant();
    LOG.atInfo().addKeyValue("because", because).log("Reading the NameNode's image");
    EarliestRecordedAccess times = new EarliestRecordedAccess();
    RebuildResult rebuilt;
    try {
      Image image = cluster.image(scratch, origin);
      requireClosing(gap, image);
      rebuilt = index.rebuild(times.over(image), (phase, inodes) -> goOn());
    } finally {
      removeImages();
    }
    asked.set(null);
    notBefore = clock.instant().plus(AFTER_A_SUCCESS);
    problem = Optional.empty();
    timestamps.instant(Timestamps.LAST_IMAGE, began);
    times.note(timestamps);
    lastRebuilt = Optional.of(rebuilt);
    LoggingEventBuilder line =
        LOG.atInfo()
            .addKeyValue("files", rebuilt.files())
            .addKeyValue("transaction", rebuilt.transaction());
    if (rebuilt.drift().isPresent()) {
      line = line.addKeyValue("drift", rebuilt.drift().get());
    }
    line.addKeyValue("seconds", Duration.between(began, clock.instant()).toMillis() / 1000.0)
        .log("The index was rebuilt from the NameNode's image");
  }

  /** Ends the rebuild when the thread is interrupted: it may take minutes. */
  private static void goOn() {
    if (Thread.interrupted()) {
      throw new UncheckedIOException(
          new InterruptedIOException("Interrupted while the image was read"));
    }
  }

  private static void requireClosing(OptionalLong gap, Image image) throws IOException {
    if (gap.isPresent() && image.transaction() <= gap.getAsLong()) {
      throw new IOException(
          "The latest image ends with transaction %d, but the index knows all up to %d: let the NameNode write a new image (hdfs dfsadmin -saveNamespace)"
              .formatted(image.transaction(), gap.getAsLong()));
    }
  }

  private void removeImages() throws IOException {
    try (DirectoryStream<Path> images =
        Files.newDirectoryStream(Files.createDirectories(scratch), "fsimage_*")) {
      for (Path image : images) {
        Files.delete(image);
      }
    }
  }

  /** Returns why the last image could not be read. */
  Optional<String> problem() {
    return problem;
  }

  Optional<RebuildResult> lastRebuilt() {
    return lastRebuilt;
  }
}
