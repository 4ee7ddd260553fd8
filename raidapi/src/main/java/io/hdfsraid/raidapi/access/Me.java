// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.access;

/**
 * The sender of a request, as the daemon knows it.
 *
 * @param user the name under which the history lists what this person does
 * @param role the role in lower case: viewer, operator or admin
 * @param known how the daemon knows: by a token, a Kerberos ticket, or not at all (unproven)
 */
public record Me(String user, String role, String known) {}
