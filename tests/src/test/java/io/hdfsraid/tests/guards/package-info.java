/**
 * The guards between users' data and a mistake: each is taken out in turn, and a test that names it
 * must turn red.
 */
package io.hdfsraid.tests.guards;
