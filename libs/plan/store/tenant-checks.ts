import { ThreadLimitError, type InThread } from '#kit/graph/ports.js';
import { checkApart } from '#kit/runtime/check-apart.js';
import { runApart } from '#kit/runtime/run-apart.js';
import { ProcessKilledError, WorkLimitError } from '#kit/runtime/work-pool.js';
import { CodeChecks } from '../tools/check/code-checks.js';
import { SchemaChecks } from '../tools/schema/schema-checks.js';

/** Computing time limit of one check, in ms. */
const CHECK_LIMIT_MS = 3_000;

type RunWithLimits = <T>(
  module: URL,
  input: unknown,
  limits: { tenantId: string; limitMs: number; signal?: AbortSignal | undefined },
) => Promise<T>;

/** Returns checks by schemas for a tenant's plans. */
export const schemaChecksFor = (tenantId: string): SchemaChecks =>
  new SchemaChecks(apartFor(tenantId, runApart));

/** Returns checks of code for a tenant's plans. */
export const codeChecksFor = (tenantId: string): CodeChecks => new CodeChecks(apartFor(tenantId, checkApart));

const apartFor =
  (tenantId: string, runWithLimits: RunWithLimits): InThread =>
  async <T>(module: URL, input: unknown, signal?: AbortSignal) => {
    try {
      return await runWithLimits<T>(module, input, { tenantId, limitMs: CHECK_LIMIT_MS, signal });
    } catch (error) {
      if (error instanceof WorkLimitError || error instanceof ProcessKilledError)
        throw new ThreadLimitError(error.message, { cause: error });
      throw error;
    }
  };
