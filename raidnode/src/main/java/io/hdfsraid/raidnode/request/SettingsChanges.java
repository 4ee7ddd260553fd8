package io.hdfsraid.raidnode.request;

import io.hdfsraid.raidapi.SettingsRequest;
import io.hdfsraid.raidapi.SettingsView;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Outcome;
import io.hdfsraid.raidnode.config.RaidNodeConfiguration;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.TunableSettings;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.SettingsAnswers;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes how hard the running daemon works. What is changed holds until it is started again: then
 * the file counts, which is what an administrator reads and keeps.
 */
public final class SettingsChanges implements SettingsAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsChanges.class);
  private static final String EVENT = "setting";

  /**
   * A setting concerns everything, so the line is found below any path that is asked for as "/".
   */
  private static final String EVERYTHING = "/";

  private final RaidNodeConfiguration configured;
  private final Catalog catalog;
  private final Consumer<Tuning> apply;
  private final Clock clock;

  /** Guarded by this. */
  private RaidNodeConfiguration now;

  /**
   * No change yet.
   *
   * @param configured what the daemon was started with
   * @param apply has the daemon work so from now on
   */
  public SettingsChanges(
      RaidNodeConfiguration configured, Catalog catalog, Consumer<Tuning> apply, Clock clock) {
    this.configured = configured;
    this.now = configured;
    this.catalog = catalog;
    this.apply = apply;
    this.clock = clock;
  }

  @Override
  public synchronized SettingsView settings() {
    return view(List.of(), false);
  }

  @Override
  public synchronized SettingsView change(SettingsRequest request) {
    RaidNodeConfiguration wanted = wanted(request);
    List<SettingsView.Change> changes = changes(wanted);
    if (request.dryRun()) {
      return view(changes, false);
    }
    // Written down first: a change that nobody can see later must not be.
    changes.forEach(this::writeDown);
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
          "Nothing was changed. 'raidshell settings' lists the settings there are.");
    }
  }

  private List<SettingsView.Change> changes(RaidNodeConfiguration wanted) {
    return TunableSettings.keys().stream()
        .map(
            key ->
                new SettingsView.Change(
                    key, TunableSettings.value(now, key), TunableSettings.value(wanted, key)))
        .filter(change -> !change.from().equals(change.to()))
        .toList();
  }

  private void writeDown(SettingsView.Change change) {
    catalog
        .history()
        .add(
            new Outcome(
                clock.instant(),
                EVENT,
                Optional.empty(),
                EVERYTHING,
                true,
                OperatorRequests.OPERATOR,
                "%s: %s -> %s".formatted(change.key(), change.from(), change.to()),
                0,
                0));
    LOG.atInfo()
        .addKeyValue("setting", change.key())
        .addKeyValue("from", change.from())
        .addKeyValue("to", change.to())
        .log("A setting was changed, until the next start");
  }

  private SettingsView view(List<SettingsView.Change> changes, boolean changed) {
    return new SettingsView(
        TunableSettings.keys().stream()
            .map(
                key ->
                    new SettingsView.Setting(
                        key,
                        TunableSettings.value(now, key),
                        TunableSettings.value(configured, key),
                        TunableSettings.what(key)))
            .toList(),
        changes,
        changed);
  }
}
