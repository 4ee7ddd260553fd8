// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import io.hdfsraid.blockfixer.repair.StripeClaims;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.containers.ContainerBounds;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.raiding.core.Cluster;
import java.time.Clock;

/**
 * The parts that all wirings of a daemon share.
 *
 * @param claims keep repairs, moves and reports of one stripe apart
 * @param containerBounds bounds what all containers do together
 */
record SharedParts(
    Cluster cluster,
    Catalog catalog,
    JobSettings settings,
    TuningControl tuning,
    StripeClaims claims,
    ContainerBounds containerBounds,
    Journal journal,
    JobListeners listeners,
    Clock clock) {}
