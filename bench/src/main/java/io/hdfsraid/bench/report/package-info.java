/** The report of a benchmark: its rows, its machine, as a table and as JSON; common options. */
package io.hdfsraid.bench.report;
