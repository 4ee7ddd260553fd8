/** One stripe: locating its units, encoding it, rebuilding what it lost. */
package io.hdfsraid.drfs.stripe;
