// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import io.dropwizard.jetty.HttpConnectorFactory;
import io.dropwizard.jetty.HttpsConnectorFactory;
import io.hdfsraid.raidnode.access.Role;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Warns of an API that nobody can use, and of tokens that travel unencrypted. */
final class AccessAdvice {
  private final Settings settings;

  AccessAdvice(Settings settings) {
    this.settings = settings;
  }

  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    ApiSettings api = settings.node().api();
    boolean kerberos = api.kerberos().principal().isPresent();
    boolean granted = !api.roles().granted().isEmpty();
    if (kerberos && !granted) {
      warnings.add("api.roles: nobody has a role, so every Kerberos user is rejected");
    }
    if (granted && !kerberos) {
      warnings.add(
          "api.roles: has no effect, because roles are for Kerberos users, and api.kerberos is not set");
    }
    if (api.roleWithoutToken().isEmpty()
        && !(kerberos && granted)
        && !Files.exists(settings.tokensFile())) {
      warnings.add(
          "api: nobody can use the REST API: there is no %s; create a token with 'raidnode token create', or set api.withoutToken"
              .formatted(settings.tokensFile()));
    }
    boolean others = (kerberos && granted) || Files.exists(settings.tokensFile());
    api.roleWithoutToken()
        .filter(role -> others && role != Role.VIEWER)
        .ifPresent(
            role ->
                warnings.add(
                    "api.withoutToken: every user of this machine is %s, although people have tokens or tickets; set viewer or none"
                        .formatted(role.name().toLowerCase(Locale.ROOT))));
    for (HttpConnectorFactory http : settings.node().httpConnectors()) {
      if (!(http instanceof HttpsConnectorFactory) && !isLoopback(http.getBindHost())) {
        warnings.add(
            "server: other machines can reach port %d, and tokens travel there unencrypted: use a connector of type https, or bindHost 127.0.0.1"
                .formatted(http.getPort()));
      }
    }
    return warnings;
  }

  private static boolean isLoopback(String host) {
    if (host == null) {
      return false; // all addresses
    }
    try {
      return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
