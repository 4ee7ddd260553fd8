/** Hadoop's own contract tests on the file system that reads through losses. */
package io.hdfsraid.tests.contract;
