import fc from 'fast-check';
import { secretMask } from './http-caller.js';

const secret = fc.stringMatching(/^[\x21-\x7e]{8,40}$/);
const hex = (code: number, digits = 1) => code.toString(16).padStart(digits, '0');
/** Ways in which an honest server writes a text within JSON, a URL, Markdown or XML. */
const WAYS: ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  (text) => text.replace(/[^A-Za-z0-9]/g, (each) => `\\u${hex(each.charCodeAt(0), 4)}`),
  (text) => text.replace(/[^A-Za-z0-9]/g, (each) => `&#x${hex(each.charCodeAt(0))};`),
  (text) => text.replace(/[^A-Za-z0-9]/g, (each) => `&#${each.charCodeAt(0)};`),
  (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  (text) => text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;'),
  (text) => text.replace(/[^A-Za-z0-9]/g, '\\$&'),
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(text).replace(/%../g, (each) => each.toLowerCase()),
];

describe('secretMask', () => {
  it('P13 removes a secret from every string of any value, in every common way of writing it', () => {
    fc.assert(
      fc.property(secret, fc.constantFrom(...WAYS), fc.jsonValue(), (value, write, other) => {
        const written = write(value);
        const echo = { [`name ${written}`]: [other, { text: `a ${written} b` }, written] };
        expect(JSON.stringify(secretMask([value])(echo))).not.toContain(JSON.stringify(written).slice(1, -1));
      }),
    );
  });

  it('tries no way of reading an escaped text twice', () => {
    const mask = secretMask([`${'\\&amp;%25'.repeat(40)}x`]);
    const text = '\\\\&amp;amp;%2525'.repeat(2_000);
    expect(mask(text) === text).toBe(true);
  });

  it('changes nothing of a value without secrets', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(secretMask(['not-in-there-8f2a'])(value)).toEqual(value);
      }),
    );
  });

  it('P13 removes a secret of digits that returns as a number', () => {
    expect(secretMask(['12345678'])({ id: 12345678, other: 7 })).toEqual({ id: '[removed]', other: 7 });
  });
});
