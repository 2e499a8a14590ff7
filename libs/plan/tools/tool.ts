import { fieldErrorOf } from '#contracts/errors.js';
import { detailOf, phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import { joinDetails, phrase } from '#contracts/phrases/phrase.js';
import type { Phrase } from '#contracts/phrases/render.js';
import { z } from 'zod';

/** Description of a tool for agents, people and the planner, which choose among tools. */
export interface ToolDescription {
  name: string;
  description: string;
  /** JSON Schema (2020-12) of the arguments; an object. */
  input: Record<string, unknown>;
  /** JSON Schema of the result; `{}` if it is unknown. */
  output: Record<string, unknown>;
  /**
   * Whether it changes or reveals something outside its run; people are asked about such calls
   * (`critical_only`).
   */
  sideEffects: boolean;
  /** Set for a tool without side effects whose server may pass arguments on to others: the server's host, if it has one. */
  openWorld?: { host: string | null };
  /** Whether an interrupted call may be repeated without additional effects. */
  isRepeatable: boolean;
  /** Computing time limit of one attempt in ms; on a busy machine it may take four times as long. */
  timeoutMs: number;
  /** Attempts before a call fails permanently; 1 for calls that must not be repeated. */
  attempts: number;
  /** Cost of a call, relative to reading a file (1). */
  cost: number;
  /** Set for a tool of older plans that none is made with; '' if no other tool does its work. */
  replacedBy?: string;
}

/** A call that cannot succeed in this form. The message is meant for the caller and contains no secret. */
export class ToolCallError extends Error {
  override readonly name = 'ToolCallError';
  readonly phrase: Phrase | undefined;

  constructor(
    readonly code: string,
    detail: Detail,
  ) {
    super(textOf(detail));
    this.phrase = phraseOf(detail);
  }
}

/** A call that was sent but got no usable response: it may have taken effect. */
export class BrokenOffCallError extends ToolCallError {}

/** A tool of the platform. */
export interface PlatformTool<P = unknown> {
  description: ToolDescription;
  /** @throws ToolCallError if the arguments do not match the schema */
  call: (input: unknown, ports: P) => Promise<unknown>;
}

interface ToolOptions<I extends z.ZodObject, O extends z.ZodType, P> {
  name: string;
  description: string;
  input: I;
  output: O;
  sideEffects?: boolean;
  /** Defaults to true for a tool without side effects. */
  isRepeatable?: boolean;
  timeoutMs?: number;
  attempts?: number;
  cost?: number;
  replacedBy?: string;
  run: (input: z.infer<I>, ports: P) => z.input<O> | Promise<z.input<O>>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_ATTEMPTS = 3;

/** Defines a platform tool. Its schemas validate its arguments and results. */
export function defineTool<I extends z.ZodObject, O extends z.ZodType, P = unknown>(
  options: ToolOptions<I, O, P>,
): PlatformTool<P> {
  const { name, description, input, output, run } = options;
  const sideEffects = options.sideEffects ?? false;
  const strict = input.strict();
  return {
    description: {
      name,
      description,
      input: z.toJSONSchema(strict, { io: 'input' }) as Record<string, unknown>,
      output: z.toJSONSchema(output) as Record<string, unknown>,
      sideEffects,
      isRepeatable: options.isRepeatable ?? !sideEffects,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      attempts: options.attempts ?? (sideEffects ? 1 : DEFAULT_ATTEMPTS),
      cost: options.cost ?? 1,
      ...(options.replacedBy !== undefined && { replacedBy: options.replacedBy }),
    },
    async call(args, ports) {
      const checked = strict.safeParse(args);
      if (!checked.success)
        throw new ToolCallError(
          'invalid_arguments',
          phrase('tool_error.arguments', { tool: name, problem: problemOf(checked.error) }),
        );
      return output.parse(await run(checked.data as z.infer<I>, ports));
    },
  };
}

/** Lists what is wrong with the arguments, one problem a line. */
function problemOf({ issues }: z.ZodError): Detail {
  const problems = issues.map(({ message, path }): Detail => {
    const { phrase: found } = fieldErrorOf({ path: '', message });
    const problem = detailOf({ message, phrase: found });
    return path.length === 0
      ? problem
      : phrase('tool_error.argument', { path: z.core.toDotPath(path), problem });
  });
  return joinDetails('lines', problems);
}

/** Marks parameters and results that are for people and programs: the planner does not see them. */
export const FOR_PEOPLE = 'x-for-people';

/**
 * Maximum nesting of lists and objects in a result: code that reads or stores a result recurses as deeply.
 */
export const MAX_RESULT_DEPTH = 1_000;

/** Returns whether lists and objects nest deeper than `levels`; works without recursion. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  const isBranch = (item: unknown): item is object => typeof item === 'object' && item !== null;
  let level: object[] = isBranch(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === levels) return true;
    level = level.flatMap((branch) => Object.values(branch).filter(isBranch));
  }
  return false;
}
