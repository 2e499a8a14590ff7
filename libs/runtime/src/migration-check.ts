import type { Database } from '#db/client.js';
import { pendingMigrations } from '#db/migrate.js';
import type { Logger } from '#telemetry/logger.js';

export type Migrations = 'applied' | 'pending' | 'unknown';

/** Looks whether the database is at the version of this process; once it is, it is not asked again. */
export class MigrationCheck {
  private isMigrated = false;
  private isTold = false;

  /** @param needed the names of the migrations, or the folder that holds them */
  constructor(
    private readonly db: Pick<Database, '$queryRaw'>,
    private readonly log: Pick<Logger, 'error'>,
    private readonly needed: string | string[],
  ) {}

  /** @returns `unknown` while the database cannot be asked */
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
