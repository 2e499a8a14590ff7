import { ThreadLimitError, type InThread } from '#kit/graph/ports.js';
import { runApart } from '#kit/runtime/run-apart.js';
import { ProcessKilledError } from '#kit/runtime/work-pool.js';
import { CodeChecks } from '../tools/check/code-checks.js';
import type { TableGlance } from '../tools/check/tables.worker.js';
import { SchemaChecks } from '../tools/schema/schema-checks.js';

/** Computing time limit of one check, in ms. */
const CHECK_LIMIT_MS = 3_000;

/** Returns checks by schemas for a tenant's plans. */
export const schemaChecksFor = (tenantId: string): SchemaChecks =>
  new SchemaChecks(apartFor(tenantId, 'thread'));

/** Returns checks of code for a tenant's plans. */
export const codeChecksFor = (tenantId: string): CodeChecks => new CodeChecks(apartFor(tenantId, 'process'));

const TABLES_WORKER = new URL('../tools/check/tables.worker.js', import.meta.url);

/** Returns the beginnings of the tables in a file, the default first; none if reading them exceeds the limits. */
export async function glanceAtTables(
  tenantId: string,
  name: string,
  bytes: Uint8Array,
): Promise<TableGlance[]> {
  try {
    return await apartFor(tenantId, 'process')<TableGlance[]>(TABLES_WORKER, { name, bytes });
  } catch (error) {
    if (error instanceof ThreadLimitError) return [];
    throw error;
  }
}

const apartFor =
  (tenantId: string, where: 'thread' | 'process'): InThread =>
  async <T>(module: URL, input: unknown, signal?: AbortSignal) => {
    try {
      return await runApart<T>(module, input, { tenantId, limitMs: CHECK_LIMIT_MS, where, signal });
    } catch (error) {
      if (error instanceof ProcessKilledError) throw new ThreadLimitError(error.message, { cause: error });
      throw error;
    }
  };
