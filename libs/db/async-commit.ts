import { Prisma } from './client.js';

/**
 * Select column that makes the commit asynchronous. Use it only for data that a later statement makes durable
 * or that is written again after a crash of the server, never for data that was reported to anyone.
 */
export const ASYNC_COMMIT = Prisma.sql`set_config('synchronous_commit', 'off', true)`;
