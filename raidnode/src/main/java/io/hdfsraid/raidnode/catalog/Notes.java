package io.hdfsraid.raidnode.catalog;

import java.time.Instant;
import java.util.Optional;

/** Single facts that outlive a restart, by name. */
public final class Notes {
  /** Since when accesses have been recorded. */
  public static final String TRACKING_START = "tracking-start";

  /** When the last complete scan began. */
  public static final String LAST_SCAN = "last-scan";

  private final Store store;

  Notes(Store store) {
    this.store = store;
  }

  public Optional<String> text(String name) {
    return store.get(Tables.META, "note/" + name);
  }

  public void text(String name, String value) {
    store.put(Tables.META, "note/" + name, value);
  }

  public Optional<Instant> instant(String name) {
    return text(name).map(Instant::parse);
  }

  public void instant(String name, Instant value) {
    text(name, value.toString());
  }

  public void remove(String name) {
    store.remove(Tables.META, "note/" + name);
  }
}
