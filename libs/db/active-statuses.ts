import { Prisma } from './client.js';

/** Stored statuses of runs that have not ended; `waiting` means parked (see shown-status.ts). */
export const storedActiveStatuses = ['queued', 'running', 'waiting'];

/** The same statuses as literals: `status IN (${ACTIVE_STATUSES})` uses their partial indexes. */
export const ACTIVE_STATUSES = Prisma.raw(storedActiveStatuses.map((status) => `'${status}'`).join(', '));
