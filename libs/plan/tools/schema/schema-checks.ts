import type { InThread } from '#kit/graph/ports.js';
import checkHere, { type SchemaCheck, type SchemaResult } from './check.worker.js';

const WORKER = new URL('./check.worker.js', import.meta.url);
const MAX_SCHEMA_LENGTH = 64 * 1024;
/** Maximum product of the lengths of a schema and a value: an alternative may be tried for each item of a list. */
const MAX_WORK = 10_000_000;
/** Keywords whose time does not depend on these lengths alone. */
const UNBOUNDED = /"(?:pattern|patternProperties|format|\$ref|\$dynamicRef|\$recursiveRef)":/;

/** Checks by JSON Schemas that tenants, their MCP servers and models wrote. */
export class SchemaChecks {
  /** @param apart calls a module outside the event loop, with limits for the tenant */
  constructor(private readonly apart: InThread) {}

  /**
   * Reads a schema, or checks a value by it: here if both are short and the schema has no keyword that may take long,
   * otherwise apart.
   *
   * @throws ThreadLimitError if the check exceeds its limits, or the signal's reason
   */
  check(given: SchemaCheck, signal?: AbortSignal): SchemaResult | Promise<SchemaResult> {
    return isQuick(given) ? checkHere(given) : this.apart<SchemaResult>(WORKER, given, signal);
  }
}

function isQuick({ schema, value }: SchemaCheck): boolean {
  const text = JSON.stringify(schema);
  if (text.length > MAX_SCHEMA_LENGTH || UNBOUNDED.test(text)) return false;
  return text.length * (JSON.stringify(value)?.length ?? 0) <= MAX_WORK;
}
