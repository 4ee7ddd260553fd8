/**
 * The REST API: resources that ask the interfaces of this package, and answer with the records of
 * {@code raidapi}.
 */
package io.hdfsraid.raidnode.rest;
