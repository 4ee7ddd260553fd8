/**
 * The REST API. Each feature has a package of its own with its JAX-RS resource and the service that
 * answers; this package holds what the features share: parameters, errors, previews of changes and
 * the queue of accepted requests.
 */
package io.hdfsraid.raidnode.rest;
