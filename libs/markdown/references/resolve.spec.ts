import fc from 'fast-check';
import { referenceResolver, resolveReference } from './resolve.js';

describe('resolveReference', () => {
  it('D4 matches the reference as written, URL-decoded, in NFC, and by its base name', () => {
    expect(resolveReference('a.png', ['a.png'])).toEqual({ match: 'a.png', hint: null });
    expect(resolveReference('img/my%20pic.png?v=1', ['my pic.png'])).toEqual({
      match: 'my pic.png',
      hint: null,
    });
    expect(resolveReference('Caf\u0065\u0301.png', ['Caf\u00e9.png'])).toEqual({
      match: 'Caf\u00e9.png',
      hint: null,
    });
    expect(resolveReference('..\\img\\a.png', ['a.png']).match).toBe('a.png');
  });

  it('D4 returns a hint, not a match, if only the case differs', () => {
    expect(resolveReference('img/Logo.PNG', ['logo.png'])).toEqual({ match: null, hint: 'logo.png' });
    expect(resolveReference('Logo.PNG', ['img/logo.png'])).toEqual({ match: null, hint: 'img/logo.png' });
    expect(resolveReference('100%.png', ['b.png'])).toEqual({ match: null, hint: null });
  });

  const images = ['x.png', 'a/img/x.png', 'b/img/x.png', 'b/y.png', 'shared/z.png'];
  const cases: [ref: string, source: string, match: string][] = [
    ['img/x.png', 'a/readme.md', 'a/img/x.png'],
    ['img/x.png', 'b/readme.md', 'b/img/x.png'],
    ['./img/../img/x.png#top', 'a/readme.md', 'a/img/x.png'],
    ['../b/y.png', 'a/readme.md', 'b/y.png'],
    ['..\\b\\y.png', 'a/readme.md', 'b/y.png'],
    ['x.png', 'readme.md', 'x.png'],
    ['b/img/x.png', 'a/readme.md', 'b/img/x.png'],
    ['/b/img/x.png', 'a/readme.md', 'b/img/x.png'],
    ['pictures/z.png', 'a/readme.md', 'shared/z.png'],
    ['../../../shared/z.png', 'a/readme.md', 'shared/z.png'],
  ];
  it.each(cases)('D4 resolves %s in %s to %s', (ref, source, match) => {
    expect(resolveReference(ref, images, source)).toEqual({ match, hint: null });
  });

  it('D4 returns all candidates and no match if several files have the base name', () => {
    expect(resolveReference('pictures/x.png', images, 'shared/readme.md')).toEqual({
      match: null,
      hint: 'x.png or a/img/x.png or b/img/x.png',
      candidates: ['x.png', 'a/img/x.png', 'b/img/x.png'],
    });
    expect(resolveReference('x.png', images, 'shared/readme.md').match).toBeNull();
  });

  it('D4 prefers the file next to the source to any other', () => {
    const part = fc.constantFrom('a', 'b', 'c d', 'e\u0301');
    const folder = fc.array(part, { maxLength: 3 }).map((parts) => parts.map((name) => `${name}/`).join(''));
    fc.assert(
      fc.property(folder, folder, fc.array(folder, { maxLength: 4 }), (home, below, others) => {
        const wanted = `${home}${below}x.png`.normalize('NFC');
        const available = [...others.map((other) => `${other}x.png`.normalize('NFC')), wanted];
        const resolve = referenceResolver(available);
        for (const ref of [`${below}x.png`, `./${below}x.png`, encodeURI(`${below}x.png`)])
          expect(resolve(ref, `${home}readme.md`).match).toBe(wanted);
      }),
    );
  });
});
