// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.Instant;

/** The time at which a file is evaluated, and what the sources of accesses know at that time. */
record EvaluationTime(Instant now, AccessTracking tracking) {}
