// SPDX-License-Identifier: Apache-2.0
/**
 * What Hadoop's daemons show on their web ports, for the tools that read it there: {@code /conf},
 * {@code /jmx} and {@code /stacks}.
 */
package io.hdfsraid.raidnode.diagnosis;
