// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.recency.rocksdb.TableStore;
import io.hdfsraid.recency.source.Timestamps;
import java.time.Instant;
import java.util.Optional;

/** Single values by name that survive a restart. */
public final class Notes implements Timestamps {
  /** When the last complete scan began. */
  public static final String LAST_SCAN = "last-scan";

  /** When the last integrity check began that has ended. */
  public static final String LAST_CHECK = "last-integrity-check";

  /** When the last integrity check began that has looked at all parity. */
  public static final String LAST_FULL_CHECK = "last-full-integrity-check";

  /** When the last check of the members of groups began. */
  public static final String LAST_MEMBERSHIP_CHECK = "last-membership-check";

  /** What the last evaluation of all files counted. */
  public static final String EVALUATION = "evaluation";

  private static final ObjectMapper JSON =
      ApiJson.ofFiles()
          .enable(
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

  private final TableStore store;

  Notes(TableStore store) {
    this.store = store;
  }

  /**
   * Makes the daemon compare all of HDFS with the catalog before anything else, because it is older
   * than what has been done since.
   */
  public void distrust() {
    remove(LAST_SCAN);
    remove(LAST_CHECK);
    remove(LAST_FULL_CHECK);
    remove(LAST_MEMBERSHIP_CHECK);
  }

  public Optional<String> text(String name) {
    return store.get(Tables.META, "note/" + name);
  }

  public void text(String name, String value) {
    store.put(Tables.META, "note/" + name, value);
  }

  @Override
  public Optional<Instant> instant(String name) {
    return text(name).map(Instant::parse);
  }

  @Override
  public void instant(String name, Instant value) {
    text(name, value.toString());
  }

  /** Empty also for what another version has written: what it stood for then begins anew. */
  public <R extends Record> Optional<R> record(String name, Class<R> type) {
    try {
      Optional<String> written = text(name);
      return written.isEmpty()
          ? Optional.empty()
          : Optional.of(JSON.readValue(written.get(), type));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  public void record(String name, Record value) {
    try {
      text(name, JSON.writeValueAsString(value));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("The note cannot be written as JSON", e);
    }
  }

  @Override
  public void remove(String name) {
    store.remove(Tables.META, "note/" + name);
  }
}
