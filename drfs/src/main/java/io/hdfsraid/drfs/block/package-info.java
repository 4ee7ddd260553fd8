/**
 * Blocks, their replicas and the DataNodes that hold them, as this product sees them; no Hadoop
 * type is in here.
 */
package io.hdfsraid.drfs.block;
