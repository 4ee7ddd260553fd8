// SPDX-License-Identifier: Apache-2.0
/** Tells people of the REST API what they may do. */
package io.hdfsraid.raidapi.access;
