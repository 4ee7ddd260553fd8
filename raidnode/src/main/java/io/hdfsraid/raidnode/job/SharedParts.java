package io.hdfsraid.raidnode.job;

import io.hdfsraid.blockfixer.repair.StripeClaims;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.core.Cluster;
import java.time.Clock;

/**
 * The parts that the wirings of all rooms share.
 *
 * @param claims keep repairs, moves and reports of one stripe apart
 * @param steps is told each step of the pipelines
 */
record SharedParts(
    Cluster cluster,
    Catalog catalog,
    JobSettings settings,
    TuningControl tuning,
    StripeClaims claims,
    Journal journal,
    RaidEvents events,
    StepListener steps,
    Clock clock) {}
