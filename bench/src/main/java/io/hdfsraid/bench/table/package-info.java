/** Tables in formats in which cold data lies, and scans of them. */
package io.hdfsraid.bench.table;
