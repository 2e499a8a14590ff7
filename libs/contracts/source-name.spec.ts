import fc from 'fast-check';
import { englishText } from './phrases/phrase.js';
import { baseName, compareNames, normalizeSourceName } from './source-name.js';

const nameOf = (name: string) => normalizeSourceName(name).name;
const problemOf = (name: string) => englishText(normalizeSourceName(name).problem!);

describe('normalizeSourceName', () => {
  it.each([
    ['readme.md', 'readme.md'],
    ['docs/api/readme.md', 'docs/api/readme.md'],
    ['./a.md', 'a.md'],
    ['a//b/./c.md', 'a/b/c.md'],
    [' docs / a.md ', 'docs/a.md'],
    ['Cafe\u0301/re\u0301sume\u0301.md', 'Caf\u00e9/r\u00e9sum\u00e9.md'],
    ['.env', '.env'],
    ['%2e%2e/a.md', '%2e%2e/a.md'],
    ['a..b.md', 'a..b.md'],
    ['Fenn et al..md', 'Fenn et al..md'],
    ['minutes..', 'minutes..'],
    ['می\u200cخوانم.md', 'می\u200cخوانم.md'],
    ['क्\u200dष.md', 'क्\u200dष.md'],
    ['ᠮᠣᠩᠭ\u180bᠣᠯ.md', 'ᠮᠣᠩᠭ\u180bᠣᠯ.md'],
    ['👩\u200d🔧 notes.md', '👩\u200d🔧 notes.md'],
    ['👩🏽\u200d❤️\u200d👩🏽/🏳️\u200d🌈.md', '👩🏽\u200d❤️\u200d👩🏽/🏳️\u200d🌈.md'],
    ['안녕/ไทย/日本.md', '안녕/ไทย/日本.md'],
  ])('returns %j as %j', (given, expected) => {
    expect(normalizeSourceName(given)).toEqual({ name: expected });
  });

  it.each([
    ['is empty', ''],
    ['is empty', ' . / '],
    ['contains ".." as a folder', '../a.md'],
    ['contains ".." as a folder', 'docs/../../a.md'],
    ['contains ".." as a folder', 'docs/ .. /a.md'],
    ['contains ".." as a folder', '..'],
    ['has a part that begins with ".."', '..notes/a.md'],
    ['has a part that begins with ".."', 'a/..%2fb.md'],
    ['begins with "/": send a path relative to the folder of the sources', '/etc/passwd'],
    ['begins with "/": send a path relative to the folder of the sources', ' //host/share'],
    ['contains "\\": separate folders with "/"', 'docs\\a.md'],
    ['ends with "/": it names a folder', 'docs/'],
    ['contains a control or an invisible character', 'docs/a\u0000.md'],
    ['contains a control or an invisible character', 'a\u200b/b.md'],
    ['contains a control or an invisible character', 'a\u200db.md'],
    ['contains a control or an invisible character', '\u200d.md'],
    ['contains a control or an invisible character', 'می\u200c\u200cخوانم.md'],
    ['contains a control or an invisible character', '👩\u200d.md'],
    ['contains a control or an invisible character', 'می\u202eخوانم.md'],
    ['is not well-formed Unicode', 'docs/\ud800.md'],
    ['has a part that is longer than 200 bytes', `docs/${'x'.repeat(201)}`],
    ['is longer than 1000 bytes', `${'x'.repeat(199)}/`.repeat(6) + 'a.md'],
  ])('rejects a name that %s', (problem, name) => {
    expect(problemOf(name)).toBe(problem);
  });

  const part = fc.oneof(
    fc.constantFrom('.', '..', '', ' ', 'a', 'A.md', 'e\u0301', '\\', '\u200b', '\ud800', 'C:'),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  const anyName = fc.array(part, { maxLength: 6 }).map((parts) => parts.join('/'));

  it('D7 returns relative paths only, and none of them changes when it is normalised again', () => {
    fc.assert(
      fc.property(fc.oneof(anyName, fc.string({ unit: 'binary' })), (given) => {
        const name = nameOf(given);
        if (name === undefined) return expect(problemOf(given)).toEqual(expect.any(String));
        expect(normalizeSourceName(name)).toEqual({ name });
        expect(name).toBe(name.normalize('NFC'));
        expect(name).not.toMatch(/^\/|\/$|\\|\/\/|^\s|\s$/);
        expect(name.split('/')).not.toContain('.');
        expect(name.split('/')).not.toContain('..');
      }),
    );
  });

  it('D7 keeps files of different folders apart', () => {
    const plain = fc.stringMatching(/^[a-z]{1,8}(\.md)?$/);
    const path = fc.array(plain, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(path, path, (a, b) => {
        expect(nameOf(a) === nameOf(b)).toBe(a === b);
      }),
    );
  });
});

describe('baseName', () => {
  it('returns the last part of a name', () => {
    expect(['a.md', 'docs/api/a.md'].map(baseName)).toEqual(['a.md', 'a.md']);
  });
});

describe('compareNames', () => {
  it('puts README and overview of a folder first, and keeps the files of a folder together', () => {
    const order = [
      'Overview.md',
      'README.md',
      '2.md',
      '10.md',
      'a/readme',
      'a/b.md',
      'a/c/x.md',
      'b/a.md',
      'b.md',
    ];
    expect(order.toReversed().sort(compareNames)).toEqual(order);
    expect(compareNames('readme.md', 'README.md')).not.toBe(0);
  });

  it('orders any names, and finds only equal ones equal', () => {
    const part = fc.constantFrom('a', 'A', 'b.md', 'README', 'readme.md', 'overview.txt', '2', '10', '');
    const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(path, path, path, (a, b, c) => {
        expect(Math.sign(compareNames(a, b))).toBe(-Math.sign(compareNames(b, a)) || 0);
        expect(compareNames(a, b) === 0).toBe(a === b);
        if (compareNames(a, b) < 0 && compareNames(b, c) < 0) expect(compareNames(a, c)).toBeLessThan(0);
      }),
    );
  });
});
