import type { Database } from '#db/client.js';
import { pendingMigrations } from '#db/migrate.js';
import type { Logger } from '#telemetry/logger.js';

export type Migrations = 'applied' | 'pending' | 'unknown';

/**
 * Checks whether the database has all migrations that this process needs; after that, does not query it
 * again.
 */
export class MigrationCheck {
  private isMigrated = false;
  private isTold = false;

  /** @param needed names of the migrations, or the folder that contains them */
  constructor(
    private readonly db: Pick<Database, '$queryRaw'>,
    private readonly log: Pick<Logger, 'error'>,
    private readonly needed: string | string[],
  ) {}

  /** @returns `unknown` if the database cannot be queried */
  async state(): Promise<Migrations> {
    if (this.isMigrated) return 'applied';
    const pending = await pendingMigrations(this.db, this.needed).catch(() => null);
    if (pending === null) return 'unknown';
    this.isMigrated = pending.length === 0;
    if (this.isMigrated) return 'applied';
    if (!this.isTold) {
      const missing = { pending: pending.length };
      this.log.error(missing, 'the database is not migrated: run "scriptorium migrate"');
    }
    this.isTold = true;
    return 'pending';
  }
}
