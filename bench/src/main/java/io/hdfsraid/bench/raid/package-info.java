/** Time and bytes of raiding, beside HDFS's own rewrite and beside plain reads and writes. */
package io.hdfsraid.bench.raid;
