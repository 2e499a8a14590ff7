import type { PlanPause } from '../contract/values.js';
import { redactText, redactValue } from '../tools/redact.js';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer';
import { summarise } from './summary.js';

const asked = (input: Parameters<typeof summarise>[0]): string => summarise(input).question;

const PLANNING = {
  planned_by: 'model' as const,
  understanding: 'A report for finance.',
  outputs: [{ task: 'send', description: 'report.md' }],
  assumptions: ['Amounts are in euros.'],
  missing: ['The figures of May.'],
};
const input = { tasks: [], planning: null, costOf: () => 3 };

describe('the summary for people', () => {
  it('P5 states what happened, what comes next, what it costs and what a rejection stops', () => {
    const task = (given: string, purpose: string, args = {}) => ({
      ...{ id: given, tool: `tool_${given}`, purpose, arguments: args, depends_on: [] },
    });
    const [list, read, send, file] = [
      task('list', 'list the files'),
      task('read', 'read the amounts', { name: 'may.csv' }),
      task('send', 'ask the rates', { url: 'https://rates.example' }),
      task('file', 'save the report'),
    ];
    const summary = asked({
      ...input,
      intent: 'report to finance',
      tasks: [list, read, send, file],
      planning: PLANNING,
      pause: {
        checkpoint_id: 'hil-1',
        completed_layer: 1,
        completed: ['list', 'read'],
        results: [
          { task_id: 'read', tool: 'tool_read', status: 'completed', preview: '{"rows":7}', error: null },
        ],
        next_layer: [
          {
            task_id: 'send',
            tool: 'tool_send',
            arguments: send.arguments,
            side_effects: true,
            purpose: send.purpose,
            missing: [],
          },
        ],
        options: [],
      },
      later: [[file]],
      deadlineSeconds: 300,
      onTimeout: 'abort',
    });
    expect(summary).toContain('You would not receive: report.md.');
    for (const part of [
      'Understood as: A report for finance.',
      'Assumed: Amounts are in euros.',
      'Not covered by the plan: The figures of May.',
      'You will receive: report.md',
      'read (tool_read): completed – read the amounts; called with name: may.csv – rows: 7',
      'send (tool_send), has side effects, cost 3 – ask the rates: url: https://rates.example',
      '- file (tool_file) – save the report',
      'If you reject, these steps will not run: 1 of the next layer and 1 after it, with a total cost of 6. Complete: 2 of 4 steps.',
      'These tasks would not act on other systems: send.',
      '## Completed before\n\n- list (tool_list) – list the files',
    ])
      expect(summary).toContain(part);
  });

  it('P5 shows at most one line of what ran, and more of what comes next', () => {
    const long = { rows: 'x'.repeat(500) };
    const summary = asked({
      ...input,
      intent: null,
      tasks: [{ id: 'a', tool: 't', arguments: long, depends_on: [] }],
      pause: {
        checkpoint_id: 'hil-1',
        completed_layer: 0,
        completed: ['a'],
        results: [
          { task_id: 'a', tool: 't', status: 'completed', preview: JSON.stringify(long), error: null },
        ],
        next_layer: [{ task_id: 'b', tool: 't', arguments: long, side_effects: true, missing: [] }],
        options: [],
      },
      later: [],
      deadlineSeconds: 300,
      onTimeout: 'abort',
    });
    const shown = summary.match(/rows: x+/g) ?? [];
    expect(shown.map(({ length }) => length > 121)).toEqual([false, false, true]);
  });

  const text = fc.oneof(fc.string({ maxLength: 2_000 }), fc.string({ unit: 'grapheme', maxLength: 600 }));
  const id = fc.string({ minLength: 1, maxLength: 64 });
  const pause: fc.Arbitrary<PlanPause> = fc.record({
    checkpoint_id: id,
    completed_layer: fc.nat(200),
    completed: fc.array(id, { maxLength: 200 }),
    results: fc.array(
      fc.record({
        task_id: id,
        tool: id,
        status: fc.constantFrom('completed' as const, 'failed' as const),
        preview: text,
        error: fc.option(fc.record({ code: id, message: text })),
      }),
      { maxLength: 60 },
    ),
    next_layer: fc.array(
      fc.record({
        task_id: id,
        tool: id,
        arguments: fc.dictionary(id, text, { maxKeys: 4 }),
        side_effects: fc.boolean(),
        missing: fc.constant([]),
      }),
      { maxLength: 60 },
    ),
    options: fc.constant(['approve', 'reject']),
  });

  it('P5 has at most 1,000 tokens, for any plan', () => {
    fc.assert(
      fc.property(
        pause,
        fc.option(text),
        fc.array(fc.array(id, { maxLength: 5 }), { maxLength: 20 }),
        fc.option(text),
        (given, intent, layers, words) => {
          const of = (each: string) => ({
            id: each,
            tool: each,
            arguments: {},
            depends_on: [],
            purpose: each,
          });
          const later = layers.map((layer) => layer.map(of));
          const summary = asked({
            ...input,
            pause: given,
            intent,
            later,
            tasks: later.flat(),
            planning:
              words === null ? null : { ...PLANNING, understanding: words, assumptions: [words, words] },
            deadlineSeconds: 300,
            onTimeout: 'abort',
          });
          expect(countTokens(summary)).toBeLessThanOrEqual(1_000);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('P5 contains no secret of a result, an argument or an error', () => {
    const secrets = ['hunter2secret', 'ghp_abcdefghij0123456789ABCDEFGHIJ012345', 'AKIAIOSFODNN7EXAMPLE'];
    const summary = asked({
      ...input,
      intent: `use token: ${secrets[1]}`,
      pause: {
        checkpoint_id: 'hil-1',
        completed_layer: 0,
        completed: ['a'],
        results: [
          {
            task_id: 'a',
            tool: 't',
            status: 'completed',
            preview: `{"password":"${secrets[0]}"}`,
            error: null,
          },
          {
            task_id: 'b',
            tool: 't',
            status: 'failed',
            preview: '',
            error: { code: 'x', message: `key ${secrets[2]}` },
          },
        ],
        next_layer: [
          { task_id: 'c', tool: 't', arguments: { apiKey: secrets[0] }, side_effects: true, missing: [] },
        ],
        options: [],
      },
      later: [],
      deadlineSeconds: 300,
      onTimeout: 'approve',
    });
    for (const secret of secrets) expect(summary).not.toContain(secret);
    expect(summary).toContain('c (t), has side effects, cost 3');
  });
});

describe('removing secrets', () => {
  it.each([
    ['Authorization: Bearer abcdefgh12345678', 'abcdefgh12345678'],
    ['https://user:s3cretpass@example.org/', 's3cretpass'],
    ['{"api_key": "abc def"}', 'abc def'],
    ["DB_PASSWORD='p w'", 'p w'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'eyJzdWIiOiIxIn0'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----', 'MIIabc'],
    ['sk-proj-abcdefghijklmnop1234', 'abcdefghijklmnop1234'],
  ])('P13 removes it from %j', (given, secret) => {
    expect(redactText(given)).not.toContain(secret);
  });

  it('P13 keeps the name of a stored secret, so that people see which one is sent', () => {
    const headers = { authorization: 'Bearer {{crm}}', 'x-api-key': '{{key}}', cookie: 'a={{crm}}; b' };
    expect(redactValue(headers)).toEqual({ ...headers, cookie: '[removed]' });
  });

  it('P13 does not change prose and numbers, and recognizes fields by their names', () => {
    const prose = 'The secret of a good text is the token gesture. See commit 1a2b3c4 and 2026-11-22.';
    expect(redactText(prose)).toBe(prose);
    expect(
      redactValue({ userPassword: 'x', tokens: 12, author: 'me', list: [{ auth: 1 }], cookie: null }),
    ).toEqual({
      userPassword: '[removed]',
      tokens: 12,
      author: 'me',
      list: [{ auth: '[removed]' }],
      cookie: null,
    });
  });
});
