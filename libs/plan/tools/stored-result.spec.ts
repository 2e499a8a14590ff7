import { redactText } from './redact.js';
import { storedResult } from './stored-result.js';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

describe('the preview of a result', () => {
  const previewOf = (result: unknown) => storedResult('key', JSON.stringify(result)).preview;

  it('P13 removes secrets by name and by form', () => {
    expect(previewOf({ password: 'x', text: `Use ${JWT} here`, list: [1, { apiKey: 'y' }] })).toBe(
      '{"password":"[removed]","text":"Use [removed] here","list":[1,{"apiKey":"[removed]"}]}',
    );
  });

  it('P13 removes a secret that extends beyond the preview', () => {
    const text = `${'a '.repeat(298)}${JWT.repeat(20)}`;
    expect(previewOf(text)).not.toContain('eyJ');
  });

  it('P13 shows the beginning of a large result', () => {
    expect(previewOf(Array.from({ length: 100_000 }, (_, index) => index))).toMatch(/^\[0,1,2,3,.*/);
    expect(previewOf('-eyJ'.repeat(1_000_000))).toHaveLength(600);
  });
});

describe('the number of entries of a result', () => {
  const entriesOf = (result: unknown) => storedResult('key', JSON.stringify(result)).entries;

  it.each([
    ['the rows of a table', { columns: ['kind', 'value'], rows: [{ kind: 'a', value: 1 }] }, 1],
    [
      'more rows than the preview shows',
      { columns: ['n'], rows: Array.from({ length: 900 }, () => ({})) },
      900,
    ],
    ['the files of a listing', { files: [{ name: 'a.csv' }, { name: 'b.csv' }], formats: { csv: 2 } }, 2],
    ['no row for an expression without a result', { missing_fields: ['kindd'], data: [] }, 0],
    ['a list', [1, 2, 3], 3],
    ['none for a text with notes', { markdown: '# A', fixed: 0, issues: [] }, undefined],
    ['none for a text', 'a', undefined],
    ['none for nothing', null, undefined],
  ])('is that of %s', (_, result, entries) => {
    expect(entriesOf(result)).toBe(entries);
  });
});

describe('redactText', () => {
  it.each([
    ['at the start of a line', `${JWT}\n`, '[removed]\n'],
    ['behind a dash', `token-${JWT}`, 'token-[removed]'],
    ['in quotation marks', `"${JWT}"`, '"[removed]"'],
  ])('removes a JSON Web Token %s', (_, text, clean) => {
    expect(redactText(text)).toBe(clean);
  });

  it('keeps names with dots', () => {
    expect(redactText('see documentation.page.html and a-very-long.host.example')).toBe(
      'see documentation.page.html and a-very-long.host.example',
    );
  });
});
