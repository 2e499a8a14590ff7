import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StubReply, StubRequest } from './model-stub.js';
import { textOf } from './model-wire.js';

/** A model call of a recorded job. */
interface Exchange {
  /** Number of leading lines that the request shares with the previous exchange; they are not repeated. */
  shared: number;
  /** The lines of the request after the shared ones. */
  lines: string[];
  /** The model's answer, or the error of its server. */
  answer: StubReply;
}

/** A whole job: the model's answers in order, with their requests. */
interface Recording {
  /** Name of the job in `libs/testing/jobs.ts`. */
  job: string;
  /** One sentence on how the answers were made. */
  about: string;
  /** Answers to the job's questions, in order; the job's own answers follow them. */
  answers?: Record<string, unknown>[];
  /** Result of the job, as returned by `endOf`. */
  ends: unknown;
  exchanges: Exchange[];
}

const ID = /\b[a-z]{2,6}_[a-z0-9]{26}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** Times, including times in names of checkpoints. */
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\d{8}_\d{6}(?=_)/g;

/**
 * Returns the lines of a request: tools, each with a hash of its definition, then messages. Values that differ between two runs of the
 * same job are replaced: IDs by their order of appearance, and times.
 */
export function linesOf({ messages, tools = [] }: StubRequest): string[] {
  const ids = new Map<string, string>();
  const numbered = (id: string) => ids.get(id) ?? ids.set(id, `<id-${ids.size + 1}>`).get(id)!;
  const parts = messages.flatMap((message) => [
    `== ${message.role}`,
    textOf(message),
    ...(message.tool_calls ?? []).map((call) => `-> ${call.function.name} ${call.function.arguments}`),
  ]);
  const shown = tools.map((tool) => `== tool ${tool.function.name} ${hash(JSON.stringify(tool))}`);
  return [...shown, ...parts].join('\n').replace(ID, numbered).replace(TIME, '<time>').split('\n');
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Writes a recording; `requests` and `answers` have the same order. */
export function writeRecording(
  file: string,
  head: Omit<Recording, 'exchanges'>,
  requests: string[][],
  answers: StubReply[],
): void {
  const exchanges = requests.map((lines, at): Exchange => {
    const before = requests[at - 1] ?? [];
    const differs = lines.findIndex((line, index) => line !== before[index]);
    const shared = differs < 0 ? lines.length : differs;
    return { shared, lines: lines.slice(shared), answer: answers[at]! };
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...head, exchanges }, null, 1)}\n`);
}

export const readRecording = (file: string): Recording => JSON.parse(readFileSync(file, 'utf8')) as Recording;

/** Returns the requests of a recording, each with all its lines. */
export function requestsOf({ exchanges }: Pick<Recording, 'exchanges'>): string[][] {
  const requests: string[][] = [];
  for (const { shared, lines } of exchanges)
    requests.push([...(requests.at(-1)?.slice(0, shared) ?? []), ...lines]);
  return requests;
}

/** Answers a job's requests from a recording, and collects the requests for comparison. */
export class Replay {
  /** Lines of the requests so far, at the index of the exchange that answered them. */
  readonly asked: string[][] = [];
  private readonly open: { request: string; at: number; answer: StubReply }[];

  constructor(recording: Recording) {
    const requests = requestsOf(recording);
    this.open = recording.exchanges.map(({ answer }, at) => ({
      request: requests[at]!.join('\n'),
      at,
      answer,
    }));
  }

  /** Returns the recorded answer to an equal request; without one, the first unused answer. */
  readonly respond = (request: StubRequest): StubReply => {
    const asked = linesOf(request);
    const text = asked.join('\n');
    const found = this.open.findIndex((exchange) => exchange.request === text);
    const [exchange] = this.open.splice(Math.max(found, 0), 1);
    if (!exchange) return { status: 400, message: 'The recording has no more answers.' };
    this.asked[exchange.at] = asked;
    return exchange.answer;
  };
}
