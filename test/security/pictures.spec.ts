import { buildStructure } from '#office/structure/build.js';
import { writeDocx } from '#office/docx/write/write.js';
import { writeEpub } from '#office/epub/write.js';
import { typstPdf } from '#office/pdf/typst.js';
import { strFromU8, unzipSync } from 'fflate';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** LLM01: a picture on the web that a model writes would send data to its server as soon as it is loaded. */
describe('pictures on the web in a text', () => {
  let server: Server;
  let web: string;
  let requests = 0;
  beforeAll(async () => {
    server = createServer((_, response) => {
      requests += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    web = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());
  afterEach(() => expect(requests).toBe(0));

  const text = () =>
    [
      `![a](http://${web}/inline.png?data=1)`,
      `![b][ref] [![c](http://${web}/linked.png)](http://${web}/page)`,
      `| x |\n| --- |\n| ![d](//${web}/relative.png) |`,
      `<img src="http://${web}/html.png"> <picture><source srcset="http://${web}/set.png"></picture>`,
      `Note.[^1]`,
      `[^1]: ![e](HTTP://${web}/note.png)`,
      `[ref]: <http://${web}/reference.png>`,
    ].join('\n\n');
  const none = () => Promise.resolve(null);
  const partsOf = (zip: Uint8Array) =>
    Object.entries(unzipSync(zip)).map(([name, bytes]): [string, string] => [name, strFromU8(bytes)]);

  it('LLM01 are neither fetched for a Word file nor loaded when it is opened', async () => {
    const parts = partsOf(await writeDocx(buildStructure(text()), none));
    const relationships = parts
      .filter(([name]) => name.endsWith('.rels'))
      .flatMap(([, xml]) => xml.match(/<Relationship [^>]*>/g) ?? []);
    const external = relationships.filter((each) => each.includes('TargetMode="External"'));
    expect(external.filter((each) => !each.includes('/hyperlink"'))).toEqual([]);
    expect(external).toHaveLength(1);
    expect(parts.filter(([, xml]) => /INCLUDEPICTURE|r:link=|<w:altChunk/.test(xml))).toEqual([]);
  });

  it('LLM01 are neither fetched for an EPUB nor loaded when it is read', async () => {
    const parts = partsOf(await writeEpub(buildStructure(text()), none, { title: 'Book' }));
    const loading =
      /(?:src|srcset|data|poster|xlink:href)\s*=\s*"(?:[a-z]+:)?\/\/|url\(\s*["']?(?:[a-z]+:)?\/\//i;
    expect(parts.filter(([, xml]) => loading.test(xml)).map(([name]) => name)).toEqual([]);
  });

  it('LLM01 are not fetched for a PDF', async () => {
    const pdf = await typstPdf(buildStructure(text()), none, {});
    expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-');
  });
});
