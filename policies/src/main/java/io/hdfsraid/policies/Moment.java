package io.hdfsraid.policies;

import java.time.Instant;

/** When a file is judged, and what the sources know of accesses then. */
record Moment(Instant now, AccessTracking tracking) {}
