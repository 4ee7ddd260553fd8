/** Time and size of the namespace index, beside SQLite and a full listing. */
package io.hdfsraid.bench.index;
