package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.namespace.NamespaceIndex;
import io.hdfsraid.raidnode.catalog.namespace.Rebuilt;
import io.hdfsraid.raidnode.namespace.Image;
import java.io.IOException;
import java.io.InterruptedIOException;
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

/**
 * Makes the index anew from the NameNode's latest image, when somebody has asked for that and it
 * was not done lately. An image that cannot be had is a problem that is shown, and no reason not to
 * go on with what is known. One thread reads; all may ask.
 */
final class ImageSource {
  private static final Logger LOG = LoggerFactory.getLogger(ImageSource.class);
  private static final Duration AFTER_A_FAILURE = Duration.ofMinutes(5);

  /** One is made an hour, as a rule: what the last did not close the next may. */
  private static final Duration AFTER_A_SUCCESS = Duration.ofHours(1);

  private final NamespaceIndex index;
  private final Notes notes;
  private final NamespaceSources cluster;
  private final Path scratch;
  private final Clock clock;

  /** Why one is to be read; null when none is. */
  private final AtomicReference<String> asked = new AtomicReference<>();

  private Instant notBefore = Instant.MIN;
  private volatile Optional<String> problem = Optional.empty();
  private volatile Optional<Rebuilt> lastRebuilt = Optional.empty();

  /**
   * @param scratch where images lie until they are taken in
   */
  ImageSource(
      NamespaceIndex index, Notes notes, NamespaceSources cluster, Path scratch, Clock clock) {
    this.index = index;
    this.notes = notes;
    this.cluster = cluster;
    this.scratch = scratch;
    this.clock = clock;
  }

  /** Who asks first says why. */
  void ask(String because) {
    boolean unused = asked.compareAndSet(null, because);
  }

  /** Reads one if it was asked for and it is time; what was asked for in vain stays asked for. */
  boolean readIfAsked(OptionalLong gap) throws InterruptedIOException {
    String because = asked.get();
    return because != null && read(because, gap);
  }

  /**
   * Reads one if it is time.
   *
   * @param gap the transaction at which a gap in the edit log begins that the image is to close
   * @return whether the index was made anew
   */
  boolean read(String because, OptionalLong gap) throws InterruptedIOException {
    if (clock.instant().isBefore(notBefore)) {
      return false;
    }
    try {
      rebuild(because, gap);
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

  private void rebuild(String because, OptionalLong gap) throws IOException {
    Instant began = clock.instant();
    LOG.atInfo().addKeyValue("because", because).log("The NameNode's image is read");
    EarliestAccess times = new EarliestAccess();
    Rebuilt rebuilt;
    try {
      Image image = cluster.image(scratch);
      requireClosing(gap, image);
      rebuilt = index.rebuild(times.over(image), (phase, inodes) -> {});
    } finally {
      removeImages();
    }
    asked.set(null);
    notBefore = clock.instant().plus(AFTER_A_SUCCESS);
    problem = Optional.empty();
    notes.instant(Notes.LAST_IMAGE, began);
    times.note(notes);
    lastRebuilt = Optional.of(rebuilt);
    LOG.atInfo()
        .addKeyValue("files", rebuilt.files())
        .addKeyValue("transaction", rebuilt.transaction())
        .addKeyValue("drift", rebuilt.drift())
        .addKeyValue("took", Duration.between(began, clock.instant()))
        .log("The NameNode's image is taken in");
  }

  private static void requireClosing(OptionalLong gap, Image image) throws IOException {
    if (gap.isPresent() && image.transaction() <= gap.getAsLong()) {
      throw new IOException(
          "The latest one ends with transaction %d, and those up to %d are known already: let the NameNode make another (hdfs dfsadmin -saveNamespace)"
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

  /** Why the last could not be read. */
  Optional<String> problem() {
    return problem;
  }

  Optional<Rebuilt> lastRebuilt() {
    return lastRebuilt;
  }
}
