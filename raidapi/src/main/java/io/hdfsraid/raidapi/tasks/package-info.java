/** Tasks: the work that goes on after a request was answered. */
package io.hdfsraid.raidapi.tasks;
