/** Everything fails, at random moments, while files are written, raided and read. */
package io.hdfsraid.tests.chaos;
