import { sha256 } from '#contracts/sha256.js';
import type { EndpointName } from '#catalogue/endpoints.js';
import type { Caller } from '#db/repositories/tenants.js';
import { z } from 'zod';
import { ProblemError } from '#contracts/errors.js';
import { decisionRequestSchema } from '#catalogue/decisions.js';
import { englishText, phrase } from '#contracts/phrases/phrase.js';
import type { DecisionRow } from '#db/repositories/decisions.js';
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';

/** Answer of the person at the client. */
const personAnswerSchema = z.object({
  approved: z.boolean().meta({ title: 'Approve' }),
  feedback: z.string().max(2_000).optional().meta({ title: 'Remark', description: 'reason or correction' }),
});
type PersonAnswer = z.infer<typeof personAnswerSchema>;

/** Envelope of a request by a client that can ask its person; clients before 2026-07-28 send none. */
const askingClientSchema = z.object({
  'io.modelcontextprotocol/clientCapabilities': z.object({ elicitation: z.looseObject({}) }),
});

/**
 * Returns the answer of the person at the client to a decision; the model cannot give it.
 *
 * @param proposed changes or the answer that the model proposes, shown to the person
 * @throws PersonAskedError in the first round; ProblemError `person_required` if the client cannot ask or the
 *   person did not answer
 */
type AskPerson = (decision: Pick<DecisionRow, 'id' | 'input'>, proposed?: unknown) => PersonAnswer;

/** Ends the first round of a call: the client shows the question and repeats the call with the answer. */
export class PersonAskedError extends Error {
  override readonly name = 'PersonAskedError';

  constructor(
    readonly key: string,
    readonly question: string,
  ) {
    super(question);
  }
}

/** Returns the function that asks the person during a call. */
export function askPersonIn({ mcpReq }: ServerContext): AskPerson {
  return ({ id, input }, proposed) => {
    const { phrase: text, question } = decisionRequestSchema.parse(input);
    const added = proposed === undefined ? '' : `\n\nProposed: ${JSON.stringify(proposed, null, 1)}`;
    const message = `${text ? englishText(text) : question}${added}`;
    if (!askingClientSchema.safeParse(mcpReq.envelope).success)
      throw new ProblemError('person_required', phrase('person_required.no_elicitation'));
    // The key contains the text, so that an answer counts only for the question that was shown.
    const key = `${id}_${sha256(message).slice(0, 16)}`;
    const response = mcpReq.inputResponses?.[key];
    if (response !== undefined) {
      const answer = personAnswerSchema.safeParse((response as { content?: unknown }).content);
      if (answer.success) return answer.data;
      throw new ProblemError('person_required', phrase('person_required.declined'));
    }
    throw new PersonAskedError(key, message);
  };
}

/** Returns the result that makes the client ask. */
export async function questionResult({ key, question }: PersonAskedError): Promise<InputRequiredResult> {
  const { inputRequired } = await import('@modelcontextprotocol/server');
  const asked = inputRequired.elicit({ message: question, requestedSchema: personAnswerSchema });
  return inputRequired({ inputRequests: { [key]: asked } });
}

/** One call of a tool by a client of `/mcp`. */
export interface McpCall {
  caller: Caller;
  /** Aborts when the client disconnects or its key ends. */
  signal: AbortSignal;
  /**
   * Reports progress if the client asked for it.
   *
   * @param progress increases with each report of a call
   */
  report: (progress: number, message: string) => Promise<void>;
  askPerson: AskPerson;
}

/**
 * What a call can do: only read; change things of the tenant; end or replace something; or act outside the
 * service, since a plan may send data to other servers.
 */
export type McpEffect = 'reads' | 'changes' | 'ends' | 'acts_outside';

/** A tool that `/mcp` offers: an operation of the API, or several, in one call. */
export interface McpTool {
  name: string;
  description: string;
  /** Operation that determines the scope a caller needs and the call's name in the audit log. */
  endpoint: EndpointName;
  input: z.ZodObject;
  output: z.ZodObject;
  effect: McpEffect;
  /** True if repeating a call changes nothing. */
  isIdempotent: boolean;
  /** @throws ProblemError like the operation */
  run: (input: unknown, call: McpCall) => Promise<Record<string, unknown>>;
}

/** Injection token for the tools of all features. */
export const MCP_TOOLS = Symbol('MCP_TOOLS');

interface McpToolOptions<I extends z.ZodObject, O extends z.ZodObject> {
  name: string;
  description: string;
  endpoint: EndpointName;
  input: I;
  output: O;
  effect: McpEffect;
  isIdempotent?: boolean;
  run: (input: z.output<I>, call: McpCall) => Promise<z.input<O>>;
}

/** Defines a tool; `run` gets arguments that were checked against `input`. */
export function defineMcpTool<I extends z.ZodObject, O extends z.ZodObject>(
  options: McpToolOptions<I, O>,
): McpTool {
  const { run, isIdempotent = false, ...rest } = options;
  return { ...rest, isIdempotent, run: (input, call) => run(input as z.output<I>, call) };
}
