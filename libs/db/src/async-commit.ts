import { Prisma } from './client.js';

/**
 * A column of a statement that is done before it is on the disk. For what a later statement makes durable with it, or what is done
 * again when the server dies at once: never for what anybody was told.
 */
export const ASYNC_COMMIT = Prisma.sql`set_config('synchronous_commit', 'off', true)`;
