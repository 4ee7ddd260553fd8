// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

/** A quantity that is measured of a rival in each round. */
enum Measure {
  /** Milliseconds of ten positioned reads of a healthy file. */
  BATCH,
  /** Bytes per second of a whole healthy file. */
  HEALTHY_RATE,
  /** Bytes per second of a healthy file, in turn with {@link #DEGRADED_RATE}. */
  WHOLE_RATE,
  /** Bytes per second of a file that has lost a block of each stripe. */
  DEGRADED_RATE,
  /** Bytes per second of a healthy file, with a limit on the reads of DataNodes. */
  WHOLE_RATE_LIMITED,
  /** Bytes per second of a file that has lost blocks, with a limit on the reads of DataNodes. */
  DEGRADED_RATE_LIMITED,
  /** Bytes per second of a file of JSON lines, of which all are parsed. */
  JSON_RATE,
  /** Bytes that DataNodes send for each byte of that file. */
  JSON_FETCHED,
  /** Bytes per second of a Parquet file, of which one column is read. */
  COLUMN_RATE,
  /** Bytes that DataNodes send for each byte of that file. */
  COLUMN_FETCHED,
  /** Milliseconds from the open until 4 KiB of a lost block are there. */
  FIRST_4_KIB,
  /** Milliseconds from the open until 1 MiB of a lost block is there. */
  FIRST_1_MIB,
  /** Milliseconds of half of the reads of 4 KiB of an open stream. */
  P50,
  /** Milliseconds of 99 of 100 reads of 4 KiB of an open stream. */
  P99,
  /** Milliseconds of the first read of 4 KiB after a helper has become slow. */
  SLOW_FIRST,
  /** Milliseconds of half of the later reads while a helper is slow. */
  SLOW_P50,
  /** Milliseconds of 99 of 100 of the later reads while a helper is slow. */
  SLOW_P99,
  /** Bytes that DataNodes send for a read of 4 KiB, without checksums. */
  FETCHED,
  /** Calls of the NameNode by a client's first stream of a file, beside the open. */
  FIRST_CALLS,
  /** Calls of the NameNode by the next stream of the same file, beside the open. */
  NEXT_CALLS
}
