/** What protection costs over the size of files: the arithmetic, as data and as a picture. */
package io.hdfsraid.offline.curve;
