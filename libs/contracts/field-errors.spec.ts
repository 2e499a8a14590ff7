import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { fieldErrorOf } from './errors.js';
import { englishText } from './phrases/phrase.js';
import { translatorFor } from './phrases/translator.js';

const german = await translatorFor('de');

const schema = z
  .object({
    text: z.string().min(2).max(5),
    number: z.number().gt(0).max(9),
    whole: z.int().min(0),
    kind: z.enum(['a', 'b']),
    one: z.literal('x'),
    list: z.array(z.string()).min(1).max(2),
    url: z.url(),
    date: z.iso.datetime(),
    pattern: z.string().regex(/^a+$/),
    either: z.union([z.string(), z.number()]),
    inner: z.object({ deep: z.boolean() }),
  })
  .strict();
const wrong = {
  text: 'x',
  number: 0,
  whole: 1.5,
  kind: 'c',
  one: 'y',
  list: [],
  url: 'u',
  date: 'd',
  pattern: 'b',
  either: null,
  inner: {},
  more: 1,
};
const wrongToo = { ...wrong, text: 'too long', number: 10, whole: -1, list: ['', '', ''], kind: 3, more2: 1 };

describe('fieldErrorOf', () => {
  it.each([[wrong], [wrongToo], [{}], [null]])('finds the phrase of each message of zod: %#', (value) => {
    const issues = schema.safeParse(value).error!.issues;
    expect(issues.length).toBeGreaterThan(0);
    for (const { path, message } of issues) {
      const found = fieldErrorOf({ path: path.join('.'), message });
      expect([message, found.phrase]).toEqual([message, expect.anything()]);
      expect(englishText(found.phrase!)).toBe(message);
    }
  });

  it('translates the names of types within a message', () => {
    const { phrase } = fieldErrorOf({
      path: 'a',
      message: 'Invalid input: expected number, received undefined',
    });
    expect(german(phrase!)).toBe('fehlt (erwartet: Zahl)');
  });

  it('has no phrase for a text from elsewhere', () => {
    expect(fieldErrorOf({ path: 'a', message: 'Fits no text' })).toEqual({
      path: 'a',
      message: 'Fits no text',
    });
  });

  it('knows each message that a schema of the API sets', () => {
    const files = readdirSync('libs', { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        /^contracts\/|\/(?:contract|facts|gateway)[./]|^gateway\//.test(name) &&
        name.endsWith('.ts') &&
        !/\.spec\.|openapi|phrases\//.test(name),
    );
    const set = /(?:message: |refine\([^'\n]*, |regex\([^'\n]*, )'([a-z][^']*)'/g;
    const messages = files.flatMap((name) =>
      [...readFileSync(join('libs', name), 'utf8').matchAll(set)].map(([, message]) => message!),
    );
    expect(messages.length).toBeGreaterThan(20);
    expect(messages.filter((message) => !fieldErrorOf({ path: '', message }).phrase)).toEqual([]);
  });
});
