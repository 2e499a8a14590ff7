import { createDatabase, type Database } from '#db/client.js';
import { DirectoryStore } from '#storage/directory-store.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from './postgres.js';

/** Maximum number of the client's database connections. */
const CONNECTIONS = 4;

/** A separate database and store, for tests without a queue or other processes. */
export class DataBed {
  private constructor(
    private readonly database: TestDatabase,
    readonly db: Database,
    readonly store: DirectoryStore,
    /** Folder with the store's objects. */
    readonly folder: string,
  ) {}

  static async open(): Promise<DataBed> {
    const database = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-data-'));
    return new DataBed(
      database,
      createDatabase(database.url, CONNECTIONS),
      new DirectoryStore(folder),
      folder,
    );
  }

  get url(): string {
    return this.database.url;
  }

  async close(): Promise<void> {
    await this.db.$disconnect();
    await this.database.drop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
