/**
 * Decides, from facts alone, which file deserves which protection. Nothing here reads a file, a
 * clock or the network: {@link io.hdfsraid.policies.PoliciesFile} turns the tree of {@code
 * policies.yml} into {@link io.hdfsraid.policies.Policies}, and {@link io.hdfsraid.policies.Judge}
 * turns {@link io.hdfsraid.policies.FileFacts} into a {@link io.hdfsraid.policies.Verdict}.
 */
package io.hdfsraid.policies;
