/**
 * From a lost block to a proven, delivered block. {@code detect} finds what is lost and judges each
 * stripe; {@code plan} decides how to repair it; {@code repair} carries a plan out; {@code
 * placement} keeps the units of a stripe apart; {@code hdfs} talks to NameNode and DataNodes.
 */
package io.hdfsraid.blockfixer;
