package io.hdfsraid.raidapi;

import java.time.Instant;

/**
 * So much failed at once that most repairs pause.
 *
 * @param since when it was noticed
 * @param why with the numbers
 */
public record StormView(Instant since, String why) {}
