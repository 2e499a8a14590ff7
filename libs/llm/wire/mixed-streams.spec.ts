import { READ } from '#testing/byte-model.js';
import { readRecording } from '#testing/recording.js';
import { join } from 'node:path';
import { chunkOf } from '#testing/raw-model.js';
import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import fc from 'fast-check';
import { atDepth } from '#testing/depth.js';
import { z } from 'zod';
import { callModel } from '../call-model.js';
import { createChatModel } from '../chat-model.js';

interface Call {
  name: string;
  args: Record<string, unknown>;
}

/** The calls of answers that were recorded in whole document runs. */
const OF_RUNS = ['handover', 'mail', 'log-large', 'mixed'].flatMap((name) => {
  const file = join(process.cwd(), `test/fixtures/recordings/document-${name}.json`);
  return readRecording(file).exchanges.flatMap(({ answer }): Call[][] => {
    const calls = ('toolCalls' in answer && answer.toolCalls) || [];
    const read = calls.map((call) => ({
      name: call.name,
      args: JSON.parse(String(call.arguments)) as Call['args'],
    }));
    return read.length > 0 ? [read] : [];
  });
});

/** Returns a tool that accepts the arguments of its recorded calls; those that all calls have are required. */
function toolOf(name: string, calls: Call[]) {
  const all = new Map(calls.flatMap(({ args }) => Object.entries(args)));
  const fields = [...all].map(([key, value]) => {
    const kind =
      typeof value === 'number' ? z.number() : typeof value === 'boolean' ? z.boolean() : z.string();
    return [key, calls.every(({ args }) => key in args) ? kind : kind.optional()] as const;
  });
  return tool(() => '', { name, schema: z.object(Object.fromEntries(fields)) });
}

const WRITE = tool(() => '', {
  name: 'append_to_markdown',
  schema: z.object({ content: z.string(), after_line: z.number().optional() }),
});
const LIST = tool(() => '', { name: 'list_files', schema: z.object({}) });
const ownTools = [READ, WRITE, LIST];
const toolsOfRuns = [...new Set(OF_RUNS.flat().map(({ name }) => name))].map((name) =>
  toolOf(
    name,
    OF_RUNS.flat().filter((call) => call.name === name),
  ),
);

/** Answers with texts of all kinds. */
const WRITTEN: Call[][] = [
  [{ name: 'list_files', args: {} }],
  [
    { name: 'list_files', args: {} },
    { name: 'read_file', args: { filename: 'notes.md' } },
  ],
  [
    { name: 'read_file', args: { filename: 'a.md' } },
    { name: 'read_file', args: { filename: 'b.md' } },
  ],
  [
    {
      name: 'append_to_markdown',
      args: { content: '# Pump\n\n```json\n{"a": [1, {}]}\n```\n', after_line: 7 },
    },
    { name: 'list_files', args: {} },
  ],
  [
    {
      name: 'append_to_markdown',
      args: {
        content: 'Za\u017c\u00f3\u0142\u0107 „g\u0119\u015bl\u0105” \ud83d\udea2\nif (x) { y("}") }\n',
      },
    },
  ],
];

const escaped = (json: string) =>
  json.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
const cut = (whole: string, size: number) =>
  Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => whole.slice(at * size, (at + 1) * size));

const transformation = fc.record({
  answer: fc.constantFrom(...WRITTEN, ...OF_RUNS),
  size: fc.integer({ min: 1, max: 40 }),
  encoding: fc.constantFrom('plain', 'escaped', 'twice', 'spaced'),
  order: fc.constantFrom('parts', 'empty first', 'cumulative', 'whole again', 'parts again', 'call again'),
  name: fc.constantFrom('plain', 'in parts', 'in each part', 'control tokens', 'namespace'),
  id: fc.constantFrom('once', 'in each part', 'changing', 'none'),
  index: fc.constantFrom('right', 'zero'),
  lines: fc.constantFrom('\n\n', '\r\n\r\n', '\n', 'event: message\n\n', ': ping\n\n'),
  end: fc.constantFrom('[DONE]', 'none', 'no reason', 'no reason in the last chunk'),
  bytes: fc.integer({ min: 20, max: 20_000 }),
});
type Mix = typeof transformation extends fc.Arbitrary<infer M> ? M : never;

const encoded = (args: object, encoding: Mix['encoding']): string => {
  if (encoding === 'twice') return JSON.stringify(JSON.stringify(args));
  if (encoding === 'spaced') return JSON.stringify(args, null, 2);
  return encoding === 'escaped' ? escaped(JSON.stringify(args)) : JSON.stringify(args);
};

/** Returns the parts in which a server sends arguments. */
function partsOf(json: string, { order, size, encoding }: Mix): string[] {
  const parts = cut(json, size);
  // A text in a text has no beginning that an object could be told from.
  if (encoding === 'twice') return parts;
  if (order === 'empty first') return json === '{}' ? ['{}'] : ['{}', ...parts];
  if (order === 'cumulative') return parts.map((_, at) => parts.slice(0, at + 1).join(''));
  if (order === 'whole again') return [...parts, json];
  return order === 'parts again' ? [...parts, ...parts] : parts;
}

const NAMES: Record<string, (name: string) => string> = {
  'control tokens': (name) => `${name}<|channel|>commentary`,
  namespace: (name) => `functions.${name}`,
};

function deltasOf({ name, args }: Call, at: number, mix: Mix): object[] {
  const parts = partsOf(encoded(args, mix.encoding), mix);
  const index = mix.index === 'zero' ? 0 : at;
  const called = NAMES[mix.name]?.(name) ?? name;
  const idOf = (part: number) =>
    mix.id === 'none' || (mix.id === 'once' && part > 0)
      ? {}
      : { id: mix.id === 'changing' ? `c${at}p${part}` : `c${at}` };
  const call = (part: number, fn: object) => ({
    tool_calls: [{ index, ...idOf(part), type: 'function', function: fn }],
  });
  const names = mix.name === 'in parts' ? cut(called, 6) : [called];
  return [
    ...names.map((each, part) => call(part, { name: each, arguments: '' })),
    ...parts.map((each, part) =>
      call(part + 1, { ...(mix.name === 'in each part' && { name: called }), arguments: each }),
    ),
    ...(mix.order === 'call again' && mix.id !== 'none'
      ? [call(0, { name: called, arguments: encoded(args, mix.encoding) })]
      : []),
  ];
}

function bodyOf(mix: Mix): string {
  const deltas = mix.answer.flatMap((call, at) => deltasOf(call, at, mix));
  const hasReason = !mix.end.startsWith('no reason');
  const chunks = [
    ...deltas.map((delta) => chunkOf(delta)),
    ...(hasReason ? [chunkOf({}, 'tool_calls')] : []),
  ];
  const lineEnd = mix.lines.startsWith('\n') || mix.lines.startsWith('\r') ? mix.lines : '\n\n';
  const before = lineEnd === mix.lines ? '' : mix.lines;
  const events = chunks.map((chunk) => `${before}data: ${JSON.stringify(chunk)}${lineEnd}`);
  return events.join('') + (mix.end === 'none' ? '' : 'data: [DONE]\n\n');
}

/** Returns a body that arrives in parts of some bytes. */
const arriving = (body: string, bytes: number) => {
  const whole = Buffer.from(body);
  const parts = Array.from({ length: Math.ceil(whole.length / bytes) }, (_, at) =>
    whole.subarray(at * bytes, (at + 1) * bytes),
  );
  return new Response(ReadableStream.from(parts), { headers: { 'content-type': 'text/event-stream' } });
};

it('the same calls come out of any mix of the ways in which servers send them', async () => {
  const property = fc.asyncProperty(transformation, async (mix) => {
    const { model } = createChatModel({
      apiKey: 'k',
      baseUrl: 'http://127.0.0.1/v1',
      model: 'm',
      send: () => Promise.resolve(arriving(bodyOf(mix), mix.bytes)),
    });
    const tools = OF_RUNS.includes(mix.answer) ? toolsOfRuns : ownTools;
    const { message } = await callModel(model, [new HumanMessage('Write.')], { tools, maxRetries: 0 });
    expect(message.invalid_tool_calls).toEqual([]);
    expect(message.tool_calls!.map(({ name, args }) => ({ name, args }))).toEqual(mix.answer);
  });
  await fc.assert(property, { numRuns: atDepth({ quick: 200, full: 2_000 }) });
});
