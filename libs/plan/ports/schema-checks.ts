import { ThreadLimitError, type InThread } from '#kit/graph/ports.js';
import { runApart } from '#kit/runtime/run-apart.js';
import { WorkLimitError } from '#kit/runtime/work-pool.js';
import { SchemaChecks } from '../tools/schema/schema-checks.js';

/** Computing time limit of one check by a schema, in ms. */
const SCHEMA_LIMIT_MS = 3_000;

/** Returns checks for a tenant's plans. */
export const schemaChecksFor = (tenantId: string): SchemaChecks => new SchemaChecks(apartFor(tenantId));

const apartFor =
  (tenantId: string): InThread =>
  async <T>(module: URL, input: unknown, signal?: AbortSignal) => {
    try {
      return await runApart<T>(module, input, { tenantId, limitMs: SCHEMA_LIMIT_MS, signal });
    } catch (error) {
      if (error instanceof WorkLimitError) throw new ThreadLimitError(error.message, { cause: error });
      throw error;
    }
  };
