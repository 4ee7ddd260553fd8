/** The same raiding with an old codec and new ones, far from the data and near it. */
package io.hdfsraid.bench.encode;
