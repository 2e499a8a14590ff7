import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { chooseLanguage } from '../language.js';
import { acceptAtTerminal } from './terminal.js';
import { askPerson } from './decide.js';
import { answerJsonSchema, decisionRequestSchema } from '#catalogue/decisions.js';
import { type Decision, defaultChoices, fieldsOf } from './choices.js';
import type { ApiClient } from '../client/api-client.js';
import { choicesFrom, decide } from './decide.js';
import { readAnswers } from './given-answers.js';

/** The decision as the service shows it: with the schema of its answer. */
const decision = (overrides: Partial<Decision>): Decision => {
  const plain = withoutSchema(overrides);
  const request = { ...plain, deadline_seconds: 60, budget: plain.budget ?? undefined };
  return { ...plain, answer_schema: answerJsonSchema(decisionRequestSchema.parse(request)) };
};
const withoutSchema = (overrides: Partial<Decision>): Decision => ({
  id: 'tsk_1',
  run_id: 'run_1',
  session_id: 'ses_1',
  run_kind: 'document',
  run_title: null,
  status: 'open',
  decision_type: 'missing_references',
  question: 'Upload the file or skip it?',
  phrase: null,
  context_phrases: [],
  references: [
    { ref: 'a.png', source: 'notes.md', line: 3, hint: 'A.png' },
    { ref: 'b=c.png', source: null, line: null, hint: null },
  ],
  context: [],
  details: {},
  budget: null,
  answer_schema: {},
  default_answer: { user_decisions: { 'a.png': 'skip', 'b=c.png': 'skip' } },
  answer: null,
  answered_by: null,
  answered_at: null,
  assignee: null,
  quorum: 1,
  votes: [],
  reminded_at: null,
  deadline: null,
  created_at: '2026-01-01T00:00:00.000Z',
  ...overrides,
});
const fixExhausted = decision({
  decision_type: 'fix_exhausted',
  references: [],
  default_answer: { action: 'abort' },
  context: ['line 4: MD001 heading levels'],
});
const encodings = decision({
  decision_type: 'encodings',
  references: [],
  details: {
    files: [
      {
        name: 'old.txt',
        guess: 'windows-1250',
        confidence: 0.6,
        offers: ['windows-1250', 'windows-1252'].map((encoding) => ({ encoding, preview: 'x' })),
      },
    ],
  },
  default_answer: { encodings: { 'old.txt': 'windows-1250' } },
});
const question = decision({ decision_type: 'question', references: [], default_answer: { text: 'Go on.' } });

describe('answers from the command line', () => {
  it('are read as REF=ANSWER, with %3D for a "=" in the reference', () => {
    const { byReference, skipTheRest } = readAnswers(['a.png=skip', 'b%3Dc.png=dir/x=1.png', '*=skip']);
    expect([...byReference]).toEqual([
      ['a.png', 'skip'],
      ['b=c.png', 'dir/x=1.png'],
    ]);
    expect(skipTheRest).toBe(true);
  });

  it('keep any reference and path', () => {
    const anyText = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((ref) => ref !== '*' && !ref.includes('%3D'));
    fc.assert(
      fc.property(anyText, fc.string({ minLength: 1 }), (ref, path) => {
        const { byReference } = readAnswers([`${ref.replaceAll('=', '%3D')}=${path}`]);
        expect([...byReference]).toEqual([[ref, path]]);
      }),
    );
  });

  it.each([['a.png'], ['=skip'], ['a.png='], ['*=a.png']])(
    'reject %s with a message that shows the valid form',
    (option) => {
      expect(() => readAnswers([option])).toThrow(
        /"[^"]+" is not a valid answer: (write REFERENCE=PATH|"\*" only accepts skip)/,
      );
    },
  );

  it('fill the fields of each decision type; "*=skip" uses the defaults of the other fields', () => {
    expect(fieldsOf(decision({}))).toEqual(['a.png', 'b=c.png']);
    expect(choicesFrom(decision({}), readAnswers(['a.png=x.png', 'other=skip']))).toEqual(
      new Map([['a.png', 'x.png']]),
    );
    expect(choicesFrom(decision({}), readAnswers(['a.png=x.png', '*=skip']))).toEqual(
      new Map([
        ['a.png', 'x.png'],
        ['b=c.png', 'skip'],
      ]),
    );
    expect(choicesFrom(fixExhausted, readAnswers(['action=accept']))).toEqual(
      new Map([['action', 'accept']]),
    );
    const draft = {
      ...fixExhausted,
      answer_schema: {
        type: 'object',
        properties: { action: { type: 'string' }, feedback: { type: 'string' } },
        required: ['action'],
      },
    };
    expect(fieldsOf(draft)).toEqual(['action']);
    expect(choicesFrom(draft, readAnswers(['action=reject', 'feedback=Shorter.']))).toEqual(
      new Map([
        ['action', 'reject'],
        ['feedback', 'Shorter.'],
      ]),
    );
    expect(defaultChoices(fixExhausted)).toEqual(new Map([['action', 'abort']]));
    expect(choicesFrom(question, readAnswers(['*=skip']))).toEqual(new Map([['text', 'Go on.']]));
  });
});

describe('decide, without a terminal', () => {
  it('suggests a command to continue, with the given output and data directory', async () => {
    const none = {} as ApiClient;
    const { signal } = new AbortController();
    const place = { output: 'out/my book.docx', dataDir: '/data' };
    const asked = decide(none, encodings, readAnswers([]), signal, place);
    await expect(asked).rejects.toThrow(
      `"scriptorium follow run_1 -o 'out/my book.docx' --data-dir /data --answer 'old.txt=windows-1250|windows-1252'"`,
    );
    await expect(decide(none, encodings, readAnswers([]), signal, place)).rejects.toThrow(
      `"scriptorium answer tsk_1 'old.txt=windows-1250|windows-1252' --data-dir /data"`,
    );
    await expect(decide(none, encodings, readAnswers([]), signal)).rejects.toThrow(
      `"scriptorium follow run_1 -o FILE --answer`,
    );
  });
});

describe('askPerson', () => {
  let dir: string;
  const never = new AbortController().signal;

  /** Types one line after each prompt and returns what was answered and what was shown. */
  async function ask(about: Decision, typed: string[]) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const shown = text(output.pipe(new PassThrough()));
    const lines = [...typed];
    output.on('data', (chunk: Buffer) => {
      if (chunk.toString().endsWith('> ')) input.write(`${lines.shift()}\n`);
    });
    const choices = await askPerson(about, fieldsOf(about), never, { input, output });
    output.end();
    return { choices, shown: await shown };
  }

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'scriptorium-ask-'));
    await writeFile(join(dir, 'a file.png'), 'png');
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('D18 accepts a path or skip, and asks again when the path does not exist', async () => {
    const path = join(dir, 'a file.png');
    const { choices, shown } = await ask(decision({}), [join(dir, 'none.png'), `'${path}'`, 'S']);
    expect(choices).toEqual(
      new Map([
        ['a.png', path],
        ['b=c.png', 'skip'],
      ]),
    );
    expect(shown).toContain('Upload the file or skip it?');
    expect(shown).toContain('a.png (notes.md, line 3) – did you mean A.png?');
    expect(shown).toMatch(
      /none\.png" is not a valid answer: path of the file, use:NAME for an uploaded file, skip, or skip all/,
    );
  });

  it('shows all missing references first, and skips the remaining ones on request', async () => {
    const { choices, shown } = await ask(decision({}), ['skip all']);
    expect(choices).toEqual(
      new Map([
        ['a.png', 'skip'],
        ['b=c.png', 'skip'],
      ]),
    );
    const form = shown.slice(0, shown.indexOf('> '));
    expect(form).toContain('- a.png (notes.md, line 3)\n  - b=c.png\n');
    const path = join(dir, 'a file.png');
    expect((await ask(decision({}), [path, 'skip all'])).choices).toEqual(
      new Map([
        ['a.png', path],
        ['b=c.png', 'skip'],
      ]),
    );
  });

  it('D7 suggests an encoding for each file that is not UTF-8, and accepts any offered encoding', async () => {
    const { choices, shown } = await ask(encodings, ['']);
    expect(choices).toEqual(new Map([['old.txt', 'windows-1250']]));
    expect(shown).toContain('old.txt: windows-1250 or windows-1252 [windows-1250] > ');
    expect((await ask(encodings, ['klingon', 'windows-1252'])).choices).toEqual(
      new Map([['old.txt', 'windows-1252']]),
    );
    expect(choicesFrom(encodings, readAnswers(['*=skip']))).toEqual(new Map([['old.txt', 'windows-1250']]));
  });

  it('D23 shows the remaining issues and accepts only the offered actions', async () => {
    const { choices, shown } = await ask(fixExhausted, ['perhaps', '', 'Accept']);
    expect(choices).toEqual(new Map([['action', 'accept']]));
    expect(shown).toContain('line 4: MD001 heading levels');
  });

  it.each([
    ['run', 'tokens', 'tokens to add, or stop > ', ['0', 'many', '5000'], 'action=5000'],
    ['run', 'tokens', 'tokens to add, or stop > ', ['Stop'], 'action=stop'],
    ['run', 'cost', 'cost to add, such as 0.50, or stop > ', ['0', '1.2.3', '0,5'], 'action=0,5'],
    ['tenant', 'tokens', 'retry or stop > ', ['5000', 'retry'], 'action=retry'],
  ] as const)('asks about the budget of a %s in %s: %s', async (scope, unit, prompt, typed, answer) => {
    const budget = { scope, unit, spent: 9, reserved: 0, needed: 2, limit: 10 };
    const about = decision({ decision_type: 'budget_exceeded', references: [], budget });
    const { choices, shown } = await ask(about, [...typed]);
    expect(shown).toContain(prompt);
    expect([...choices!].map((choice) => choice.join('='))).toEqual([answer]);
  });

  it('returns nothing when the input is closed', async () => {
    const input = new PassThrough();
    const asked = askPerson(question, ['text'], never, { input, output: new PassThrough().resume() });
    input.end();
    expect(await asked).toBeUndefined();
  });

  it('accepts any text as an answer, except an empty one', async () => {
    expect((await ask(question, ['', 'yes, both'])).choices).toEqual(new Map([['text', 'yes, both']]));
  });
});

describe('acceptAtTerminal', () => {
  afterEach(() => chooseLanguage({}));

  it.each([
    ['en', 'reject', 'accept or reject', false],
    ['de', 'Annehmen', 'annehmen oder ablehnen', true],
    ['de', 'reject', 'annehmen oder ablehnen', false],
    ['pl', 'przyjmij', 'przyjmij lub odrzuć', true],
  ])('asks in %s and reads %j', async (LANG, typed, prompt, isAccepted) => {
    await chooseLanguage({ LANG });
    const [input, output] = [new PassThrough(), new PassThrough()];
    const shown = text(output.pipe(new PassThrough()));
    const lines = ['maybe', typed];
    output.on('data', (chunk: Buffer) => {
      if (chunk.toString().endsWith('> ')) input.write(`${lines.shift()}\n`);
    });
    const accepted = acceptAtTerminal('?', new AbortController().signal, { input, output });
    expect(await accepted).toBe(isAccepted);
    output.end();
    expect(await shown).toContain(`  ${prompt} > `);
  });
});
