import { z } from 'zod';

/** What a tool is, to whoever chooses one: an agent, a person, the planner. */
export interface ToolDescription {
  name: string;
  description: string;
  /** JSON Schema (2020-12) of the arguments; an object. */
  input: Record<string, unknown>;
  /** JSON Schema of the result; what is not known is `{}`. */
  output: Record<string, unknown>;
  /** Whether it changes or reveals something outside of its run; people are asked about such calls (`critical_only`). */
  sideEffects: boolean;
  /** Whether a call that broke off may be sent again: then its effects are those of one call. */
  isRepeatable: boolean;
  /** Milliseconds that one attempt may take; four times as many where other processes have the cores. */
  timeoutMs: number;
  /** Attempts before a call has failed for good; 1 for what must not be repeated. */
  attempts: number;
  /** What a call costs, relative to reading a file (1). */
  cost: number;
}

/** A call that cannot succeed as it was made; the message is for whoever made it and holds no secret. */
export class ToolCallError extends Error {
  override readonly name = 'ToolCallError';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** A call that was sent and got no usable answer: it may have taken effect. */
export class BrokenOffCallError extends ToolCallError {}

/** A tool of the platform. */
export interface PlatformTool<P = unknown> {
  description: ToolDescription;
  /** @throws ToolCallError when the arguments do not fit the schema */
  call: (input: unknown, ports: P) => Promise<unknown>;
}

interface ToolOptions<I extends z.ZodObject, O extends z.ZodType, P> {
  name: string;
  description: string;
  input: I;
  output: O;
  sideEffects?: boolean;
  /** By default a tool without side effects. */
  isRepeatable?: boolean;
  timeoutMs?: number;
  attempts?: number;
  cost?: number;
  run: (input: z.infer<I>, ports: P) => z.input<O> | Promise<z.input<O>>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_ATTEMPTS = 3;

/** Defines a tool of the platform; arguments and results are checked against its schemas. */
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
    },
    async call(args, ports) {
      const checked = strict.safeParse(args);
      if (!checked.success)
        throw new ToolCallError('invalid_arguments', `${name}: ${z.prettifyError(checked.error)}`);
      return output.parse(await run(checked.data as z.infer<I>, ports));
    },
  };
}
