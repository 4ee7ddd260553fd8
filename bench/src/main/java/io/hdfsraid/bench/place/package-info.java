/** Simulates where units lie, and what crosses racks when they are read and moved. */
package io.hdfsraid.bench.place;
