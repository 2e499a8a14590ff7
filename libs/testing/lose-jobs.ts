import { onPostgres } from './on-postgres.js';

const EMPTY_THE_QUEUES = `
  DO $$ DECLARE names text; BEGIN
    SELECT string_agg(format('bullmq.%I', tablename), ', ') INTO names FROM pg_tables
    WHERE schemaname = 'bullmq' AND tablename NOT LIKE '%migration%';
    EXECUTE 'TRUNCATE ' || names || ' CASCADE';
  END $$`;

const DEADLOCK = '40P01';
const ATTEMPTS = 20;

/** Deletes every job of the queues on PostgreSQL, like a wiped Redis. Tries again after a deadlock with workers. */
export async function loseJobsOnPostgres(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await onPostgres(url, EMPTY_THE_QUEUES);
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || attempt === ATTEMPTS) throw error;
    }
  }
}
