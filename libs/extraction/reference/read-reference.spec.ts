import { randomBytes } from 'node:crypto';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { strToU8, zipSync } from 'fflate';
import { readFileReference } from './read-reference.js';

const zip = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
const DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"';
const referenceIn = async (bytes: Uint8Array, name: string) =>
  (await readFileReference(bytes, name)).reference;

describe('what a file says about itself', () => {
  it('X15 is read from the properties of a PDF, with its printed page numbers', async () => {
    const pdf = NodeCompiler.create({ workspace: '/' }).pdf({
      mainFileContent:
        '#set document(title: "On light", author: ("Ada Nowak", "Jan Kowalski"))\n#set page(numbering: "i")\nOne#pagebreak()Two',
    });
    expect(await readFileReference(pdf, 'light.pdf')).toEqual({
      reference: {
        title: 'On light',
        authors: [
          { family: 'Nowak', given: 'Ada' },
          { family: 'Kowalski', given: 'Jan' },
        ],
        language: 'en',
      },
      pageLabels: ['i', 'ii'],
    });
  });

  it('X15 is read from the properties of an Office file, without the date of saving', async () => {
    const core = (title: string) =>
      zip({
        'docProps/core.xml': `<cp:coreProperties xmlns:cp="x" ${DC}><dc:title>${title}</dc:title><dc:creator>Nowak, Ada; Kowalski, Jan</dc:creator><dcterms:created>2019-04-02T10:00:00Z</dcterms:created><dc:language></dc:language></cp:coreProperties>`,
      });
    const authors = [
      { family: 'Nowak', given: 'Ada' },
      { family: 'Kowalski', given: 'Jan' },
    ];
    expect(await referenceIn(core('Sea &amp; light'), 'a.docx')).toEqual({ title: 'Sea & light', authors });
    expect(await referenceIn(core('Microsoft Word - draft 3.doc'), 'a.docx')).toEqual({ authors });
  });

  it('X15 is read from the package of an EPUB', async () => {
    const epub = zip({
      'OEBPS/content.opf': `<package xmlns="http://www.idpf.org/2007/opf"><metadata ${DC}><dc:title>Salt</dc:title><dc:creator>Ada Nowak</dc:creator><dc:publisher>Sea Press</dc:publisher><dc:date>2019-04-02T00:00:00Z</dc:date><dc:identifier>urn:isbn:978-3-16-148410-0</dc:identifier><dc:language>pl</dc:language></metadata></package>`,
    });
    expect(await referenceIn(epub, 'salt.epub')).toEqual({
      type: 'book',
      title: 'Salt',
      authors: [{ family: 'Nowak', given: 'Ada' }],
      issued: '2019-04-02',
      publisher: 'Sea Press',
      isbn: '978-3-16-148410-0',
      language: 'pl',
    });
  });

  it('X15 is read from the head of a page, with the metadata of journals', async () => {
    const meta = Object.entries({
      citation_title: 'On light',
      citation_publication_date: '2019/04/02',
      citation_journal_title: 'Journal of Light',
      citation_volume: '12',
      citation_issue: '3',
      citation_firstpage: '12',
      citation_lastpage: '30',
      citation_doi: '10.1000/xyz',
      'og:url': 'javascript:alert(1)',
    }).map(([name, content]) => `<meta name="${name}" content="${content}">`);
    const authors =
      '<meta name=citation_author content="Nowak, Ada"><meta name=citation_author content="Jan Kowalski">';
    const page = Buffer.from(`<title>x</title>${authors}${meta.join('')}`);
    expect(await referenceIn(page, 'light.html')).toEqual({
      type: 'article',
      title: 'On light',
      authors: [
        { family: 'Nowak', given: 'Ada' },
        { family: 'Kowalski', given: 'Jan' },
      ],
      issued: '2019-04-02',
      container: 'Journal of Light',
      volume: '12',
      issue: '3',
      pages: '12–30',
      doi: '10.1000/xyz',
    });
  });

  it('X15 is read from front matter', async () => {
    const text = `---
title: Salt
author:
  - Ada Nowak
  - { given: Jan, family: Kowalski }
  - Ministry of Ports
year: 2019
publisher: Sea Press
place: Gdańsk
url: https://example.org/salt
---

# Salt
`;
    expect(await referenceIn(Buffer.from(text), 'salt.md')).toEqual({
      title: 'Salt',
      authors: [
        { family: 'Nowak', given: 'Ada' },
        { family: 'Kowalski', given: 'Jan' },
        { family: 'Ministry of Ports' },
      ],
      issued: '2019',
      publisher: 'Sea Press',
      place: 'Gdańsk',
      url: 'https://example.org/salt',
    });
  });

  it('X15 is nothing for damaged files and files without metadata', async () => {
    const files: [string, Uint8Array][] = [
      ['a.pdf', Buffer.from('%PDF-1.7\nbroken')],
      ['a.docx', zip({ 'docProps/core.xml': '<broken' })],
      ['a.epub', zip({ 'a.opf': '' })],
      ['a.docx', randomBytes(200)],
      ['a.md', Buffer.from('---\na: [\n---\n')],
      ['a.csv', Buffer.from('title,author\nx,y\n')],
      ['a.txt', Buffer.from([0xff, 0xfe, 0x00])],
    ];
    for (const [name, bytes] of files) expect([name, await referenceIn(bytes, name)]).toEqual([name, {}]);
  });
});
