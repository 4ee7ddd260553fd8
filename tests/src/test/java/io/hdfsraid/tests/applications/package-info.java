/**
 * Applications that others wrote, on damaged files, with nothing changed but their configuration.
 */
package io.hdfsraid.tests.applications;
