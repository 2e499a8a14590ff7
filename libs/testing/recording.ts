import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { StubAnswer, StubReply, StubRequest } from './model-stub.js';
import type { WireMessage } from './model-wire.js';

/** A model call of a recorded job. */
export interface Exchange {
  /** Number of leading messages that the request shares with the previous exchange; they are not repeated. */
  shared: number;
  /** The messages after the shared ones; IDs and times are replaced by placeholders. */
  messages: WireMessage[];
  /** Name and a hash of the definition of each tool. */
  tools: string[];
  answer: StubAnswer;
}

/** A whole job: the model's answers in order, with the requests that they answered. */
export interface Recording {
  /** Name of the job in `libs/testing/jobs.ts`. */
  job: string;
  /** Who answered, and how: one sentence. */
  about: string;
  /** How the job ended, as `endOf` returns it. */
  ends: unknown;
  exchanges: Exchange[];
}

/** A request in the form that is recorded. */
export interface RecordedRequest {
  messages: WireMessage[];
  tools: string[];
}

const ID = /\b[a-z]{2,6}_[a-z0-9]{26}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** Times, and times in the names of checkpoints. */
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\d{8}_\d{6}(?=_)/g;

/** Replaces what differs between two runs of the same job: IDs, by order of appearance, and times. */
function withoutRunValues(request: StubRequest): StubRequest {
  const ids = new Map<string, string>();
  const numbered = (id: string) => ids.get(id) ?? ids.set(id, `<id-${ids.size + 1}>`).get(id)!;
  const text = JSON.stringify(request).replace(ID, numbered).replace(TIME, '<time>');
  return JSON.parse(text) as StubRequest;
}

export function recordedRequest(request: StubRequest): RecordedRequest {
  const { messages, tools = [] } = withoutRunValues(request);
  const calls = new Map<string, string>();
  const nameOf = (id: string) => calls.get(id) ?? calls.set(id, `call-${calls.size + 1}`).get(id)!;
  return {
    messages: messages.map(({ role, content, tool_calls, tool_call_id }) => ({
      role,
      content,
      ...(tool_calls && {
        tool_calls: tool_calls.map(({ id, function: { name, arguments: args } }) => ({
          id: nameOf(id),
          function: { name, arguments: args },
        })),
      }),
      ...(tool_call_id !== undefined && { tool_call_id: nameOf(tool_call_id) }),
    })),
    tools: tools.map((tool) => `${tool.function.name} ${hash(JSON.stringify(tool))}`),
  };
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Writes a recording; `requests` and `answers` have the same order. */
export function writeRecording(
  file: string,
  head: Pick<Recording, 'job' | 'about' | 'ends'>,
  requests: RecordedRequest[],
  answers: StubAnswer[],
): void {
  const exchanges = requests.map(({ messages, tools }, at): Exchange => {
    const shared = sharedMessages(requests[at - 1]?.messages ?? [], messages);
    return { shared, messages: messages.slice(shared), tools, answer: answers[at]! };
  });
  writeFileSync(file, `${JSON.stringify({ ...head, exchanges }, null, 1)}\n`);
}

export const readRecording = (file: string): Recording => JSON.parse(readFileSync(file, 'utf8')) as Recording;

/** Returns the number of leading messages that two requests have in common. */
export function sharedMessages(before: WireMessage[], now: WireMessage[]): number {
  const at = now.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(before[index]));
  return at < 0 ? now.length : at;
}

/** Returns the requests of a recording, each with all its messages. */
export function requestsOf({ exchanges }: Pick<Recording, 'exchanges'>): RecordedRequest[] {
  const requests: RecordedRequest[] = [];
  for (const { shared, messages, tools } of exchanges) {
    const before = requests.at(-1)?.messages.slice(0, shared) ?? [];
    requests.push({ messages: [...before, ...messages], tools });
  }
  return requests;
}

/** Answers a job's requests from a recording, and keeps what was asked for comparison. */
export class Replay {
  /** The requests so far, in the order of the recording's exchanges that answered them. */
  readonly asked: RecordedRequest[] = [];
  private readonly open: { request: string; at: number; answer: StubAnswer }[];

  constructor(recording: Recording) {
    const requests = requestsOf(recording);
    this.open = recording.exchanges.map(({ answer }, at) => ({
      request: JSON.stringify(requests[at]),
      at,
      answer,
    }));
  }

  /** The recorded answer to an equal request, or else the next one that has not been used. */
  readonly respond = (request: StubRequest): StubReply => {
    const asked = recordedRequest(request);
    const text = JSON.stringify(asked);
    const found = this.open.findIndex((exchange) => exchange.request === text);
    const [exchange] = this.open.splice(Math.max(found, 0), 1);
    if (!exchange) return { status: 400, message: 'The recording has no more answers.' };
    this.asked[exchange.at] = asked;
    return exchange.answer;
  };
}
