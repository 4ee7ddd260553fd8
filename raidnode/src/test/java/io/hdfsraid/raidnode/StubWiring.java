// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.access.KerberosCallers;
import io.hdfsraid.raidnode.audit.AuditRecorder;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.config.ApiSettings;
import io.hdfsraid.raidnode.config.CatalogSettings;
import io.hdfsraid.raidnode.config.CodingSettings;
import io.hdfsraid.raidnode.config.RaidNodeConfiguration;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.health.CatalogHealth;
import io.hdfsraid.raidnode.metrics.RaidMetrics;
import io.hdfsraid.raidnode.schedule.Job;
import io.hdfsraid.raidnode.schedule.Schedule;
import io.hdfsraid.recency.NoRecencyStatus;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** A daemon with a real catalog and schedule, stubs for the rest, and no HDFS. */
final class StubWiring implements Wiring {
  final StubServices services = new StubServices();

  /** Registered beside the resources. */
  final List<Object> filters = new ArrayList<>();

  /** What was stopped or closed, in order. */
  final List<String> stopped = new CopyOnWriteArrayList<>();

  /** Completed when another daemon takes over. */
  final CompletableFuture<String> end = new CompletableFuture<>();

  final AtomicBoolean ready = new AtomicBoolean(true);

  /** Whose tickets are accepted. */
  Optional<KerberosCallers> kerberos = Optional.empty();

  RaidMetrics metrics;

  /** Whoever is on this machine may do anything. */
  static Settings settings(Path folder) {
    return settings(folder, "admin", "portable");
  }

  static Settings settings(Path folder, String withoutToken, String kernel) {
    return settings(folder, withoutToken, kernel, false);
  }

  /** Returns the settings of {@link #settings(Path)}, but each change needs a reason. */
  static Settings requiringReasons(Path folder) {
    return settings(folder, "admin", "portable", true);
  }

  private static Settings settings(
      Path folder, String withoutToken, String kernel, boolean requireReason) {
    RaidNodeConfiguration node =
        new RaidNodeConfiguration(
                null,
                null,
                new CatalogSettings(Path.of("catalog"), null, null),
                null,
                null,
                null,
                new CodingSettings(kernel),
                null,
                null,
                null,
                null,
                new ApiSettings(
                    Path.of("tokens.json"),
                    withoutToken,
                    List.of("raid.example"),
                    requireReason,
                    null,
                    null,
                    null),
                null,
                null)
            .listenOn(0, 0);
    return new Settings(node, Policies.of(), folder);
  }

  @Override
  public Optional<KerberosCallers> kerberosCallers(Settings settings) {
    return kerberos;
  }

  @Override
  public Daemon wire(Settings settings, RaidMetrics metrics, Clock clock, Opened opened) {
    this.metrics = metrics;
    opened.add(() -> stopped.add("first"));
    Catalog catalog = opened.add(Catalog.open(settings.catalogDirectory(), clock));
    opened.add(() -> stopped.add("last"));
    Schedule schedule =
        new Schedule(
            List.of(new Job("scan", "0 0 0 1 1 ?", ZoneId.of("UTC"), () -> stopped.add("scanned"))),
            clock,
            metrics);
    HealthCheck nameNode =
        new HealthCheck() {
          @Override
          protected Result check() {
            return Result.healthy("20 live DataNodes");
          }
        };
    return new Daemon(
        catalog,
        schedule,
        Stream.concat(services.resources().stream(), filters.stream()).toList(),
        new NoRecencyStatus(),
        Map.of("catalog", new CatalogHealth(catalog), "namenode", nameNode),
        ready::get,
        new AuditRecorder(),
        address -> {},
        end);
  }
}
