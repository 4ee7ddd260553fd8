/** How fast the index of a namespace is, and how large, beside what others do. */
package io.hdfsraid.offline.bench.index;
