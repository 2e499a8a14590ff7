import fc from 'fast-check';
import { normalizeSourceName } from '#contracts/source-name.js';
import { serverTools } from '../tools/mcp/server-tool.js';
import { resultFiles, resultOf } from './mcp-servers.service.js';

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

  it('P11 are not repeated in the structured content', () => {
    const picture = { type: 'image' as const, data, mimeType: 'image/png' };
    const resource = { uri: 'demo://data/7', blob: 'AAAA' };
    const content = [picture, { type: 'resource' as const, resource }, { type: 'text' as const, text: 'a' }];
    const structuredContent = { content: [picture], resource, size: 5, none: null };
    expect(resultOf({ content, structuredContent })).toEqual({
      content: [{ ...picture, data: '[image]' }],
      resource: { ...resource, blob: '[resource]' },
      ...{ size: 5, none: null },
    });
    expect(resultOf({ content: [], structuredContent })).toBe(structuredContent);
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

describe('tools of MCP servers', () => {
  it('P12 need no parameter that has a default, although their schemas require it', () => {
    const properties = { url: { type: 'string' }, scale: { type: 'string', default: 'css' }, any: true };
    const input = { type: 'object', properties, required: ['url', 'scale', 'any'] };
    const facts = {
      approvedHash: 'h',
      seenHash: 'h',
      isOffered: true,
      isIdempotent: false,
      isOpenWorld: false,
    };
    const required = (schema: object) => {
      const approved = { name: 'shoot', input: schema, output: null };
      const tools = [{ name: 'shoot', approved, ...facts }];
      return serverTools([{ name: 'browser', url: null, allowedTools: null, sideEffects: null, tools }])[0]!
        .input['required'];
    };
    expect(required(input)).toEqual(['url', 'any']);
    expect(required({ ...input, required: undefined })).toBeUndefined();
    expect(required({ type: 'object', required: ['url'] })).toEqual(['url']);
  });
});
