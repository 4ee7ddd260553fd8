/** What runs in the daemon: it submits jobs, follows them and collects their answers. */
package io.hdfsraid.yarn.job;
