import type { ApiClient } from '#testing/api-client.js';
import { once } from 'node:events';
import { connect } from 'node:net';

const BOUNDARY = 'half-way';

/** Sends half of an upload and closes the connection. */
export async function cutUpload(
  api: ApiClient,
  sessionId: string,
  name: string,
  content: string | Uint8Array,
): Promise<void> {
  const { hostname, port } = new URL(api.baseUrl);
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  const lines = [
    `POST /api/sessions/${sessionId}/inputs HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `authorization: Bearer ${api.key}`,
    `content-type: multipart/form-data; boundary=${BOUNDARY}`,
    `content-length: ${head.length + content.length + 64}`,
  ];
  const socket = connect(Number(port), hostname);
  const closed = once(socket, 'close').catch(() => undefined);
  socket.on('error', () => undefined); // the gateway may be away
  socket.write(`${lines.join('\r\n')}\r\n\r\n${head}`);
  socket.write(content.slice(0, content.length / 2), () => socket.destroy());
  await closed;
}
