/**
 * The guards between users' data and a mistake: each is taken out in turn, and a test that names it
 * must turn red. The package comes before the other tests, because this takes longer than any of
 * them.
 */
package io.hdfsraid.guards;
