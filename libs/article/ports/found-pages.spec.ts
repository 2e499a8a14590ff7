import { shortLine } from './research.js';

describe('a line from a search server', () => {
  it('has at most 300 characters, and ends with a whole one', () => {
    expect(shortLine(`${'x'.repeat(299)}😀 and more`)).toBe('x'.repeat(299));
    expect(shortLine(`${'x'.repeat(298)}😀 and more`)).toBe(`${'x'.repeat(298)}😀`);
  });

  it('is well-formed text without control characters, or null', () => {
    expect(shortLine(' Harbour\u0000\nlights \ud800 ')).toBe('Harbour lights \ufffd');
    expect(shortLine(' \u0000 ')).toBeNull();
    expect(shortLine(undefined)).toBeNull();
  });
});
