// SPDX-License-Identifier: Apache-2.0
/** Who may do what. */
package io.hdfsraid.raidapi.access;
