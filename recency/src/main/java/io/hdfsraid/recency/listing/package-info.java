/** Lists files and directories. A listing does not count as an access to a file. */
package io.hdfsraid.recency.listing;
