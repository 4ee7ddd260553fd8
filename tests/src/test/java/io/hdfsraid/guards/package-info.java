/**
 * The guards between users' data and a mistake: each is taken out in turn, and a test that its line
 * names must turn red.
 */
package io.hdfsraid.guards;
