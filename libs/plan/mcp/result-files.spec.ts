import fc from 'fast-check';
import { normalizeSourceName } from '#contracts/source-name.js';
import { resultFiles } from './mcp-servers.service.js';

const data = Buffer.from('bytes').toString('base64');

describe('files in results of MCP servers', () => {
  it('P11 are pictures, sounds and embedded resources, with names and media types', () => {
    const files = resultFiles(
      [
        { type: 'text', text: 'no file' },
        { type: 'image', data, mimeType: 'image/png' },
        { type: 'audio', data, mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'file:///a/b%20c.csv', mimeType: 'text/csv', text: 'x' } },
        { type: 'resource', resource: { uri: 'demo://data/7', mimeType: 'application/pdf', blob: data } },
      ],
      'draw',
    );
    expect(files.map(({ name, mediaType, format }) => [name, mediaType, format])).toEqual([
      [expect.stringMatching(/^draw-[0-9a-f]{8}\.png$/), 'image/png', 'png'],
      [expect.stringMatching(/^draw-[0-9a-f]{8}\.wav$/), 'audio/wav', 'wav'],
      ['b c.csv', 'text/csv', 'csv'],
      ['7.pdf', 'application/pdf', 'pdf'],
    ]);
    expect(files[0]!.bytes.toString()).toBe('bytes');
  });

  it('have names without folders, whatever the server calls them', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string({ unit: 'binary' })), fc.string(), (uri, mimeType) => {
        const [file] = resultFiles([{ type: 'resource', resource: { uri, mimeType, text: 'x' } }], 'draw');
        expect([file!.name.includes('/'), normalizeSourceName(file!.name).problem]).toEqual([
          false,
          undefined,
        ]);
        expect(file!.format).toMatch(/^[a-z0-9]+$/);
      }),
    );
  });
});
