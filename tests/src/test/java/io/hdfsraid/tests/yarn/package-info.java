/** A YARN for tests, in a process of its own. */
package io.hdfsraid.tests.yarn;
