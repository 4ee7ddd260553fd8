// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.repairs;

import java.time.Instant;

/**
 * A failure of so many nodes or stripes at once that most repairs pause.
 *
 * @param since when it was noticed
 * @param why the reason, with numbers
 */
public record RepairStorm(Instant since, String why) {}
