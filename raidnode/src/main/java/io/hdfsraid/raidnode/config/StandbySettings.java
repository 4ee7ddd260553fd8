// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import io.dropwizard.util.Duration;
import io.dropwizard.validation.MinDuration;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The settings of a daemon while another one works on the cluster.
 *
 * @param enabled whether it stands by to take over; default true. Otherwise it refuses to start
 * @param takeOverAfter how long heartbeats of the active daemon may be missing; default 20 s
 * @param address where others reach the API of this daemon; by default the name of this machine
 *     with the port of the API
 */
public record StandbySettings(
    Boolean enabled,
    @MinDuration(value = 10, unit = TimeUnit.SECONDS) Duration takeOverAfter,
    Optional<URI> address) {
  public StandbySettings {
    enabled = requireNonNullElse(enabled, true);
    takeOverAfter = requireNonNullElse(takeOverAfter, Duration.seconds(20));
    address = address.filter(uri -> !uri.toString().isEmpty());
  }

  public static StandbySettings defaults() {
    return new StandbySettings(null, null, Optional.empty());
  }
}
