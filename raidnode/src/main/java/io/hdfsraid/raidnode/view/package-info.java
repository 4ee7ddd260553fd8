/** What the REST API shows of the catalog, the policies and the schedule. Changes nothing. */
package io.hdfsraid.raidnode.view;
