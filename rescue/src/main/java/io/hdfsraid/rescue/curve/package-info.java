/** The storage cost of protection as a function of the file size: as data, table and picture. */
package io.hdfsraid.rescue.curve;
