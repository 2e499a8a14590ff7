import { activeRunStatuses } from '#contracts/runs.js';
import { Prisma } from './client.js';

/** The statuses of runs that have not ended, as literals: `status IN (${ACTIVE_STATUSES})` uses the partial indexes on them. */
export const ACTIVE_STATUSES = Prisma.raw(activeRunStatuses.map((status) => `'${status}'`).join(', '));
