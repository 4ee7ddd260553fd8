package io.hdfsraid.raidapi;

import java.time.Instant;

/**
 * What it has cost to have raided files that were not as cold as they seemed.
 *
 * @param since when counting began
 * @param opens how often raided files were opened, as far as audit logs tell; with one replica left
 *     instead of several, so many reads at most went to another node for that
 * @param reheatedFiles how many have got their replicas back for it
 * @param reheatedBytes what was copied for these
 */
public record ReheatCost(Instant since, long opens, long reheatedFiles, long reheatedBytes) {}
