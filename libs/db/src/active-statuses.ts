import { Prisma } from './client.js';

/** The statuses of runs that have not ended, as they are stored: `waiting` is parked (see shown-status.ts). */
export const storedActiveStatuses = ['queued', 'running', 'waiting'];

/** The same as literals: `status IN (${ACTIVE_STATUSES})` uses the partial indexes on them. */
export const ACTIVE_STATUSES = Prisma.raw(storedActiveStatuses.map((status) => `'${status}'`).join(', '));
