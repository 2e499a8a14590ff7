import type { ApiResponse } from '#testing/api-client.js';
import { once } from 'node:events';
import { connect } from 'node:net';

/** Expects a refusal as a problem without internal details. */
export function expectRefusal(response: ApiResponse): void {
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(response.text).not.toMatch(/node_modules|\.ts:|at \w+ \(|prisma|select /i);
}

/**
 * Sends bytes on a separate connection.
 *
 * @returns everything received until the connection was closed; a client that keeps writing may find it reset, and the
 * response lost
 */
export async function raw(
  url: string,
  bytes: string,
  more?: (write: (text: string) => void) => () => void,
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  let isReset = false;
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  socket.on('error', () => (isReset = true));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  socket.write(bytes);
  const stop = more?.((text) => socket.destroyed || socket.write(text));
  await closed;
  stop?.();
  return isReset && answer === '' ? 'reset' : answer;
}
