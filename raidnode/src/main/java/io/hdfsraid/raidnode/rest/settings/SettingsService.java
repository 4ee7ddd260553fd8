// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.settings;

import io.hdfsraid.raidapi.settings.SettingsReport;
import io.hdfsraid.raidapi.settings.SettingsRequest;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.config.RaidNodeConfiguration;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.TunableSettings;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes settings of the running daemon. A change holds until the daemon starts again and reads
 * its configuration file.
 */
public class SettingsService {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsService.class);
  private static final String EVENT = "setting";

  /** The path under which the history lists a change of settings. */
  private static final String EVERYTHING = "/";

  private final RaidNodeConfiguration configured;
  private final Catalog catalog;
  private final Consumer<Tuning> apply;
  private final Clock clock;

  /** The configuration in force. Guarded by this. */
  private RaidNodeConfiguration now;

  /**
   * Creates a service without changes.
   *
   * @param configured the configuration with which the daemon was started
   * @param apply puts changed settings in force
   */
  public SettingsService(
      RaidNodeConfiguration configured, Catalog catalog, Consumer<Tuning> apply, Clock clock) {
    this.configured = configured;
    this.now = configured;
    this.catalog = catalog;
    this.apply = apply;
    this.clock = clock;
  }

  public synchronized SettingsReport settings() {
    return view(List.of(), false);
  }

  /**
   * Carries out all changes of a request, or none.
   *
   * @throws ApiFailure with all mistakes of the request
   */
  public synchronized SettingsReport change(SettingsRequest request, String by) {
    RaidNodeConfiguration wanted = wanted(request);
    List<SettingsReport.Change> changes = changes(wanted);
    if (request.dryRun()) {
      return view(changes, false);
    }
    // Recorded first: there must be no change without a record.
    changes.forEach(change -> writeDown(change, by));
    apply.accept(wanted.tuning());
    now = wanted;
    return view(changes, true);
  }

  private RaidNodeConfiguration wanted(SettingsRequest request) {
    try {
      return TunableSettings.with(now, request.values());
    } catch (SettingsException e) {
      throw ApiFailure.badRequest(
          e.problems().stream()
              .map(problem -> "%s: %s".formatted(problem.key(), problem.message()))
              .collect(Collectors.joining("; ")),
          "Nothing was changed. 'raidshell settings' lists the settings.");
    }
  }

  private List<SettingsReport.Change> changes(RaidNodeConfiguration wanted) {
    return TunableSettings.keys().stream()
        .map(
            key ->
                new SettingsReport.Change(
                    key, TunableSettings.value(now, key), TunableSettings.value(wanted, key)))
        .filter(change -> !change.from().equals(change.to()))
        .toList();
  }

  private void writeDown(SettingsReport.Change change, String by) {
    catalog
        .history()
        .add(
            new HistoryRecord(
                    clock.instant(),
                    EVENT,
                    Optional.empty(),
                    EVERYTHING,
                    true,
                    by,
                    "%s: %s -> %s".formatted(change.key(), change.from(), change.to()),
                    0,
                    0)
                .changing(change.key() + "=" + change.from(), change.key() + "=" + change.to()));
    LOG.atInfo()
        .addKeyValue("setting", change.key())
        .addKeyValue("from", change.from())
        .addKeyValue("to", change.to())
        .log("A setting was changed until the next start");
  }

  private SettingsReport view(List<SettingsReport.Change> changes, boolean changed) {
    return new SettingsReport(
        TunableSettings.keys().stream()
            .map(
                key ->
                    new SettingsReport.Setting(
                        key,
                        TunableSettings.value(now, key),
                        TunableSettings.value(configured, key),
                        TunableSettings.what(key)))
            .toList(),
        changes,
        changed);
  }
}
