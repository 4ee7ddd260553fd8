// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.step.StepListener;

/**
 * What the pipelines of a daemon share about the work they have begun.
 *
 * @param files the claims on files and groups: one task at a time works on each
 * @param unaudited the stripes whose replication was lowered and whose excess replicas may still be
 *     there
 * @param reports the block reports that are waited for
 * @param reductions hears of each reduction before it begins
 * @param steps hears of each step that was reached
 */
public record WorkInProgress(
    FilesInWork files,
    UnauditedStripes unaudited,
    AwaitedReports reports,
    Reductions reductions,
    StepListener steps) {}
