// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import java.nio.file.Path;

/**
 * A Kerberos principal of jobs, which need no right to act for others then.
 *
 * @param principal may hold {@code _HOST}, which stands for the name of this machine
 * @param keytab file with its keys
 */
public record JobLogin(String principal, Path keytab) {}
