// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import io.hdfsraid.raidnode.access.TicketException;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.config.SettingsFiles.Identities;
import io.hdfsraid.raidnode.hdfs.KerberosIdentity;
import io.hdfsraid.raidnode.hdfs.KerberosLogin;
import io.hdfsraid.raidnode.hdfs.ServiceTickets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/** Logs in to the cluster as the daemon would, so that all further questions are asked as it. */
final class KerberosCheck {
  private static final String NAME = "Kerberos";
  private static final String API = "Kerberos of the REST API";

  private KerberosCheck() {}

  /** Logs in, and says how that went; nothing on a cluster without Kerberos. */
  static List<CheckResult> logIn(Path nodeFile, Optional<Settings> settings, Configuration hadoop) {
    Identities identities = Identities.NONE;
    if (settings.isPresent()) {
      try {
        identities = SettingsFiles.identities(nodeFile, settings.get());
      } catch (SettingsException e) {
        return List.of(
            CheckResult.fail(
                NAME,
                e.getMessage().lines().reduce((one, two) -> one + "; " + two).orElseThrow(),
                "Run this as the user of the daemon. docs/kerberos.md has all steps."));
      }
    }
    List<CheckResult> results = new ArrayList<>();
    if (identities.login().isPresent()) {
      results.add(keytab(identities.login().get()));
    } else if (KerberosIdentity.isAskedFor(hadoop)) {
      results.add(ticketCache());
    }
    if (identities.api().isPresent()
        && results.stream().noneMatch(result -> result.grade() == Grade.FAIL)) {
      results.add(api(identities.api().get()));
    }
    return results;
  }

  /**
   * A daemon without Kerberos for its API can still raid, so nothing here is more than a warning.
   */
  private static CheckResult api(KerberosIdentity service) {
    try {
      new ServiceTickets(service.principal(), service.keytab()).tryOwn();
    } catch (IOException | TicketException e) {
      return CheckResult.warn(
          API,
          e.getMessage(),
          "Users cannot log in to the REST API with Kerberos until this works.");
    }
    String seen = "Tickets for %s are accepted".formatted(service.principal());
    return service
        .warning()
        .map(warning -> CheckResult.warn(API, seen, warning))
        .orElseGet(() -> CheckResult.ok(API, seen));
  }

  private static CheckResult keytab(KerberosIdentity identity) {
    KerberosLogin login = new KerberosLogin(identity, Clock.systemUTC());
    try {
      login.logIn();
    } catch (IOException e) {
      return CheckResult.fail(
          NAME, e.getMessage(), "docs/kerberos.md says what each of these messages means.");
    }
    String ends = login.state().ends().map(Instant::toString).orElse("an unknown time");
    String seen = "Logged in as %s; the ticket ends at %s".formatted(identity.principal(), ends);
    return identity
        .warning()
        .map(warning -> CheckResult.warn(NAME, seen, warning))
        .orElseGet(() -> CheckResult.ok(NAME, seen));
  }

  private static CheckResult ticketCache() {
    String advice =
        "Set hadoop.principal and hadoop.keytab in raidnode.yml: with a ticket cache, the daemon"
            + " stops working when the ticket ends.";
    try {
      UserGroupInformation user = UserGroupInformation.getLoginUser();
      return user.hasKerberosCredentials()
          ? CheckResult.warn(NAME, "Uses the ticket cache of " + user.getUserName(), advice)
          : CheckResult.fail(NAME, "There is neither a keytab nor a ticket", advice);
    } catch (IOException e) {
      return CheckResult.fail(NAME, "There is no login: " + e.getMessage(), advice);
    }
  }
}
