/** The client file system on the class paths that applications have. */
package io.hdfsraid.tests.client;
