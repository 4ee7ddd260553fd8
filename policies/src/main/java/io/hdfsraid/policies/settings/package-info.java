/**
 * Reading settings that an administrator wrote: {@link io.hdfsraid.policies.settings.Section} reads
 * a tree of keys, and {@link io.hdfsraid.policies.settings.Problems} collects everything that is
 * wrong with a file, so that one attempt shows all mistakes.
 */
package io.hdfsraid.policies.settings;
