/** Follows the NameNode's edit log, which reports each change of the namespace in order. */
package io.hdfsraid.recency.editlog;
