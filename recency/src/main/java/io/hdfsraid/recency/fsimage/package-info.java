/**
 * Reads and writes the image of a namespace as a NameNode stores it. Both work on a stream, so the
 * heap they take does not grow with the image.
 */
package io.hdfsraid.recency.fsimage;
