import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EmbeddingStub {
  /** Value for `OPENAI_EMBED_BASE_URL`. */
  baseUrl: string;
  /** Texts that were embedded, in order. */
  embedded: string[];
  /** Model and `Authorization` of each request that was answered. */
  asked: { model: string; key: string | undefined }[];
  /** Statuses of the next responses. */
  failures: number[];
  stop(): void;
}

/**
 * Starts an OpenAI-compatible embedding endpoint on a free port of this machine, for tests. It reports ten tokens per text.
 *
 * @param vectorOf returns the vector of a text
 */
export async function startEmbeddingStub(vectorOf: (text: string) => number[]): Promise<EmbeddingStub> {
  const embedded: string[] = [];
  const asked: EmbeddingStub['asked'] = [];
  const failures: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const status = failures.shift();
        if (status !== undefined) return void response.writeHead(status, { 'retry-after': '0' }).end('{}');
        const { input, model } = JSON.parse(Buffer.concat(chunks).toString()) as {
          input: string[];
          model: string;
        };
        asked.push({ model, key: request.headers.authorization });
        embedded.push(...input);
        const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ data, usage: { total_tokens: 10 * input.length } }));
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    embedded,
    asked,
    failures,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
