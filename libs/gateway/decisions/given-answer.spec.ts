import type { FileIntake } from '../sessions/file-intake.js';
import { readAnswer } from './decisions.controller.js';
import multipart from '@fastify/multipart';
import { fastify } from 'fastify';

/** P1: the fields of a multipart answer come from its kind's schema, whatever their names. */
describe('a multipart answer', () => {
  const schema = {
    type: 'object',
    properties: {
      word: { type: 'string' },
      times: { type: 'integer' },
      user_decisions: { type: 'object' },
    },
  };

  const intake = { storePart: async () => ({ name: 'a.png', size: 0 }), drop: async () => undefined };

  async function answerTo(parts: Record<string, string | Blob>): Promise<Record<string, unknown>> {
    const server = fastify();
    await server.register(multipart);
    server.post('/', (request) =>
      readAnswer(request, 'ten_1', 'ses_1', intake as unknown as FileIntake, () => schema),
    );
    const form = new FormData();
    for (const [name, value] of Object.entries(parts)) form.append(name, value);
    const encoded = new Response(form);
    const response = await server.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': encoded.headers.get('content-type')! },
      payload: Buffer.from(await encoded.arrayBuffer()),
    });
    await server.close();
    return response.json() as Record<string, unknown>;
  }
  const read = async (parts: Record<string, string>) => (await answerTo(parts))['body'];

  it('passes fields to the schema and other parts to the references', async () => {
    expect(await read({ word: '7', times: '7', 'a.png': 'skip' })).toEqual({
      word: '7',
      times: 7,
      user_decisions: { 'a.png': 'skip' },
    });
  });

  it('rejects an empty file for a reference', async () => {
    expect(await answerTo({ 'a.png': new Blob([]) })).toMatchObject({ code: 'empty_upload' });
  });

  it('leaves the rejection of invalid JSON to the schema', async () => {
    expect(await read({ times: 'often' })).toEqual({ times: 'often' });
  });
});
