import fc from 'fast-check';
import { findReferences } from './find.js';

const refs = (text: string, name = 'a.md') =>
  findReferences(text, name).map(({ kind, ref, line }) => `${line} ${kind} ${ref}`);

describe('findReferences', () => {
  it('D4 finds markdown images and links to local files', () => {
    expect(refs('![a](x.png) and [b](docs/b.pdf "title")\n\n![c][d]\n\n[d]: <my pic.jpg>')).toEqual([
      '1 image x.png',
      '1 link docs/b.pdf',
      '5 image my pic.jpg',
    ]);
    expect(refs('[![badge](b.svg)](report.pdf) ![a (1)](pic_(1).png) ![s](my pic.png)')).toEqual([
      '1 image b.svg',
      '1 link report.pdf',
      '1 image pic_(1).png',
      '1 image my pic.png',
    ]);
  });

  it('D4 decodes escapes in a target in angle brackets like CommonMark', () => {
    const refs = findReferences('![a](<a\\_b (1).png>) ![c](<c\\>d.png>)', 'a.md').map(({ ref }) => ref);
    expect(refs).toEqual(['a_b (1).png', 'c>d.png']);
  });

  it('D4 ignores URLs, mail addresses, data URIs, anchors and links without a file extension', () => {
    expect(
      refs(
        '![a](https://x.org/a.png) [m](mailto:a@b.c) ![d](data:image/png;base64,AA) [x](#top) [y](chapter) [z](//cdn.org/x.js)',
      ),
    ).toEqual([]);
  });

  it('D4 ignores code', () => {
    expect(
      refs(
        '```\n![a](x.png)\n```\n\n    ![b](y.png)\n\n`![c](z.png)` ``![d](`w.png)``\n\n~~~\n<img src="q.png">\n~~~',
      ),
    ).toEqual([]);
    expect(refs('a ` b ![c](z.png)')).toEqual(['1 image z.png']);
  });

  it('D4 finds HTML, reStructuredText, wiki, LaTeX and AsciiDoc forms', () => {
    expect(
      refs(
        '<p>\n<img alt="x"\n src=\'a b.png\'></p>\n<!-- <img src="no.png"> -->\n<a href="b.pdf">b</a>',
        'x.html',
      ),
    ).toEqual(['2 image a b.png', '5 link b.pdf']);
    expect(
      refs(
        '.. image:: pic.png\n   :alt: x\n\n.. include:: other.rst\n\n.. |l| image:: l.png\n`t <f.pdf>`_',
        'x.rst',
      ),
    ).toEqual(['1 image pic.png', '4 include other.rst', '6 image l.png', '7 link f.pdf']);
    expect(refs('[[File:Map of X.png|thumb]]\n[[Image:b.jpg]]\n[[Page]]')).toEqual([
      '1 image Map of X.png',
      '2 image b.jpg',
    ]);
    expect(
      refs('\\includegraphics[width=3cm]{fig/a}\n% \\includegraphics{no}\n\\input{part.tex}', 'x.tex'),
    ).toEqual(['1 image fig/a', '3 include part.tex']);
    expect(refs('image::a.png[Alt]\ninclude::b.adoc[]', 'x.adoc')).toEqual([
      '1 image a.png',
      '2 include b.adoc',
    ]);
  });

  it('D4 ignores files of code, logs and data', () => {
    for (const name of ['a.ts', 'a.log', 'a.json', 'a.csv']) expect(refs('![a](x.png)', name)).toEqual([]);
    expect(refs('![a](x.png)', 'README')).toEqual(['1 image x.png']);
  });

  it.each([
    '[',
    '![',
    '`',
    '[[File:',
    '<img ',
    '](',
    '<!--',
    '`a``',
    '.. image:: ',
    '[a](b ',
    '\\includegraphics[',
  ])('finishes 1 MB of %j', (unit) => {
    const text = unit.repeat(Math.ceil(1e6 / unit.length));
    expect(findReferences(text, 'a.md')).toEqual(expect.any(Array));
  });

  it('never throws, and returns only line numbers within the text', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '![',
            '](',
            ')',
            'a.png',
            '`',
            '```',
            '\n',
            '<img src="',
            '">',
            ' ',
            '[',
            ']:',
            '\\',
          ),
        ),
        (parts) => {
          const text = parts.join('');
          const lines = text.split('\n').length;
          for (const { line } of findReferences(text, 'x.md')) expect(line).toBeLessThanOrEqual(lines);
        },
      ),
    );
  });
});
