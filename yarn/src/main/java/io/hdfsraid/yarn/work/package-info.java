/** What a container is told to do, and what it answers. */
package io.hdfsraid.yarn.work;
