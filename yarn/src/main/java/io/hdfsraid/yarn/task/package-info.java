/** What runs in a container: it reads, encodes and writes, and decides nothing. */
package io.hdfsraid.yarn.task;
