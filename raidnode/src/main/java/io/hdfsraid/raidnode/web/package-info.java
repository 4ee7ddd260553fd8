// SPDX-License-Identifier: Apache-2.0
/** Serves the web page, which asks the REST API for all that it shows. */
package io.hdfsraid.raidnode.web;
