// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import io.dropwizard.util.Duration;
import io.dropwizard.validation.DurationRange;
import io.hdfsraid.recency.RecencyOptions;
import io.hdfsraid.recency.auditlog.AuditLogSettings;
import io.hdfsraid.recency.auditlog.IgnoredReaders;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Where the knowledge about files and their use comes from.
 *
 * @param namespace how the namespace is read; default image
 * @param rereadAfter how old an image may be; default 7 days
 * @param atimeSince since when the NameNode has recorded access times without a break; empty: found
 *     out from the namespace, as the earliest access time that is later than its file's last change
 * @param auditLogs paths of the NameNodes' audit logs, with {@code *} within names, and with
 *     {@value #NAMESERVICE} if the daemon guards several; default none
 * @param auditLogTimeZone time zone of the audit logs; default that of this machine
 * @param auditLogHistory how far back logs are read that were never followed; default 30 days
 * @param ignoredUsers whose reads in the audit log do not count, besides the daemon's own
 * @param ignoredClients addresses of clients whose reads in the audit log do not count
 */
public record RecencySettings(
    Namespace namespace,
    @DurationRange(min = 1, max = 3650, unit = TimeUnit.DAYS) Duration rereadAfter,
    Optional<Instant> atimeSince,
    List<String> auditLogs,
    ZoneId auditLogTimeZone,
    @DurationRange(min = 0, max = 3650, unit = TimeUnit.DAYS) Duration auditLogHistory,
    List<String> ignoredUsers,
    List<String> ignoredClients) {
  /** Stands for the name of the nameservice, where a daemon guards several. */
  static final String NAMESERVICE = "{nameservice}";

  /** How the namespace is read. */
  public enum Namespace {
    IMAGE,
    LISTING;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public RecencySettings {
    namespace = requireNonNullElse(namespace, Namespace.IMAGE);
    rereadAfter = requireNonNullElse(rereadAfter, Duration.days(7));
    atimeSince = atimeSince == null ? Optional.empty() : atimeSince;
    auditLogs = requireNonNullElse(auditLogs, List.of());
    auditLogTimeZone = requireNonNullElse(auditLogTimeZone, ZoneId.systemDefault());
    auditLogHistory = requireNonNullElse(auditLogHistory, Duration.days(30));
    ignoredUsers = requireNonNullElse(ignoredUsers, List.of());
    ignoredClients = requireNonNullElse(ignoredClients, List.of());
  }

  /** Returns the settings of one of several nameservices, each of which has its own audit logs. */
  public RecencySettings of(String nameservice) {
    return new RecencySettings(
        namespace,
        rereadAfter,
        atimeSince,
        auditLogs.stream().map(log -> log.replace(NAMESERVICE, nameservice)).toList(),
        auditLogTimeZone,
        auditLogHistory,
        ignoredUsers,
        ignoredClients);
  }

  /**
   * Returns the rules that the recency module needs.
   *
   * @param ownUser user of the daemon
   * @param ownRoot directory of the parity
   * @param scratch local folder for images
   */
  public RecencyOptions rules(String ownUser, String ownRoot, Path scratch) {
    List<String> ignored = new ArrayList<>(ignoredUsers);
    ignored.add(ownUser);
    return new RecencyOptions(
        namespace == Namespace.IMAGE ? RecencyOptions.Mode.IMAGE : RecencyOptions.Mode.LISTING,
        rereadAfter.toJavaDuration(),
        scratch,
        atimeSince,
        auditLogs.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new AuditLogSettings(
                    auditLogs,
                    auditLogTimeZone,
                    new IgnoredReaders(ignored, ignoredClients),
                    auditLogHistory.toJavaDuration(),
                    ownRoot)),
        ownRoot);
  }
}
