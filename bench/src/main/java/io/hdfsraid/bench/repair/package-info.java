/** Bytes and time of repairs after DataNodes have died, for several codecs. */
package io.hdfsraid.bench.repair;
