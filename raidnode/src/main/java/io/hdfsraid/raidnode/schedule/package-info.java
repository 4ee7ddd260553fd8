/** When things are done: jobs with cron expressions, and what became of their last run. */
package io.hdfsraid.raidnode.schedule;
