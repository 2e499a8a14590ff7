import type { Database } from '#db/client.js';
import type { FactoryProvider } from '@nestjs/common';
import { DATABASE } from './infrastructure.module.js';

/** Provides repositories of the process's database for injection. */
export const provideRepositories = (...types: (new (db: Database) => object)[]): FactoryProvider[] =>
  types.map((type) => ({
    provide: type,
    useFactory: (db: Database) => new type(db),
    inject: [DATABASE],
  }));
