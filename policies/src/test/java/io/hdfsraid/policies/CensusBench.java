// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * How many verdicts a second one core gives: ten policies of three globs each, over paths as Hive
 * makes them. Not a test: run its main, with the classes of the module and of its tests.
 */
final class CensusBench {
  private static final Instant NOW = Instant.parse("2030-06-01T00:00:00Z");
  private static final int FILES = 200_000;
  private static final int ROUNDS = 12;

  private CensusBench() {}

  /** The first half of the rounds warms up; the others are printed, then the reasons given. */
  public static void main(String[] arguments) {
    Judge judge =
        new Judge(
            Policies.of(policies().toArray(Policy[]::new)),
            "/.raid",
            (codec, length, blockSize) -> (length + 2) / 3,
            Clock.fixed(NOW, ZoneOffset.UTC));
    AccessTracking tracking = AccessTracking.since(NOW.minus(Duration.ofDays(1000)));
    List<FileFacts> files = files();
    for (int round = 0; round < ROUNDS; round++) {
      Map<Reason, Integer> reasons = new EnumMap<>(Reason.class);
      int raid = 0;
      long begin = System.nanoTime();
      for (FileFacts file : files) {
        Optional<Reason> reason = judge.verdict(file, tracking).whyNot();
        if (reason.isEmpty()) {
          raid++;
        } else {
          reasons.merge(reason.get(), 1, Integer::sum);
        }
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      if (round >= ROUNDS / 2) {
        System.out.printf(
            "%,.0f verdicts/s; to raid %d, left %s%n", files.size() / seconds, raid, reasons);
      }
    }
  }

  /** Each has a directory, a pattern within a directory, and one that begins anywhere. */
  private static List<Policy> policies() {
    List<Policy> policies = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      policies.add(
          new Policy(
                  "p" + i,
                  List.of(
                      PathGlob.of("/warehouse/tier" + i + ".db/**"),
                      PathGlob.of("/warehouse/db" + i + "*.db/*/dt=*/**"),
                      PathGlob.of("**/archive" + i + "/**")),
                  List.of(PathGlob.of("/warehouse/tier" + i + ".db/staging/**")),
                  Duration.ofDays(90),
                  Duration.ofDays(7),
                  1 << 20,
                  new Protection("rs-6-3", 1, 1),
                  Optional.empty())
              .when(new Condition.Size(Condition.Bound.AT_MOST, 1L << 40)));
    }
    return policies;
  }

  private static List<FileFacts> files() {
    Random random = new Random(4711);
    List<FileFacts> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      String database = random.nextInt(4) == 0 ? "tier" : "db";
      String path =
          "/warehouse/%s%d.db/table_%05d/dt=2029-%02d-%02d/part-%05d-%016x-c000.snappy.orc"
              .formatted(
                  database,
                  random.nextInt(15),
                  random.nextInt(20_000),
                  1 + random.nextInt(12),
                  1 + random.nextInt(28),
                  random.nextInt(1000),
                  random.nextLong());
      long length = 1L << (10 + random.nextInt(25));
      files.add(
          FileFacts.of(path, i, length, 128 << 20, 3, NOW.minus(Duration.ofDays(200)))
              .withAccess(NOW.minus(Duration.ofDays(random.nextInt(200)))));
    }
    return files;
  }
}
